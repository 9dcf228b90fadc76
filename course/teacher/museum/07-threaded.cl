// The block that tests the state also stores.
kernel void k(global const int* in, global int* out, global int* seen) {
    int i = get_global_id(0), state = 0;
    if (in[i] > 4) state = 1;
    seen[i] = 1;
    if (state == 1)
        out[i] = 7;
    else
        out[i] = 8;
}
