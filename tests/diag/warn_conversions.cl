//---- constant_changes
kernel void k(global uchar* out, global float* f) {
    out[0] = 300;
    char c = 200;
    short s = 100000;
    uchar d = -200;
    int i = 4294967295;
    int l = 10000000000;
    out[1] = c + s + d + i + l;
    f[0] = 16777217;
}
//---- real_constant_to_integer
kernel void k(global int* out, global uchar* bytes) {
    out[0] = 2.5f;
    out[1] = -0.5;
    out[2] = 3e10f;
    bytes[0] = -1.0f;
}
//---- passed_and_returned
int half_of(int x) { return 0.5f; }
kernel void k(global int* out) { out[0] = half_of(1.5); }
//---- ok_constants
kernel void k(global uchar* out, global int* i, global float* f, global uint* u) {
    out[0] = 255;
    out[1] = -1;
    char c = 0xff;
    u[0] = -1;
    i[0] = 0xffffffff;
    i[1] = 3000000000u;
    out[2] = ~0;
    i[2] = 2.0f;
    f[0] = 16777216;
    f[1] = 1.1;
    out[3] = (uchar)300;
    i[3] = (int)2.5f;
    bool b = 2;
    out[4] = 'a' + c + b;
    i[4] = 1 << 31;
}
//---- narrowing -Wconversion
kernel void k(global int* out, global float* f, global uchar* b, long n, double d, int i) {
    out[0] = f[0];
    out[1] = n;
    f[0] = d;
    f[1] = i;
    b[0] = i;
    out[2] += f[2];
}
//---- ok_narrowing -Wconversion
kernel void k(global int* out, global float* f, global uchar* b, long n, double d, int i, ushort s) {
    out[0] = (int)f[0];
    f[0] = (float)d;
    f[1] = s;
    b[0] = i & 0xff;
    b[1] = i > 3;
    b[2] = n % 2 == 0;
    d = f[2];
    out[1] = convert_int(n);
    b[3] = (uint)i >> 24;
    f[3] = i % 100;
    out[2] = (uint)i;
    b[4] = 200;
}
//---- ok_narrowing_without_option
kernel void k(global int* out, global float* f, long n, double d) {
    out[0] = f[0];
    out[1] = n;
    f[0] = d;
}
//---- signs -Wsign-compare
kernel void k(global int* out, int i, uint u, ulong n, char c) {
    if (i < u) out[0] = 1;
    if (n == i) out[1] = 1;
    if (c > u) out[2] = 1;
    for (int j = 0; j < get_global_size(0); j++) out[j] = 1;
}
//---- ok_signs -Wsign-compare
kernel void k(global int* out, int i, uint u, long l, uchar b) {
    if (u > 3 || 3 < u) out[0] = 1;
    if (b < u) out[1] = 1;
    if (u < l) out[2] = 1;
    if ((i & 7) < u) out[3] = 1;
    if ((uint)i < u) out[4] = 1;
    if (u == -1) out[5] = 1;
}
//---- promotion -Wdouble-promotion
kernel void k(global float* out, global double* wide, float x) {
    out[0] = x * 2.0;
    wide[0] = x;
    out[1] = x > 0.5 ? x : 0;
}
//---- ok_promotion -Wdouble-promotion
kernel void k(global float* out, global double* wide, float x, int i) {
    out[0] = x * 2.0f;
    wide[0] = (double)x + 0.5f;
    wide[1] = i;
    printf("%f\n", x);
}
//---- calls_that_are_ambiguous_elsewhere -Wpedantic
kernel void k(global int* x, global float* f, uint n, int m, long q) {
    x[0] = max(n, m) + min(q, 3) + clamp(m, 0u, n);
    f[0] = pow(2, 3) + sqrt(m) + max(f[1], 0) + fmin(f[1], 2.0);
    x[1] = isnan(m) + abs_diff((char)m, m);
}
//---- ok_calls_with_one_best_form -Wpedantic
kernel void k(global int* x, global float* f, int m, char c) {
    x[0] = max(x[1], m) + abs(c) + clamp(x[2], 0, 255) + mul24((short)m, 3) + mad24((uchar)m, 3, 5);
    f[0] = pow(f[1], 2) + mix(f[1], 1, 0.5f) + fmax(f[1], 0);
}
//---- ok_ranges -Wconversion
kernel void k(global ushort* s, global uchar* c, int n, float f) {
    s[0] = s[1] & s[2];
    s[1] = s[1] | s[2] ^ c[3];
    s[2] = s[3] / 3;
    c[0] = s[0] % 256;
    c[1] = s[0] >> 8;
    c[2] = n ? 1 : c[3];
    c[3] = f < 0 ? 0 : f < 1 ? 1 : 2;
    s[3] = c[0] + c[1];
    c[4] = (c[0] + c[1]) / 2;
}
//---- ranges -Wconversion
kernel void k(global ushort* s, global uchar* c, int n) {
    s[0] = s[1] + s[2];
    s[1] = s[1] & n;
    s[2] = s[1] | n;
    c[0] = s[0] % 257;
    c[1] = s[0] >> 7;
    c[2] = n ? 1 : s[3];
    c[3] = c[1] - c[2];
}
