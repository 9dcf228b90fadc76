// Values that go round: two that change places, and one that has no value before the loop.
kernel void loops(global const int* in, global int* out) {
    int i = get_global_id(0), a = 0, b = 1, last;
    for (int k = 0; k < (in[i] & 15); k++) {
        int next = a + b;
        a = b;
        b = next;
        if (k & 1) last = k * k;
        for (int j = 0; j < k; j++)
            if (j & 1) b ^= j;
        if (k > 1 && last > 50) b += last;
    }
    out[i] = a * 1000 + b;
}
