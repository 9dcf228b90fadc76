// Division rounds toward zero, the shift toward minus infinity.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[i] / 8;
}
