// Work-items with in[i] = 0 have no iteration.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    for (int k = 0; k < in[i]; k++)
        out[i] += 1;
}
