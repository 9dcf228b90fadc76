// Built-in functions on integers.
//---- abs_is_unsigned
//: global 9
//: arg out=u32[9]
//: expect out = i == 0 ? 2147483648 : abs(i - 4)
kernel void k(global uint* out) {
    int i = get_global_id(0);
    out[i] = abs(i == 0 ? INT_MIN : i - 4);
}
//---- min_and_max
//: global 20
//: arg out=i32[20]
//: expect out = min(i, 10) * 100 + max(i, 7)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = min(i, 10) * 100 + max(i, 7);
}
//---- unsigned_min_and_max
//: global 1
//: arg out=u32[2]
//: expect out = {1, 4294967295}
kernel void k(global uint* out) {
    uint a = -1, b = 1;
    out[0] = min(a, b);
    out[1] = max(a, b);
}
//---- narrow_min
//: global 1
//: arg out=i32[2]
//: expect out = {-100, 200}
kernel void k(global int* out) {
    char a = -100, b = 50;
    uchar c = 200, d = 100;
    out[0] = min(a, b);
    out[1] = max(c, d);
}
//---- clamp
//: global 20
//: arg out=i32[20]
//: expect out = i - 10 < -3 ? -3 : i - 10 > 4 ? 4 : i - 10
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = clamp(i - 10, -3, 4);
}
//---- clamp_of_longs
//: global 3
//: arg out=i64[3]
//: expect out = {-5000000000, 0, 5000000000}
kernel void k(global long* out) {
    long i = get_global_id(0);
    out[i] = clamp((i - 1) * 90000000000L, -5000000000L, 5000000000L);
}
//---- leading_zeros
//: global 33
//: arg out=u32[33]
//: expect out = 32 - i
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    out[i] = clz(i == 0 ? 0u : 1u << (i - 1));
}
//---- leading_zeros_by_width
//: global 1
//: arg out=i32[6]
//: expect out = {7, 8, 15, 16, 63, 64}
kernel void k(global int* out) {
    uchar a = 1, b = 0;
    short c = 1, d = 0;
    ulong e = 1, f = 0;
    out[0] = clz(a);
    out[1] = clz(b);
    out[2] = clz(c);
    out[3] = clz(d);
    out[4] = clz(e);
    out[5] = clz(f);
}
//---- population_count
//: global 100
//: arg in=u32[100]:rand(1)
//: arg out=u32[100]
//: expect out = popcount(in[i])
kernel void k(global const uint* in, global uint* out) {
    int i = get_global_id(0);
    out[i] = popcount(in[i]);
}
//---- population_count_of_narrow_negative
//: global 1
//: arg out=i32[2]
//: expect out = {8, 63}
kernel void k(global int* out) {
    char c = -1;
    out[0] = popcount(c);
    out[1] = popcount(LONG_MAX);
}
//---- multiply_24_bits
//: global 16
//: arg out=i32[16]
//: expect out = (i * 500 - 4000) * (i + 1000) + 7
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = mad24(i * 500 - 4000, i + 1000, 7) + mul24(i, 0);
}
//---- rotate
//: global 64
//: arg out=u32[64]
//: expect out = i % 32 == 0 ? 0x80000003 : u32(0x80000003 << i % 32 | 0x80000003 >> 32 - i % 32)
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    out[i] = rotate(0x80000003u, i);
}
//---- rotate_of_narrow_and_wide
//: global 1
//: arg out=u64[4]
//: expect out = {3, 0x8001, 0x8000000000000001 >> 0, 1}
kernel void k(global ulong* out) {
    uchar a = 129;
    ushort b = 3;
    out[0] = rotate(a, (uchar)1);
    out[1] = rotate(b, (ushort)15);
    out[2] = rotate(3UL, 63UL);
    out[3] = rotate(1UL, 64UL);
}
//---- rotate_by_negative_count
//: global 8
//: arg out=u32[8]
//: expect out = i == 0 ? 1 : 1 << 32 - i
kernel void k(global uint* out) {
    int i = get_global_id(0);
    out[i] = rotate(1, -i);
}
//---- mixed_signs_meet_as_in_arithmetic
//: global 1
//: arg out=i64[2]
//: not opencl: ambiguous there
//: expect out = {2, 4294967295}
kernel void k(global long* out) {
    int a = -1;
    uint b = 2;
    out[0] = min(a, b);
    out[1] = max(a, b);
}
//---- leading_zeros_at_every_height
//: global 64
//: arg below=i32[64]
//: arg at=i32[64]
//: arg ones=i32[64]
//: arg longs=i32[64]
//: arg mixed=i32[64]
//: expect below = 32 - i % 32
//: expect at = 31 - i % 32
//: expect ones = i % 32
//: expect longs = 63 - i
//: expect mixed = i % 31
kernel void k(global int* below, global int* at, global int* ones, global int* longs, global int* mixed) {
    int i = get_global_id(0);
    uint h = i % 32;
    below[i] = clz((1u << h) - 1);
    at[i] = clz(1u << h);
    ones[i] = clz(~0u >> h);
    longs[i] = clz((1ul << i) + (1ul << i >> 1));
    mixed[i] = clz((0x80000001u | (uint)i * 2654435761u) >> (i % 31));
}
//---- set_bits_of_words_and_longs
//: global 64
//: arg words=i32[64]
//: arg longs=i32[64]
//: arg mixed=i32[64]
//: expect words = i % 33
//: expect longs = i + 1
//: expect mixed = popcount(u32(i * 2654435761)) + popcount(u32(i * 40503))
kernel void k(global int* words, global int* longs, global int* mixed) {
    int i = get_global_id(0);
    words[i] = popcount(i % 33 == 32 ? ~0u : (1u << i % 33) - 1);
    longs[i] = popcount(~0ul >> (63 - i));
    ulong both = (ulong)((uint)i * 2654435761u) << 32 | (uint)i * 40503u;
    mixed[i] = popcount(both);
}
