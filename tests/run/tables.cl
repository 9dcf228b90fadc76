// Arrays of constants inside functions.
//---- in_a_helper
//: global 64
//: arg out=i32[64]
//: expect out = ((i * 7 + 3) % 64) * ((i * 7 + 3) % 64) + i * i
int square(int x) {
    const int squares[64] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484, 529, 576, 625, 676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369, 1444, 1521, 1600, 1681, 1764, 1849, 1936, 2025, 2116, 2209, 2304, 2401, 2500, 2601, 2704, 2809, 2916, 3025, 3136, 3249, 3364, 3481, 3600, 3721, 3844, 3969};
    return squares[x];
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = square((i * 7 + 3) % 64) + square(i);
}
//---- uniform_and_divergent
//: global 40
//: arg out=i32[40]
//: arg n=12
//: expect out = 506 + (i % 12) * (i % 12)
kernel void k(global int* out, int n) {
    int squares[12] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121};
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < n; j++) sum += squares[j];
    out[i] = sum + squares[i % 12];
}
//---- rest_is_zero
//: not host: designated elements
//: global 200
//: arg out=i32[200]
//: expect out = i % 100 < 3 ? i % 100 + 5 : i % 100 == 40 ? 7 : i % 100 == 99 ? -1 : 0
kernel void k(global int* out) {
    int t[100] = {5, 6, 7, [40] = 7, [99] = -1};
    int i = get_global_id(0);
    out[i] = t[i % 100];
}
//---- rows
//: global 36
//: arg out=i32[36]
//: expect out = (i / 6 + 1) * 10 + (i % 6 < 2 ? i % 6 : 0)
kernel void k(global int* out) {
    const int head[6][6] = {{10, 1}, {20, 1}, {30, 1}, {40, 1}, {50, 1}, {60, 1}};
    int i = get_global_id(0), row = i / 6, column = i % 6;
    out[i] = head[row][0] + (column ? head[row][column] : 0);
}
//---- structs
//: global 20
//: arg out=f32[20]
//: expect out = f32(i % 4 * 10 + 1) + 0.5f + f32(i % 4 + 200)
typedef struct { uchar tag; short step; float weight; } Entry;
kernel void k(global float* out) {
    const Entry entries[4] = {{200, 1, 0.5f}, {201, 11, 0.5f}, {202, 21, 0.5f}, {203, 31, 0.5f}};
    int i = get_global_id(0);
    Entry e = entries[i % 4];
    out[i] = e.step + e.weight + e.tag;
}
//---- vectors
//: not host: vectors
//: global 16
//: arg out=i32[16]
//: expect out = (i % 4) * 1111 + 1234
kernel void k(global int* out) {
    const int4 t[4] = {(int4)(1, 2, 3, 4), (int4)(2, 3, 4, 5), (int4)(3, 4, 5, 6), (int4)(4, 5, 6, 7)};
    int i = get_global_id(0);
    int4 v = t[i % 4];
    out[i] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;
}
//---- small_elements
//: global 30
//: arg out=i32[30]
//: expect out = (i % 10) * -3 + (i % 10) * 25 + (i % 10 == 4 ? 1000 : 0)
kernel void k(global int* out) {
    const char c[10] = {0, -3, -6, -9, -12, -15, -18, -21, -24, -27};
    const uchar u[10] = {0, 25, 50, 75, 100, 125, 150, 175, 200, 225};
    const bool b[10] = {false, false, false, false, true};
    int i = get_global_id(0) % 10;
    out[get_global_id(0)] = c[i] + u[i] + (b[i] ? 1000 : 0);
}
//---- large_elements
//: global 14
//: arg out=i64[14]
//: expect out = (i % 7) * 10000000000 + (i % 7) * 2
kernel void k(global long* out) {
    const long l[7] = {0, 10000000000, 20000000000, 30000000000, 40000000000, 50000000000, 60000000000};
    const double d[7] = {0, 2, 4, 6, 8, 10, 12};
    int i = get_global_id(0) % 7;
    out[get_global_id(0)] = l[i] + (long)d[i];
}
//---- pointers_to_two_tables
//: global 32
//: arg out=i32[32]
//: expect out = i % 2 ? 3 * (i % 4) + 40 : i % 4 * 2 + 6
int sum(const int* p, int i) { return p[i] + p[4]; }
kernel void k(global int* out) {
    const int a[5] = {0, 2, 4, 6, 6};
    const int b[5] = {30, 33, 36, 39, 10};
    int i = get_global_id(0);
    const int* p = i % 2 ? b : a;
    out[i] = sum(p, i % 4);
}
//---- pointer_walks
//: global 50
//: arg out=i32[50]
//: expect out = (i % 20 + 1) / 2 * 100 + 10 - (i % 20 + 1) / 2
kernel void k(global int* out) {
    const int odd[10] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19};
    int i = get_global_id(0);
    const int *p = odd, *end = odd + 10;
    while (p != end && *p <= i % 20) p++;
    const int* back = end;
    int left = 0;
    while (back > p) back--, left++;
    out[i] = (int)(p - odd) * 100 + left;
}
//---- filled_by_a_loop
//: global 32
//: arg out=i32[32]
//: expect out = (i % 16) * (i % 16) + 1
kernel void k(global int* out) {
    int t[16];
    for (int j = 0; j < 16; j++) t[j] = j * j + 1;
    int i = get_global_id(0);
    out[i] = t[i % 16];
}
//---- copies
//: global 24
//: arg out=i32[24]
//: expect out = i % 3 * 5 + i % 3 * 5
typedef struct { int v[3]; } Three;
kernel void k(global int* out) {
    const Three a = {{0, 5, 10}};
    Three b = a;
    int i = get_global_id(0) % 3;
    out[get_global_id(0)] = a.v[i] + b.v[i];
}
//---- written_on_one_path
//: global 24
//: arg out=i32[24]
//: expect out = i % 4 == 2 && i < 12 ? 99 : i % 4 + 1
kernel void k(global int* out) {
    int t[4] = {1, 2, 3, 4};
    int i = get_global_id(0);
    if (i < 12) t[2] = 99;
    out[i] = t[i % 4];
}
//---- written_through_a_pointer
//: global 24
//: arg out=i32[24]
//: expect out = i % 4 == i % 3 ? 50 : i % 4 + 1
void put(int* p, int i) { p[i] = 50; }
kernel void k(global int* out) {
    int t[4] = {1, 2, 3, 4};
    int i = get_global_id(0);
    put(t, i % 3);
    out[i] = t[i % 4];
}
//---- again_in_each_iteration
//: global 20
//: arg out=i32[20]
//: expect out = 3 * (i % 5) + 30
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < 3; j++) {
        int t[5] = {10, 11, 12, 13, 14}, u[5] = {0, 0, 0, 0, 0};
        u[i % 5] += t[i % 5];
        sum += u[i % 5];
    }
    out[i] = sum;
}
//---- equal_pointers
//: global 12
//: arg out=i32[12]
//: expect out = i % 3 == 1 ? 21 : 20
kernel void k(global int* out) {
    const int a[3] = {1, 2, 3}, b[3] = {1, 2, 3};
    int i = get_global_id(0);
    const int* p = a + i % 3;
    out[i] = (p == a + 1) + (p != b + i % 3) * 20;
}
//---- tables_in_registers
// Of 16 to 256 bytes, of every element size, with indices that ranges bound.
//: global 150
//: arg in=i32[150]:iota
//: arg out=i32[1200]
//: expect out = i % 8 == 0 ? i / 8 % 16 < 10 ? 48 + i / 8 % 16 : 87 + i / 8 % 16 : i % 8 == 1 ? i / 8 % 8 * 3 - 7 : i % 8 == 2 ? (i / 8 % 32) * (i / 8 % 32) : i % 8 == 3 ? (i / 8 % 32) * 1000 - 9000 : i % 8 == 4 ? 900 - i / 8 % 64 : i % 8 == 5 ? i / 8 % 4 * 10 + 1 : i % 8 == 6 ? i / 8 % 4 * 10 + 2 : i / 8 % 100 + 100
constant uchar digits[16] = "0123456789abcdef";
constant int few[8] = {-7, -4, -1, 2, 5, 8, 11, 14};
#define ROW(f, i) f(i), f(i + 1), f(i + 2), f(i + 3), f(i + 4), f(i + 5), f(i + 6), f(i + 7)
#define SQUARE(i) (i) * (i)
#define STEP(i) (i) * 1000 - 9000
#define DOWN(i) 900 - (i)
#define UP(i) 100 + (i)
constant int squares[32] = {ROW(SQUARE, 0), ROW(SQUARE, 8), ROW(SQUARE, 16), ROW(SQUARE, 24)};
constant short steps[32] = {ROW(STEP, 0), ROW(STEP, 8), ROW(STEP, 16), ROW(STEP, 24)};
constant int downwards[64] = {ROW(DOWN, 0),  ROW(DOWN, 8),  ROW(DOWN, 16), ROW(DOWN, 24),
                              ROW(DOWN, 32), ROW(DOWN, 40), ROW(DOWN, 48), ROW(DOWN, 56)};
