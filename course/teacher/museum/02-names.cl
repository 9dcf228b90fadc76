// data[i] and data[j] are one element where j is i.
kernel void k(global int* data, global const int* at) {
    int i = get_global_id(0), j = at[i];
    int x = data[i];
    data[j] = x + 1;
    data[i] = data[i] * 2;
}
