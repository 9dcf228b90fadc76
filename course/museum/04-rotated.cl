kernel void plain(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i];
    for (int k = 0; k < n; k++) {
        x = x * 3 + k;
        out[i] = x;
    }
}
