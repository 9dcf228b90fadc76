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
//---- shares_of_two_and_an_axis
//: not host: vectors
//: global 32
//: arg out=f32[32]
//: arg n=5
//: expect out = (i % 3 == 0 ? i : i % 3 == 1 ? i * 2 : 7) + sum(j, 0, 5, (j + i) % 2 ? 10 : 1)
kernel void k(global float* out, int n) {
    int i = get_global_id(0), axis = i % 3, share[2] = {1, 10};
    float3 v = (float3)(i, i * 2, 7);
    float sum = ((float*)&v)[axis];
    for (int j = 0; j < n; j++) sum += share[(j + i) & 1];
    out[i] = sum;
}
//---- fields_of_a_chosen_element
//: global 24
//: arg out=i32[24]
//: expect out = (i % 2 ? 300 : 30) + (i % 2 ? 3 : 100 + i) * 1000
struct Sides {
    short size;
    uchar kind;
    int sum;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct Sides s[3] = {{10, 1, 5}, {20, 2, 6}, {30, 3, 7}};
    struct Sides *chosen = &s[1 + i % 2];
    chosen[-1].sum = 100 + i;                    // of the first or the second
    chosen->size *= 10;                          // of the second or the third
    out[i] = s[2].size + (i % 2 ? s[2].kind : s[0].sum) * 1000;
}
//---- nearest_four
// Elements move up from the place of a new one, which each work-item finds elsewhere.
//: global 16
//: arg in=i32[160]:rand(4,0,100)
//: arg out=i32[64]
//: expect out = sum(j, 0, 10, in[j * 16 + i / 4] * (i % 4 == sum(m, 0, 10, in[m * 16 + i / 4] < in[j * 16 + i / 4]
//:  || in[m * 16 + i / 4] == in[j * 16 + i / 4] && m < j)))
kernel void k(global const int* in, global int* out) {
    int id = get_global_id(0), best[4] = {1000, 1000, 1000, 1000};
    for (int j = 0; j < 10; j++) {
        int d = in[j * 16 + id], at = 3;
        if (d >= best[3]) continue;
        while (at > 0 && best[at - 1] > d) {
            best[at] = best[at - 1];
            at--;
        }
        best[at] = d;
    }
    for (int k = 0; k < 4; k++) out[id * 4 + k] = best[k];
}
//---- registers_of_a_machine
// Arms of a switch read and write elements by the same indices. The sum of all grows by the operation's number.
//: global 16
//: arg in=u8[1024]:rand(8)
//: arg out=i32[16]
//: arg n=64
//: expect out = 10 + 5 * i + sum(j, 0, 21, in[j * 48 + i] % 4)
kernel void k(global const uchar* in, global int* out, int n) {
    int id = get_global_id(0), r[5], sum = 0;
    for (int k = 0; k < 5; k++) r[k] = k + id;
    for (int j = 0; j + 3 < n; j += 3) {
        int op = in[j * 16 + id] & 3, x = in[j * 16 + 16 + id] % 5, y = in[j * 16 + 32 + id] % 5, old = r[y];
        switch (op) {
            case 0: r[y] = r[x], r[x] = old; break;
            case 1: r[x]++; break;
            case 2: r[x] = r[x] - old + 2, r[(x + 1) % 5] += old; break;
            default: r[y] = old + 3; break;
        }
    }
    for (int k = 0; k < 5; k++) sum += r[k];
    out[id] = sum;
}
