//---- components_at_scattered_places
//: not host: vectors
//: global 16
//: arg in=f32[64]:iota
//: arg out=f32[64]:zero
//: expect out = (i / 4 * 7 % 16 * 4 + i % 4) * 2 + i % 4
kernel void k(global const float4* in, global float4* out) {
    int i = get_global_id(0);
    out[i] = in[i * 7 & 15] * 2 + (float4)(0, 1, 2, 3);
}
//---- pairs_and_bytes
//: not host: vectors
//: global 8
//: arg in=u8[128]:iota
//: arg pairs=f32[16]:iota
//: arg out=u8[128]:zero
//: arg sums=f32[16]
//: expect out = ((i / 16 * 3 % 8 * 16 + i % 16) * 3 + 1) % 256
//: expect sums = (i / 2 * 5 % 8 * 2 + i % 2) + 10
kernel void k(global const uchar* in, global const float2* pairs, global uchar* out, global float2* sums) {
    int i = get_global_id(0);
    uchar16 x = vload16(i * 3 & 7, in);
    vstore16(x + x + x + (uchar)1, i, out);
    sums[i] = pairs[i * 5 & 7] + 10;
}
//---- one_plus_steps
//: not host: vectors
//: global 4
//: arg in=u16[4]:iota
//: arg out=u16[32]
//: expect out = (i / 8 * 2 + 65531 + i % 8) % 65536
kernel void k(global const ushort* in, global ushort* out) {
    int i = get_global_id(0);
    ushort x = in[i] * 2 + 65531;
    vstore8((ushort8)(x) + (ushort8)(0, 1, 2, 3, 4, 5, 6, 7), i, out);
}
//---- sums_of_a_loop
//: global 4
//: arg at=i32[4]:iota
//: arg in=f32[32]:iota
//: arg out=f32[32]
//: expect out = i / 8 == 0 ? 24 + 3 * (i % 8) : i / 8 == 1 ? 8 + 2 * (i % 8) : i / 8 == 2 ? i % 8 : 0
kernel void k(global const int* at, global const float* in, global float* out) {
    int i = get_global_id(0);
    float sum[8] = {0};
    for (int n = at[i]; n < 3; n++)
        for (int k = 0; k < 8; k++) sum[k] += in[(n - at[i]) * 8 + k];
    for (int k = 0; k < 8; k++) out[i * 8 + k] = sum[k];
}
//---- one_of_the_sums_is_used_twice
//: not host: vectors
//: global 4
//: arg in=i32[16]:iota
//: arg out=i32[20]
//: expect out = i < 16 ? i * i : ((i - 16) * 4 + 2) * ((i - 16) * 4 + 2) + 1
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    int4 x = vload4(i, in);
    x *= x;
    vstore4(x, i, out);
    out[16 + i] = x.z + 1;
}
//---- three_vectors_take_turns
// Each iteration passes them on in another order.
//: not host: vectors
//: global 1
//: arg a=i32[8]:iota
//: arg n=3
//: expect a[6] = 8
//: expect a[7] = 10
kernel void k(global int* a, int n) {
    int2 x = vload2(0, a), y = vload2(1, a), z = vload2(2, a), w = 0;
    for (int k = 0; k < n; k++) {
        w = x - y;
        x = z;
        z = z * 3;
        y = y + 1;
    }
    vstore2(w, 3, a);
}
//---- what_is_read_has_just_been_written
// Each sum needs the one before it, so that four of them are not one vector.
//: global 1
//: arg a=i32[9]:fill(1)
//: expect a = i + 1
kernel void k(global int* a) {
    for (int i = 0; i < 8; i++) a[i + 1] += a[i];
}
//---- two_pointers_to_one_buffer
//: global 2
//: arg a=i32[16]:iota
//: arg shift=1
//: expect a = {0, 10, 20, 30, 40, 5, 6, 7, 8, 18, 28, 38, 48, 13, 14, 15}
kernel void k(global int* a, int shift) {
    a += get_global_id(0) * 8;
    global int* to = a + shift;
    to[0] = a[0] + 10;
    to[1] = a[1] + 10;
    to[2] = a[2] + 10;
    to[3] = a[3] + 10;
}
//---- stores_with_a_load_between
// Of what has just been stored, by another name.
//: global 1
//: arg a=f32[8]:iota
//: arg b=f32[4]
//: arg shift=0
//: arg c=f32[1]
//: expect b = i + 1
//: expect c = 1
kernel void k(global const float* a, global float* b, int shift, global float* c) {
    global const float* same = b + shift;
    b[0] = a[1];
    b[1] = a[2];
    float seen = same[0];
    b[2] = a[3];
    b[3] = a[4];
    c[0] = seen;
}
//---- extended_bytes_are_indices_and_sums
//: global 8
//: arg at=u8[8]:iota
//: arg table=i32[256]:iota
//: arg out=i32[24]
//: expect out = i < 8 ? i % 8 * 36 : i < 16 ? (i % 8 * 36 + 128) % 256 : (i % 8 * 36 - 128) * 2
kernel void k(global uchar* at, global const int* table, global int* out) {
    int i = get_global_id(0);
    at[i] = at[i] * 36 - 128;
    char c = ((global char*)at)[i];
    out[i] = table[c + 128];
    out[8 + i] = table[(uchar)c];
    out[16 + i] = c + c;
    at[i] = i;
}
//---- indices_that_wrap
//: global 2
//: arg a=i32[8]:iota
//: arg by=2147483647
//: arg out=i32[4]
//: expect out = {3, 1, 4, 1}
kernel void k(global const int* a, int by, global int* out) {
    uint i = get_global_id(0);
    uint j = (uint)by * 2 + i + 5;  // 3 + i
    out[i * 2] = a[j];
    out[i * 2 + 1] = a[(uint)(j + 1) < j ? 0 : 1];
}
//---- updates_in_place
//: global 4
//: arg b=u8[4]:iota
//: arg s=u16[4]:iota
//: arg l=i64[4]:iota
//: expect b = (i + 255) % 256
//: expect s = (i + 65535) % 65536
//: expect l = i - 3
kernel void k(global uchar* b, global ushort* s, global long* l) {
    int i = get_global_id(0);
    uchar own[4];
    for (int k = 0; k < 4; k++) own[k] = k;
    own[i]--;
    b[i] = own[i];
    s[i] += 65535;
    l[i] -= 3;
}
//---- what_a_volatile_load_read
//: global 1
//: arg a=i32[2]:iota
//: expect a = {1, 0}
kernel void k(volatile global int* a) {
    int was = a[0];
    a[0] = was + 1;
    a[1] = was;
}
