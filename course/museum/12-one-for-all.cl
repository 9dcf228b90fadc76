kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i];
    if (x & 1)
        out[i] = x;
    for (int k = 0; k < x; k++)
        out[i] += k;
}
