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
//---- three_bytes
// Pixels of three bytes: the wave's lanes are all active in the first groups only.
//: global 150
//: arg in=u8[450]:iota
//: arg out=u8[450]
//: expect out = (in[i / 3 * 3 + 2 - i % 3] + i % 3) & 255
kernel void k(global const uchar* in, global uchar* out) {
    int i = get_global_id(0) * 3;
    uchar r = in[i], g = in[i + 1], b = in[i + 2];
    out[i] = b;
    out[i + 1] = g + 1;
    out[i + 2] = r + 2;
}
//---- every_other_byte
//: global 131
//: arg in=u8[263]:iota
//: arg out=i32[131]
//: expect out = in[2 * i + 1] * 3 - in[2 * i]
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[2 * i + 1] * 3 - in[2 * i];
}
//---- the_third_of_four
// What follows the last one is not read.
//: global 128
//: arg in=u8[511]:iota
//: arg out=i32[128]
//: expect out = in[4 * i + 2]
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[4 * i + 2];
}
//---- three_shorts
//: global 137
//: arg in=i16[411]:iota
//: arg out=i16[411]
//: expect out = (in[i / 3 * 3 + (i + 1) % 3] - 300) * 2
kernel void k(global const short* in, global short* out) {
    int i = get_global_id(0) * 3;
    int x = in[i] - 300, y = in[i + 1] - 300, z = in[i + 2] - 300;
    out[i] = y * 2;
    out[i + 1] = z * 2;
    out[i + 2] = x * 2;
}
//---- five_and_seven_bytes
//: global 140
//: arg in=u8[980]:iota
//: arg out=u8[700]
//: expect out = in[i / 5 * 7 + i % 5] ^ in[i / 5 * 7 + 6]
kernel void k(global const uchar* in, global uchar* out) {
    int i = get_global_id(0);
    uchar last = in[7 * i + 6];
    out[5 * i] = in[7 * i] ^ last;
    out[5 * i + 1] = in[7 * i + 1] ^ last;
    out[5 * i + 2] = in[7 * i + 2] ^ last;
    out[5 * i + 3] = in[7 * i + 3] ^ last;
    out[5 * i + 4] = in[7 * i + 4] ^ last;
}
//---- two_of_three_bytes
// The third one stays as it is.
//: global 130
//: arg in=i32[130]:iota
//: arg out=u8[390]:fill(7)
//: expect out = i % 3 == 2 ? 7 : in[i / 3] + i % 3
kernel void k(global const int* in, global uchar* out) {
    int i = get_global_id(0);
    out[3 * i] = in[i];
    out[3 * i + 1] = in[i] + 1;
}
//---- bytes_for_some
//: global 128
//: arg in=u8[384]:iota
//: arg out=u8[384]:fill(3)
//: expect out = i / 3 % 5 == 1 ? 3 : (in[i] + 1) & 255
kernel void k(global const uchar* in, global uchar* out) {
    int i = get_global_id(0);
    if (i % 5 != 1) {
        uchar a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
        out[3 * i] = a + 1;
        out[3 * i + 1] = b + 1;
        out[3 * i + 2] = c + 1;
    }
}
//---- bytes_in_local_memory
//: not host: barriers
//: global 128
//: local 64
//: arg in=u8[384]:iota
//: arg out=u8[384]
//: expect out = in[i / 192 * 192 + (i / 3 % 64 ^ 5) * 3 + i % 3]
kernel void k(global const uchar* in, global uchar* out) {
    local uchar shared[3 * 64 + 1];
    int i = get_global_id(0) * 3, l = get_local_id(0) * 3 + 1, o = (get_local_id(0) ^ 5) * 3 + 1;
    shared[l] = in[i];
    shared[l + 1] = in[i + 1];
    shared[l + 2] = in[i + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[o];
    out[i + 1] = shared[o + 1];
    out[i + 2] = shared[o + 2];
}
//---- signed_bytes_and_shorts
//: global 150
//: arg a=i8[150]:fill(-5)
//: arg b=i16[150]:fill(-300)
//: arg out=i32[150]
//: expect out = i - 315
kernel void k(global const char* a, global const short* b, global int* out) {
    int i = get_global_id(0);
    out[i] = a[i] * 3 + b[i] + i;
}
//---- clamped
//: global 150
//: arg in=i32[150]:iota
//: arg out=i32[450]
//: expect out = i % 3 == 0 ? (i / 3 * 7 - 300 > 255 ? 255 : i / 3 * 7 - 300 < 0 ? 0 : i / 3 * 7 - 300) : i % 3 == 1 ? (i / 3 < 20 ? 20 : i / 3 > 90 ? 90 : i / 3) : (i / 3 > 50 ? 50 : i / 3 < 60 ? 60 : i / 3)
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), v = in[i] * 7 - 300;
    uint u = in[i];
    out[3 * i] = v > 255 ? 255 : v < 0 ? 0 : v;
    out[3 * i + 1] = u < 20 ? 20 : u > 90 ? 90 : u;
    out[3 * i + 2] = u > 50 ? 50 : u < 60 ? 60 : u;  // the limits are in no order
}
//---- stores_between_loads
// The loads are of other bytes than the stores before them.
//: global 150
//: arg in=u8[450]:iota
//: arg out=u8[450]
//: expect out = in[i] ^ 21
kernel void k(global const uchar* restrict in, global uchar* restrict out) {
    int i = get_global_id(0) * 3;
    out[i] = in[i] ^ 21;
    out[i + 1] = in[i + 1] ^ 21;
    out[i + 2] = in[i + 2] ^ 21;
}
//---- loads_of_what_was_stored
//: global 150
//: arg p=u8[450]:iota
//: expect p = (i - i % 3) + (i % 3 == 2 ? 2 : i % 3 == 1 ? 4 : 3) & 255
kernel void k(global uchar* p) {
    int i = get_global_id(0) * 3;
    uchar first = p[i];
    p[i] = first + 3;
    p[i + 1] = p[i] + 1;
    p[i + 2] = first + 2;
}
//---- a_load_behind_a_store_of_its_bytes
//: not host: C++ leaves it open
// The second load is beside the first one, but it must not move to it above the store.
//: global 150
//: arg p=i32[300]:iota
//: arg q=u8[600]:fill(9)
//: arg out=i32[300]
//: expect p = i % 2 ? 1065353216 : i
//: expect out = i % 2 ? 9 + 18 : (i ^ 1065353216)
//: expect q = i % 4 < 2 ? 9 : i % 4 == 2 ? 52 : 18
typedef struct { int x, y; } P;
kernel void k(global P* p, global uchar* q, global int* out) {
    size_t i = get_global_id(0);
    int a = p[i].x;
    *(global float*)&p[i].y = 1.0f;
    out[2 * i] = a ^ p[i].y;
    uchar c = q[4 * i];
    *(global ushort*)(q + 4 * i + 2) = 0x1234;
    out[2 * i + 1] = c + q[4 * i + 3];
}
//---- parts_of_pixels
//: global 128
//: arg in=u8[640]:rand(3)
//: arg out=u8[520]
//: arg two=i16[390]
//: arg one=u8[1030]
//: arg wide=u8[520]
//: expect out[0:512] = i % 4 == 3 ? 0 : u8(in[i / 4 * 4 + (i + 1) % 4] + i % 4)
//: expect two[0:384] = i % 3 == 1 ? 0 : i16(in[i / 3] * 100 - i % 3)
//: expect one[0:1024] = i % 8 == 5 ? in[i / 8 + 3] : 0
//: expect wide[0:512] = i / 4 % 3 != 0 && i % 4 < 2 ? in[i / 4] : 0
// Stores that leave bytes between them as they are.
kernel void k(global const uchar* in, global uchar* out, global short* two, global uchar* one, global uchar* wide) {
    int i = get_global_id(0);
    out[4 * i] = in[4 * i + 1];
    out[4 * i + 1] = in[4 * i + 2] + 1;
    out[4 * i + 2] = in[4 * i + 3] + 2;
    two[3 * i] = in[i] * 100;
    two[3 * i + 2] = in[i] * 100 - 2;
    one[8 * i + 5] = in[i + 3];
    if (i % 3) {
        wide[4 * i] = in[i];
        wide[4 * i + 1] = in[i];
    }
}
//---- two_and_three_bytes_anywhere
//: not host: fences
//: global 4097
//: arg in=u8[12291]:rand(5)
//: arg out=u32[4097]
//: arg pairs=u32[4097]
//: expect out = in[(i * 1361 % 4097) * 3] * 65536 + in[(i * 1361 % 4097) * 3 + 1] * 256 + in[(i * 1361 % 4097) * 3 + 2]
//: expect pairs = in[(i * 1361 % 4097) * 3 + 1] * 256 + in[(i * 1361 % 4097) * 3 + 2]
kernel void k(global const uchar* in, global uint* out, global uint* pairs) {
    int i = get_global_id(0), at = i * 1361 % 4097;
    out[i] = in[at * 3] * 65536 + in[at * 3 + 1] * 256 + in[at * 3 + 2];
    global const uchar* p = in + at * 3 + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    pairs[i] = p[0] * 256 + p[1];
}
//---- colours_without_the_last_component
//: not host: vectors
//: global 1024
//: local 64
//: arg in=u8[4096]:rand(7)
//: arg out=u32[1024]
//: expect out = in[i * 357 % 1024 * 4] * 4 + in[i * 357 % 1024 * 4 + 1] * 2 + in[i * 357 % 1024 * 4 + 2]
kernel void k(global const uchar4* in, global uint* out) {
    int i = get_global_id(0);
    uchar4 c = in[i * 357 % 1024];
    out[i] = c.x * 4 + c.y * 2 + c.z;
}
//---- three_bytes_anywhere_in_local_memory
//: not host: barriers
//: global 128
//: local 64
//: arg in=u8[192]:rand(9)
//: arg out=u32[128]
//: expect out = i % 3 ? in[i * 29 % 64 * 3] * 65536 + in[i * 29 % 64 * 3 + 1] * 256 + in[i * 29 % 64 * 3 + 2] : 0
kernel void k(global const uchar* in, global uint* out) {
    local uchar t[192];
    int i = get_global_id(0), l = get_local_id(0);
    for (int j = l; j < 192; j += 64) t[j] = in[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = i * 29 % 64 * 3;
    out[i] = i % 3 ? t[at] * 65536 + t[at + 1] * 256 + t[at + 2] : 0;
}
