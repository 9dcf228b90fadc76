// A loop with a condition inside.
kernel void loop(global const int* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 8; k++) {
        if (in[i] & (1 << k))
            sum += k;
        else
            sum -= 1;
    }
    out[i] = sum;
}
