// Variables outside functions: tables and values in constant memory.
//---- table
//: global 20
//: arg out=i32[20]
//: expect out = (i % 5) * (i % 5)
constant int squares[5] = {0, 1, 4, 9, 16};
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = squares[i % 5];
}
//---- looked_up_divergently
//: global 32
//: arg out=i32[32]
//: expect out = (i * 3 % 8) * (i * 3 % 8) + 1
constant int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = squares[i * 3 % 8] + 1;
}
//---- single_values
//: global 4
//: arg out=f64[4]
//: expect out = 2.5 + f64(i) * 100
constant float half_of_five = 2.5f;
__constant int hundred = 100;
kernel void k(global double* out) {
    int i = get_global_id(0);
    out[i] = half_of_five + i * hundred;
}
//---- const_works_too
//: global 3
//: arg out=i32[3]
//: expect out = {7, 8, 9}
const constant int numbers[] = {7, 8, 9};
kernel void k(global int* out) { out[get_global_id(0)] = numbers[get_global_id(0)]; }
//---- used_in_helpers
//: global 12
//: arg out=i32[12]
//: expect out = i % 3 == 0 ? 10 : i % 3 == 1 ? 20 : 30
constant int codes[3] = {10, 20, 30};
int code(int x) { return codes[x % 3]; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = code(i);
}
//---- passed_as_pointers
//: global 6
//: arg out=i32[6]
//: expect out = i % 2 ? 6 : 60
constant int small[3] = {1, 2, 3};
constant int large[3] = {10, 20, 30};
int sum(constant int* p) { return p[0] + p[1] + p[2]; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = i % 2 ? sum(small) : sum(large);
}
//---- two_dimensions
//: global 6
//: arg out=i32[6]
//: expect out = i / 3 * 10 + i % 3
constant int m[2][3] = {{0, 1, 2}, {10, 11, 12}};
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = m[i / 3][i % 3];
}
//---- of_bytes
//: global 256
//: arg out=u32[256]
//: expect out = popcount(i)
constant uchar bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
kernel void k(global uint* out) {
    int i = get_global_id(0);
    out[i] = bits[i & 15] + bits[i >> 4];
}
//---- of_structs
//: global 4
//: arg out=i32[4]
//: expect out = i % 2 ? 34 : 12
struct pair {
    int a, b;
};
constant struct pair pairs[2] = {{1, 2}, {3, 4}};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = pairs[i % 2];
    out[i] = p.a * 10 + pairs[i % 2].b;
}
//---- constant_initialisers
//: global 1
//: arg out=i32[4]
//: expect out = {12, 8, 1, 65}
enum { three = 3 };
constant int a = three * 4, b = 1 << 3, c = 5 > 2, d = 'A';
kernel void k(global int* out) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}
//---- missing_elements_are_zero
//: global 1
//: arg out=i32[4]
//: expect out = {5, 0, 0, 0}
constant int list[4] = {5};
kernel void k(global int* out) {
    for (int j = 0; j < 4; j++) out[j] = list[j];
}
//---- inside_a_kernel
//: global 3
//: arg out=i32[3]
//: expect out = {3, 1, 2}
kernel void k(global int* out) {
    constant int order[3] = {3, 1, 2};
    out[get_global_id(0)] = order[get_global_id(0)];
}
//---- hidden_by_a_local_name
//: global 1
//: arg out=i32[2]
//: expect out = {4, 9}
constant int n = 9;
int global_n(void) { return n; }
kernel void k(global int* out) {
    int n = 4;
    out[0] = n;
    out[1] = global_n();
}
//---- crc_of_bytes
//: global 4
//: arg in=u8[4]:iota
//: arg out=u32[4]
//: expect out = {0xd202ef8d, 0xa505df1b, 0x3c0c8ea1, 0x4b0bbe37}
constant uint nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                             0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                             0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
kernel void k(global const uchar* in, global uint* out) {
    int i = get_global_id(0);
    uint crc = 0xffffffff;
    crc ^= in[i];
    crc = crc >> 4 ^ nibbles[crc & 15];
    crc = crc >> 4 ^ nibbles[crc & 15];
    out[i] = ~crc;
}
//---- arithmetic_of_vectors_in_initializers
//: global 1
//: arg out=i64[16]
//: expect out = {0, 9, 0, 253, -6, 5, -1, 0, -6, 13, 1, 80, 4, 16, -1, 4}
//: not host: vectors
constant float4 scaled = (float4)(1, 2, 3, 4) * 2.0f;
constant float4 sums[2] = {(float4)(1), -(float4)(1) + (float4)(2, 3, 4, 5)};
constant int4 shifted = (int4)(1, 2, 3, 4) << 2;
constant int4 equal = (int4)(1, 2, 3, 4) == (int4)(1, 3, 3, 5);
constant float chosen = 1e3f > 2 ? 4 : 5;
constant int4 mixed = (int4)(1, 2, 3, 4) * 3 - (int4)7 / 2;
constant uchar4 wraps = (uchar4)(250) + (uchar4)(3, 6, 9, 12);
constant short2 inverse = ~(short2)(5, -6);
constant int2 less = (float2)(1, 2) < (float2)(2, 1);
constant long from_float = (int)2.7f * -3;
constant int bits = (int)3.9f << 2 | 1, holds = 1.5f < 2.5f;
kernel void k(global long* out) {
    out[0] = mixed.x;
    out[1] = mixed.w;
    out[2] = wraps.y;
    out[3] = wraps.x;
    out[4] = inverse.x;
    out[5] = inverse.y;
    out[6] = less.x;
    out[7] = less.y;
    out[8] = from_float;
    out[9] = bits;
    out[10] = holds;
    out[11] = scaled.w * 10;
    out[12] = sums[1].w;
    out[13] = shifted.w;
    out[14] = equal.x;
    out[15] = chosen;
}
//---- tables_of_pointers
//: not host: a designated address of the object itself
//: global 4
//: arg out=i32[8]
//: expect out = {1, 0, 3, 30, 5, 0, 4, 11}
constant int small[] = {1, 2, 3}, large[] = {10, 20, 30, 5};
constant int* constant tables[] = {small, large + 1, &small[2], &large[3]};
struct row { int n; constant int* data; constant struct row* next; };
constant struct row rows[] = {{3, small, &rows[1]}, {4, large, 0}};
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 0) out[0] = tables[0][0];
    if (i == 1) out[1] = rows[1].next != 0;
    if (i == 1) out[2] = rows[0].data[2];
    if (i == 1) out[3] = tables[1][1];
    if (i == 2) out[4] = *tables[i + 1];
    if (i == 2) out[5] = rows[1].next == 0 ? 0 : 9;
    struct row r = *rows[0].next;
    if (i == 3) out[6] = r.n;
    if (i == 3) out[7] = r.data[0] + small[0];
}
//---- pointers_to_pointers_in_tables
//: global 3
//: arg out=u8[9]
//: expect out = {111, 110, 101, 116, 119, 111, 119, 111, 0}
constant char* constant names[] = {"one", "two"};
constant char* constant* constant all = names;
constant char* constant tail = "two" + 1;
kernel void k(global uchar* out) {
    int i = get_global_id(0);
    constant char* text = i < 2 ? all[i] : tail;
    for (int j = 0; j < 3; j++) out[3 * i + j] = text[j];
}
