// The value before the last step is used after the loop, whose test is at its end.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = in[i], last;
    do {
        last = n;
        n = n / 2;
    } while (n > 3);
    out[i] = last;
}
