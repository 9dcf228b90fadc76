//---- division_by_zero
kernel void k(global int* out, uint n) {
    out[0] = out[1] / 0;
    out[0] %= 0;
    n /= 0u;
    out[2] = n % (1 - 1);
    out[3] = 7 / 0;
}
//---- ok_division
kernel void k(global int* out, global float* f, int n) {
    out[0] = out[1] / n;
    out[1] = 0 / n;
    f[0] = 1.0f / 0.0f;
    f[1] = f[0] / 0;
    out[2] = sizeof(1 / 0);
}
//---- shift_count
kernel void k(global int* out, long n, uchar c) {
    out[0] = out[1] << 32;
    out[1] >>= 40;
    out[2] = out[2] >> -1;
    out[3] = n << 64;
    out[4] = c << 32;
}
//---- ok_shift_count
kernel void k(global int* out, long n, uchar c) {
    out[0] = out[1] << 31;
    out[1] = n >> 63;
    out[2] = c << 8;
    out[3] = 1 << out[4];
    out[4] = 1 << 31;
}
//---- overflow
kernel void k(global int* out, global long* big) {
    out[0] = 2147483647 + 1;
    out[1] = 65536 * 65536;
    out[2] = -2147483647 - 2;
    big[0] = 1000000 * 1000000;
    big[1] = 0x7fffffffffffffff + 1;
    out[3] = INT_MIN / -1;
    out[4] = -INT_MIN;
}
//---- ok_no_overflow
kernel void k(global int* out, global uint* u, global long* big) {
    out[0] = 2147483647;
    out[1] = INT_MIN;
    u[0] = 4294967295u + 1u;
    u[1] = 65536u * 65536u;
    big[0] = 1000000L * 1000000;
    out[2] = INT_MAX - 1 + 1;
}
//---- literal_range
kernel void k(global float* out, global double* d) {
    out[0] = 1e40f;
    out[1] = 1e-50f;
    d[0] = 1e400;
    d[1] = 4e-330;
    out[2] = 0x1.0000001p0f;
}
//---- ok_literal_range
kernel void k(global float* out, global double* d) {
    out[0] = 3.14159265358979323846f;
    out[1] = 0.0f;
    out[2] = 0e5f;
    out[3] = 1.5;
    out[4] = 0.1;
    out[5] = 1e-40f;
    d[0] = 0x1.fffffffffffffp1023;
    out[6] = FLT_MAX + FLT_MIN + INFINITY + 0x0p0f;
}
//---- always_by_type
kernel void k(global int* out, uchar b, char c, ushort s) {
    bool t = s;
    if (b < 256) out[0] = 1;
    if (b == 300) out[1] = 1;
    if (c > 127) out[2] = 1;
    if (c == 200) out[3] = 1;
    if (-1 > s) out[4] = 1;
    if (t == 2) out[5] = 1;
    if (65536 != s) out[6] = 1;
}
//---- ok_sometimes
kernel void k(global int* out, uchar b, char c, uint u, int i, size_t n) {
    if (b < 255) out[0] = 1;
    if (c > 126 || c == -128) out[1] = 1;
    if (u == 0xffffffff) out[2] = 1;
    if (u < 0) out[3] = 1;
    if (n >= 0) out[4] = 1;
    if (i < 0 || i > 2147483646) out[5] = 1;
    if (u == -1) out[6] = 1;
}
//---- unsigned_against_zero -Wextra
kernel void k(global int* out, uint u, uchar b) {
    if (u < 0) out[0] = 1;
    if (b >= 0) out[1] = 1;
    if (0 > get_global_id(0)) out[2] = 1;
}
//---- ok_unsigned_against_zero -Wextra
kernel void k(global int* out, uint u, int i) {
    if (u > 0 || u == 0) out[0] = 1;
    if (u <= 0) out[1] = 1;
    if (i < 0) out[2] = 1;
}
//---- left_out_by_a_constant
#define BYTES 16
kernel void k(global ulong* p) {
    if (BYTES % 8) p[0] >>= 64 - BYTES % 8 * 8;
    if (BYTES / 16) p[1] = 1;
    else if (p[2]) p[1] = 5 / (BYTES / 16 - 1);
    if (BYTES) p[3] <<= 64;
}
//---- array_bounds
typedef struct {
    int first[3];
    int last[1];
} record;
constant int table[2] = {1, 2};
kernel void k(global int* out, global record* r) {
    int a[16], b[2][3];
    local float t[8];
    for (int i = 0; i < 16; i++) a[i] = i;
    for (int i = 0; i < 6; i++) b[i / 3][i % 3] = i;
    t[8] = 1;
    out[0] = a[16] + a[-1];
    a[20] = 16[a];
    out[1] = b[0][3] + b[2][0] + table[1 + 1];
    r->first[3] = 1;
    out[2] = *(&a[17]);
}
//---- ok_array_bounds
typedef struct {
    int first[3];
    int last[1];
} record;
kernel void k(global int* out, global record* r, global int (*rows)[4]) {
    int a[16];
    for (int* p = a; p != &a[16]; p++) *p = 1;
    out[0] = a[15] + r->last[5] + out[-1] + rows[7][3];
    out[1] = sizeof(a[16]);
    if (sizeof(int) == 8) out[2] = a[16];
}
//---- ok_unreached_elements
#define COUNT 4
kernel void k(global int* out, int n) {
    int a[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = n;
    out[0] = COUNT > 4 ? a[4] : 0;
    out[1] = COUNT > 4 && a[4];
    out[2] = n > 2 && COUNT > 5 ? a[5] : 0;
    out[3] = COUNT == 4 || a[6] > n;
    for (; COUNT > 4;) out[4] = a[4];
    while (n > 1 && 0) out[5] = a[9] << 40;
}
//---- ok_ends
typedef struct {
    int x, y;
} point;
kernel void k(global int* out, int n) {
    point s[2];
    int b[3][4];
    for (int* p = &b[0][0]; p != &b[3][0]; p++) *p = n;
    for (int* p = b[0]; p != b[3]; p++) *p = n;
    for (private int* p = &s[0].x; p != &s[2].x; p += 2) *p = n;
    out[0] = b[1][2] + s[1].x;
}
//---- elements_of_members
typedef struct {
    int n;
    int middle[1];
    int last[1];
} record;
kernel void k(global int* out, global record* r) {
    out[0] = r->middle[1] + r->last[1];
    out[1] = r->last[-1];
}
//---- switch_values
kernel void k(global int* out, uchar c, short s, int n, ulong l) {
    switch (c) {
    case 5: out[0] = 1; break;
    case 256: out[0] = 2; break;
    case -1: out[0] = 3; break;
    case 250 ... 255: out[0] = 4; break;
    case 257 ... 300: out[0] = 5;
    }
    switch (s) {
    case 40000: out[1] = 1; break;
    case -32768: out[1] = 2;
    }
    switch (n) {
    case 40000: out[2] = 1;
    }
    switch (l) {
    case 0x8000000000000000: out[3] = 1;
    }
}
