kernel void plain(global const int* in, global int* out, int n) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++)
        sum += k * in[i];
    out[i] = sum;
}
