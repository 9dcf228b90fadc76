// Private arrays: of one and more dimensions, indexed by constants and variables, as parameters.
//---- filled_and_summed
//: global 20
//: arg out=i32[20]
//: expect out = sum(k, 0, 8, i * k)
kernel void k(global int* out) {
    int i = get_global_id(0), a[8], sum = 0;
    for (int j = 0; j < 8; j++) a[j] = i * j;
    for (int j = 0; j < 8; j++) sum += a[j];
    out[i] = sum;
}
//---- reversed
//: global 4
//: arg in=i32[40]:iota
//: arg out=i32[40]
//: expect out = in[i / 10 * 10 + 9 - i % 10]
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), a[10];
    for (int j = 0; j < 10; j++) a[j] = in[i * 10 + j];
    for (int j = 0; j < 10; j++) out[i * 10 + j] = a[9 - j];
}
//---- divergent_index
//: global 32
//: arg out=i32[32]
//: expect out = i * 5 % 8 * 100 + 3
kernel void k(global int* out) {
    int i = get_global_id(0), a[8] = {3, 103, 203, 303, 403, 503, 603, 703};
    out[i] = a[i * 5 % 8];
}
//---- divergent_stores
//: global 16
//: arg out=i32[16]
//: expect out = (i % 4 == 0 ? 10 : 1) + (i % 4 == 1 ? 1000 : 100)
kernel void k(global int* out) {
    int i = get_global_id(0), a[4] = {1, 100, 0, 0};
    a[i % 4] *= 10;
    out[i] = a[0] + a[1];
}
//---- two_dimensions
//: global 6
//: arg out=i32[6]
//: expect out = sum(r, 0, 3, sum(c, 0, 4, (r * 10 + c) * (r == c || i % 2)))
kernel void k(global int* out) {
    int i = get_global_id(0), m[3][4], sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) m[r][c] = r * 10 + c;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            if (r == c || i % 2) sum += m[r][c];
    out[i] = sum;
}
//---- three_dimensions
//: global 24
//: arg out=i32[24]
//: expect out = i / 12 * 100 + i / 4 % 3 * 10 + i % 4
kernel void k(global int* out) {
    int i = get_global_id(0), a[2][3][4];
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 3; y++)
            for (int z = 0; z < 4; z++) a[x][y][z] = x * 100 + y * 10 + z;
    out[i] = a[i / 12][i / 4 % 3][i % 4];
}
//---- a_row_is_an_array
//: global 3
//: arg out=i32[3]
//: expect out = i * 3 + 3
int sum3(int* p) { return p[0] + p[1] + p[2]; }
kernel void k(global int* out) {
    int i = get_global_id(0), m[2][3] = {{9, 9, 9}, {0, 1, 2}};
    for (int j = 0; j < 3; j++) m[1][j] += i;
    out[i] = sum3(m[1]);
}
//---- sizes
//: global 1
//: arg out=u64[6]
//: expect out = {40, 4, 24, 12, 8, 3}
kernel void k(global ulong* out) {
    int a[10], m[2][3];
    char c[] = {1, 2, 3};
    out[0] = sizeof a;
    out[1] = sizeof a[0];
    out[2] = sizeof m;
    out[3] = sizeof m[0];
    out[4] = sizeof(&a[0]);
    out[5] = sizeof c;
}
//---- initialisers_fill_with_zero
//: global 1
//: arg out=i32[6]
//: expect out = {1, 2, 0, 0, 0, 0}
kernel void k(global int* out) {
    int a[6] = {1, 2};
    for (int j = 0; j < 6; j++) out[j] = a[j];
}
//---- initialised_again_each_time
//: global 4
//: arg out=i32[4]
//: expect out = 30
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int j = 0; j < 3; j++) {
        int a[3] = {1, 2, 3};
        for (int q = 0; q < 3; q++) a[q] += 1;
        n += a[0] + a[1] + a[2] + 1;
    }
    out[i] = n;
}
//---- designators
//: global 1
//: not host: C++ has no array designators out of order
//: arg out=i32[8]
//: expect out = {0, 7, 8, 0, 0, 5, 6, 0}
kernel void k(global int* out) {
    int a[8] = {[5] = 5, 6, [1] = 7, 8};
    for (int j = 0; j < 8; j++) out[j] = a[j];
}
//---- left_out_braces_and_length
//: global 1
//: arg out=i32[8]
//: expect out = {1, 2, 3, 4, 5, 0, 24, 6}
kernel void k(global int* out) {
    int m[][2] = {1, 2, 3, 4, 5};
    for (int j = 0; j < 6; j++) out[j] = m[j / 2][j % 2];
    out[6] = sizeof m;
    out[7] = sizeof m / sizeof m[0][0];
}
//---- of_narrow_elements
//: global 10
//: arg out=i32[10]
//: expect out = u8(i * 30) + i16(i * 9000)
kernel void k(global int* out) {
    int i = get_global_id(0);
    uchar a[10];
    short b[10];
    a[i] = i * 30;
    b[9 - i] = i * 9000;
    out[i] = a[i] + b[9 - i];
}
//---- of_doubles_and_longs
//: global 5
//: arg out=f64[5]
//: expect out = f64(i) / 4 + (1 << 40)
kernel void k(global double* out) {
    int i = get_global_id(0);
    double a[5];
    long b[2] = {0, 1L << 40};
    for (int j = 0; j < 5; j++) a[j] = j / 4.0;
    out[i] = a[i] + b[1];
}
//---- insertion_sort
//: global 8
//: arg in=i32[64]:rand(21,0,1000)
//: arg out=i32[64]
//: arg ok=i32[8]
//: expect ok = 1
//: expect out[0] = min(min(min(in[0], in[1]), min(in[2], in[3])), min(min(in[4], in[5]), min(in[6], in[7])))
//: expect out[1:8] = sum(k, 0, 8, in[k] * (sum(q, 0, 8, in[q] < in[k] || (in[q] == in[k] && q < k)) == i))
//: expect out[8:64] = sum(k, i / 8 * 8, i / 8 * 8 + 8, in[k] * (sum(q, i / 8 * 8, i / 8 * 8 + 8, in[q] < in[k] || (in[q] == in[k] && q < k)) == i % 8))
kernel void k(global const int* in, global int* out, global int* ok) {
    int row = get_global_id(0), a[8];
    for (int j = 0; j < 8; j++) a[j] = in[row * 8 + j];
    for (int j = 1; j < 8; j++) {
        int x = a[j], p = j;
        for (; p > 0; p--) {
            if (a[p - 1] <= x) break;
            a[p] = a[p - 1];
        }
        a[p] = x;
    }
    ok[row] = 1;
    for (int j = 0; j < 8; j++) {
        out[row * 8 + j] = a[j];
        if (j && a[j - 1] > a[j]) ok[row] = 0;
    }
}
//---- explicit_stack
//: global 16
//: arg out=i32[16]
//: expect out = i + 1 < 2 ? 1 : i + 1 < 4 ? 2 : i + 1 < 8 ? 3 : i + 1 < 16 ? 4 : 5
kernel void k(global int* out) {
    int i = get_global_id(0), stack[40], top = 0, deepest = 0;
    stack[top++] = i + 1;
    while (top) {
        int n = stack[--top] & 0xffff, depth = stack[top] >> 16;
        if (n == 0) continue;
        if (depth + 1 > deepest) deepest = depth + 1;
        stack[top++] = n / 2 | (depth + 1) << 16;
        if (n > 4) stack[top++] = n / 4 | (depth + 1) << 16;
    }
    out[i] = deepest;
}
//---- each_call_has_its_own
//: global 4
//: arg out=i32[4]
//: expect out = 10 * i + 45 + 9
int work(int seed) {
    int a[10];
    for (int j = 0; j < 10; j++) a[j] = seed + j;
    int sum = 0;
    for (int j = 0; j < 10; j++) sum += a[j];
    return sum;
}
kernel void k(global int* out) {
    int i = get_global_id(0), b[3] = {2, 3, 4};
    int sum = work(i);
    for (int j = 0; j < 3; j++) sum += b[j];
    out[i] = sum;
}
//---- histogram_of_a_row
//: global 8
//: arg in=u8[128]:rand(5,0,4)
//: arg out=i32[32]
//: expect out = sum(k, 0, 16, in[i / 4 * 16 + k] == i % 4)
kernel void k(global const uchar* in, global int* out) {
    int row = get_global_id(0), bins[4] = {0};
    for (int j = 0; j < 16; j++) bins[in[row * 16 + j]]++;
    for (int j = 0; j < 4; j++) out[row * 4 + j] = bins[j];
}
//---- what_was_there_before_a_store
//: global 64
//: arg a=f32[64]:iota
//: arg out=f32[64]
//: expect a = 1
//: expect out = 3 * i
kernel void k(global float* a, global float* out) {
    int i = get_global_id(0);
    float x = a[i];
    a[i] = 1;
    out[i] = x * 3;
}
