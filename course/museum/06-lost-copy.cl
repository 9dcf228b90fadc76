kernel void plain(global const int* in, global int* out) {
    int i = get_global_id(0), a = 0, b = 1;
    for (int k = 0; k < in[i]; k++) {
        int next = a + b;
        a = b;
        b = next;
    }
    out[i] = a;
}
