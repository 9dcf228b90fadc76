// Structures and vectors in arrays: members of neighbouring work-items lie in steps.
//---- four_floats
//: not host: vectors
//: global 41
//: arg in=f32[164]:iota
//: arg out=f32[164]:fill(1)
//: expect out = in[i] * 3 + 1
kernel void k(global const float4* in, global float4* out) {
    int i = get_global_id(0);
    out[i] = in[i] * 3.0f + out[i];
}
//---- two_and_three
//: not host: vectors
//: global 37
//: arg in=i32[74]:iota
//: arg out=i32[148]:fill(9)
//: expect out = i % 4 == 3 ? 9 : in[i / 4 * 2 + i % 2] + i % 4
kernel void k(global const int2* in, global int3* out) {
    int i = get_global_id(0);
    int2 v = in[i];
    out[i].x = v.x;
    out[i].y = v.y + 1;
    out[i].z = v.x + 2;
}
//---- only_for_some
//: not host: vectors
//: global 50
//: arg in=i32[200]:iota
//: arg out=i32[200]:fill(-1)
//: expect out = i / 4 % 3 == 1 ? in[i] + in[i / 4 * 4 + 3 - i % 4] : -1
kernel void k(global const int4* in, global int4* out) {
    int i = get_global_id(0);
    if (i % 3 == 1) out[i] = in[i] + in[i].wzyx;
}
//---- doubles
//: not host: vectors
//: global 21
//: arg a=f64[42]:iota
//: arg b=f64[84]:iota
//: expect a = i * 0.5
//: expect b = i + i / 4 % 2
kernel void k(global double2* a, global double4* b) {
    int i = get_global_id(0);
    a[i] *= 0.5;
    b[i] = b[i] + (double)(i % 2);
}
//---- longs_one_of_two
//: not host: vectors
//: global 19
//: arg a=i64[38]:iota
//: arg b=i64[38]:fill(5)
//: expect b = i % 2 == 1 ? a[i] - a[i - 1] + i : 5
kernel void k(global const long2* a, global long2* b) {
    int i = get_global_id(0);
    b[i].y = a[i].y - a[i].x + 2 * i + 1;
}
//---- colours
//: not host: vectors
//: global 45
//: arg in=u8[180]:iota
//: arg out=u8[180]
//: expect out = 255 - in[i / 4 * 4 + (i % 4 + 1) % 4]
kernel void k(global const uchar4* in, global uchar4* out) {
    int i = get_global_id(0);
    out[i] = (uchar4)(255) - in[i].yzwx;
}
//---- small_integers
//: not host: vectors
//: global 33
//: arg a=i16[132]:iota
//: arg b=i8[264]:fill(3)
//: arg c=i16[66]:iota
//: expect a = -i * 2
//: expect b = i % 8 >= 4 ? i % 8 - i / 8 : 3
//: expect c = i / 2 * 2 + 1 - i % 2
kernel void k(global short4* a, global char8* b, global short2* c) {
    int i = get_global_id(0);
    a[i] = -a[i] - a[i];
    b[i].hi = (char4)(4, 5, 6, 7) - (char4)((char)i);
    c[i] = c[i].yx;
}
//---- structures
//: not host: structs
//: global 43
//: arg in=f32[129]:iota
//: arg out=i32[215]:fill(7)
//: expect out = i % 5 == 0 ? i / 5 * 3 : i % 5 == 1 ? 2 * (i / 5 * 3 + 1) : i % 5 == 2 ? 3 * (i / 5 * 3 + 2) : i % 5 == 3 ? 7 : i / 5
struct three { float x, y, z; };
struct five { int a, b, c, d, e; };
kernel void k(global const struct three* in, global struct five* out) {
    int i = get_global_id(0);
    struct three t = in[i];
    out[i].e = i;
    out[i].c = (int)(t.z * 3);
    out[i].b = (int)(t.y * 2);
    out[i].a = (int)t.x;
}
//---- mixed_members
//: not host: structs
//: global 27
//: arg p=u8[432]:iota
//: expect p[0:4] = {1, 1, 3, 2}
//: expect p[4:8] = 4 * i
//: expect p[8:16] = i
//: expect p[16:432] = 77
struct mixed {
    uchar a, b;
    ushort c;
    uint d;
    ulong e;
};
kernel void k(global struct mixed* p) {
    int i = get_global_id(0);
    p[i].a++;
    if (i) {
        p[i].a = p[i].b = 77;
        p[i].c = 77 * 257;
        p[i].d = 77 * 0x01010101;
        p[i].e = 77 * 0x0101010101010101ul;
        return;
    }
    p[i].c -= 0xff;
    p[i].d = 4 * p[i].d;
}
//---- one_buffer_read_and_written
//: not host: vectors
//: global 30
//: arg p=i32[120]:iota
//: expect p = i % 4 == 0 ? i + 1 : i % 4 == 1 ? i + 3 : i % 4 == 2 ? 2 * i + 1 : i
kernel void k(global int4* p) {
    int i = get_global_id(0);
    p[i].x = p[i].y;
    p[i].y = p[i].x + p[i].z - p[i].x + 1;
    p[i].y += 1;
    p[i].z = p[i].w + p[i].z;
}
//---- in_a_loop
//: not host: vectors
//: global 20
//: arg in=f32[960]:iota
//: arg out=f32[80]
//: expect out = 12 * in[i] + 80 * 66
kernel void k(global const float4* in, global float4* out) {
    int i = get_global_id(0), n = get_global_size(0);
    float4 sum = 0;
    for (int j = 0; j < 12; j++) sum += in[j * n + i];
    out[i] = sum;
}
//---- every_round_fewer
//: not host: vectors
//: global 24
//: arg in=i32[96]:iota
//: arg out=i32[96]
//: expect out = in[i] * (i / 4 % 7)
kernel void k(global const int4* in, global int4* out) {
    int i = get_global_id(0);
    int4 sum = 0;
    for (int j = 0; j < i % 7; j++) sum += in[i];
    out[i] = sum;
}
//---- complex_numbers_of_a_group
//: not host: barriers
//: global 32
//: local 16
//: arg in=f32[64]:iota
//: arg out=f32[64]
//: expect out = i % 2 ? -in[i / 32 * 32 + 31 - i % 32 + 1] : in[i / 32 * 32 + 31 - i % 32 - 1]
kernel void k(global const float2* in, global float2* out) {
    local float2 here[16];
    int l = get_local_id(0), i = get_global_id(0);
    here[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 v = here[15 - l];
    out[i] = (float2)(v.x, -v.y);
}
