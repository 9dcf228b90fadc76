// A loop that exchanges its variables: parameters of a block that take each other's values. What it reads at its
// beginning in each iteration stays the same.
kernel void exchange(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    int a = in[i], b = in[i + 64], c = i, same = a ^ b;
    for (int k = 0; k < n; ++k) {
        int t = a * same, u = b * 3 + t, v = c * 5 + u;
        a = b + v;
        b = c ^ t;
        c = t + (u & v);
    }
    out[i] = a + 3 * b + 7 * c;
}
