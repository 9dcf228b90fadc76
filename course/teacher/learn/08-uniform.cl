kernel void signs(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[i] * (1 - 2 * (i & 1));
}
