kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < in[i]; k++)
        sum += k;
    out[i] = sum;
}
