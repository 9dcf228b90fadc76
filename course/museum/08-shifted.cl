kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[i] / 8 + in[i] / 3;
}