constant uchar upwards[104] = {ROW(UP, 0),  ROW(UP, 8),  ROW(UP, 16), ROW(UP, 24), ROW(UP, 32), ROW(UP, 40), ROW(UP, 48),
                               ROW(UP, 56), ROW(UP, 64), ROW(UP, 72), ROW(UP, 80), ROW(UP, 88), ROW(UP, 96)};
typedef struct { char a, b; short c; } Three;
constant Three threes[4] = {{1, 2, 3}, {11, 12, 13}, {21, 22, 23}, {31, 32, 33}};
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), v = in[i];
    out[8 * i] = digits[v & 15];
    out[8 * i + 1] = few[v & 7];
    out[8 * i + 2] = squares[v & 31];
    out[8 * i + 3] = steps[v & 31];
    out[8 * i + 4] = downwards[v & 63];
    out[8 * i + 5] = threes[v & 3].a;
    out[8 * i + 6] = threes[v & 3].b;
    out[8 * i + 7] = upwards[v % 100];
}
//---- one_small_table
// All constants of the kernel fit into a register, whatever the index.
//: global 150
//: arg in=i32[150]:iota
//: arg out=f32[150]
//: expect out = i % 5 * 2 + 1
constant float odd[5] = {1, 3, 5, 7, 9};
kernel void k(global const int* in, global float* out) {
    int i = get_global_id(0), v = in[i] - in[i] / 5 * 5;
    out[i] = odd[v];
}
