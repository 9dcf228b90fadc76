// More values than registers; those of the inner loop are used most.
kernel void pressure(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    int a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3], e = in[i + 4], f = in[i + 5], g = in[i + 6];
    int h = in[i + 7], p = a * b, q = c * d, r = e * f, s = g * h;
    for (int k = 0; k < n; ++k) {
        for (int m = 0; m < 4; ++m) {
            a = a * 3 + b;
            b = b ^ (a >> 2);
            c = c + a * b;
        }
        d = d + (c & e);
        e = e ^ f;
        f = f + g * 5;
        g = g - h;
        h = h + (d & 15);
    }
    out[i] = a + b + c + d + e + f + g + h;
    out[i + 64] = p + q * 3 + r * 5 + s * 7;
}
