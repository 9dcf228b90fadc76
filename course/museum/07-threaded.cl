kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0), state = 0;
    if (in[i] > 4) state = 1;
    if (state == 1)
        out[i] = 7;
    else
        out[i] = 8;
}
