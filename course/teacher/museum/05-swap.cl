// Two variables exchange their values in each iteration.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), a = 1, b = 2;
    for (int k = 0; k < in[i]; k++) {
        int t = a;
        a = b;
        b = t;
    }
    out[i] = 10 * a + b;
}
