kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0), n = 0;
    bool odd = in[i] & 1;
    if (odd) {
        n = 10;
        for (int k = 0; k < in[i]; k++)
            n += odd ? 1 : 100;
    }
    out[i] = n;
}
