//---- pairs_at_an_index
//: not host: vectors
//: global 70
//: arg p=f32[64]:iota
//: arg out=f32[70]
//: expect out = (i * 7 + 3) % 32 * 202 + 1.0f
kernel void k(global const float2* p, global float* out) {
    int i = get_global_id(0);
    float2 v = p[(i * 7 + 3) % 32];
    out[i] = v.x * 100.0f + v.y;
}
//---- four_words_of_some_lanes
//: not host: vectors
//: global 70
//: arg p=i32[80]:iota
//: arg out=i32[70]:fill(-1)
//: expect out = i % 3 == 1 ? -1 : (i * 11 + 5) % 20 * 4 * 1111 + 123
kernel void k(global const int4* p, global int* out) {
    int i = get_global_id(0);
    if (i % 3 == 1) return;
    int4 v = p[(i * 11 + 5) % 20];
    out[i] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;
}
//---- three_words_up_to_the_end_of_the_buffer
//: global 33
//: arg p=i32[99]:iota
//: arg out=i32[33]
//: expect out = (32 - i * 5 % 33) * 3 * 111 + 12
typedef struct { int a, b, c; } T;
kernel void k(global const T* p, global int* out) {
    int i = get_global_id(0);
    T v = p[32 - i * 5 % 33];
    out[i] = v.a * 100 + v.b * 10 + v.c;
}
//---- first_and_third_of_three_words
//: global 33
//: arg p=i32[99]:iota
//: arg out=i32[33]
//: expect out = (32 - i * 5 % 33) * 3 * 101 + 2
typedef struct { int a, b, c; } T;
kernel void k(global const T* p, global int* out) {
    int i = get_global_id(0);
    T v = p[32 - i * 5 % 33];
    out[i] = v.a * 100 + v.c;
}
//---- members_of_several_types
//: not host: vectors
//: global 40
//: arg p=i32[160]:iota
//: arg out=i32[40]
//: expect out = (i * 13 + 1) % 40 * 8 + 3
typedef struct { int a; float f; uint c; float g; } T;
kernel void k(global const T* p, global int* out) {
    int i = get_global_id(0);
    T v = p[(i * 13 + 1) % 40];
    out[i] = v.a + as_int(v.g);
}
//---- words_of_a_long_structure
//: global 40
//: arg p=i32[360]:iota
//: arg out=i32[40]
//: expect out = (i * 17 + 2) % 40 * 9 * 12 + 3 * 1 + 4 * 2 + 8 * 3 + 7 * 5
typedef struct { int v[9]; } T;
kernel void k(global const T* p, global int* out) {
    int i = get_global_id(0), at = (i * 17 + 2) % 40;
    out[i] = p[at].v[0] + p[at].v[3] + 2 * p[at].v[4] + 3 * p[at].v[8] + 5 * p[at].v[7];
}
//---- pairs_of_doubles
//: not host: vectors
//: global 37
//: arg p=f64[74]:iota
//: arg out=f64[37]
//: expect out = (i * 10 + 9) % 37 * 6 + 1.0
kernel void k(global const double2* p, global double* out) {
    int i = get_global_id(0);
    double2 v = p[(i * 10 + 9) % 37];
    out[i] = v.x * 2 + v.y;
}
//---- neighbours_on_both_sides
//: global 50
//: arg p=i32[52]:iota
//: arg out=i32[50]
//: expect out = ((i * 9 + 4) % 50) * 10000 + ((i * 9 + 4) % 50 + 1) * 100 + (i * 9 + 4) % 50 + 2
kernel void k(global const int* p, global int* out) {
    int i = get_global_id(0), at = (i * 9 + 4) % 50 + 1;
    int middle = p[at], right = p[at + 1], left = p[at - 1];
    out[i] = left * 10000 + middle * 100 + right;
}
//---- a_store_between_two_members
//: global 30
//: arg p=i32[60]:iota
//: arg out=i32[30]
//: expect p = i % 2 ? -(i / 2) : i
//: expect out = (i * 7 + 2) % 30 * 2 - (i * 7 + 2) % 30 * 1000
kernel void k(global int* p, global int* out) {
    int i = get_global_id(0), at = (i * 7 + 2) % 30;
    int first = p[2 * at];
    p[2 * at + 1] = -at;
    out[i] = first + 1000 * p[2 * at + 1];
}
//---- members_in_local_memory
//: not host: barriers
//: global 64
//: local 32
//: arg out=i32[64]
//: expect out = (i % 32 * 5 + 7) % 32 * 1111 + i / 32 * 32 * 1111
kernel void k(global int* out) {
    local int4 shared[32];
    int l = get_local_id(0), i = get_global_id(0);
    shared[l] = (int4)(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = shared[(l * 5 + 7) % 32];
    out[i] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;
}
//---- members_of_a_chain
//: not host: vectors
//: global 20
//: arg next=i32[80]:iota
//: arg out=i32[20]
//: expect out = i / 4 * 4 + 16 * (i / 4) + 6
kernel void k(global const int4* next, global int* out) {
    int i = get_global_id(0), at = i / 4, sum = at * 4;
    for (int k = 0; k < i % 4; k++) {
        int4 v = next[at];
        at = v.w > 200 ? v.x : at;
    }
    int4 v = next[at];
    out[i] = sum + v.x + v.y + v.z + v.w;
}
//---- bytes_of_some_lanes
// Sixteen bytes of a lane are four words.
//: not host: vectors
//: global 70
//: arg p=u8[400]:iota
//: arg out=i32[70]:fill(-1)
//: expect out = i % 3 == 1 ? -1 : (i * 11 + 5) % 24 * 16 % 256 + ((i * 11 + 5) % 24 * 16 + 7) % 256 * 100 + ((i * 11 + 5) % 24 * 16 + 15) % 256 * 100000
kernel void k(global const uchar* p, global int* out) {
    int i = get_global_id(0);
    if (i % 3 == 1) return;
    uchar16 v = vload16((i * 11 + 5) % 24, p);
    out[i] = v.s0 + v.s7 * 100 + v.sf * 100000;
}
//---- words_of_bytes
// In both orders, from places of any alignment.
//: global 70
//: arg p=u8[300]:iota
//: arg at=i32[70]:iota
//: arg out=u32[140]
//: expect out = i % 2 == 0 ? (i / 2 * 3 % 256) + ((i / 2 * 3 + 1) % 256) * 256 + ((i / 2 * 3 + 2) % 256) * 65536 + ((i / 2 * 3 + 3) % 256) * 16777216 : (i / 2 * 3 + 3) % 256 + ((i / 2 * 3 + 2) % 256) * 256 + ((i / 2 * 3 + 1) % 256) * 65536 + (i / 2 * 3 % 256) * 16777216
kernel void k(global const uchar* p, global const int* at, global uint* out) {
    int i = get_global_id(0);
    global const uchar* q = p + at[i] * 3;
    out[2 * i] = q[0] | q[1] << 8 | q[2] << 16 | (uint)q[3] << 24;
    out[2 * i + 1] = (uint)q[0] << 24 | q[1] << 16 | q[2] << 8 | q[3];
}
//---- halves_of_words_of_bytes
//: global 70
//: arg p=u8[300]:iota
//: arg at=i32[70]:iota
//: arg out=u32[70]
//: expect out = (i * 4 + 2) % 256 * 256 + (i * 4 + 1) % 256 + (i * 4 + 3) % 256 * 16777216
kernel void k(global const uchar* p, global const int* at, global uint* out) {
    int i = get_global_id(0);
    global const uchar* q = p + at[i] * 4;
    out[i] = (q[1] | q[2] << 8 | (uint)q[3] << 24) + (q[0] & 0);
}
//---- bytes_up_to_the_end_of_the_buffer
// Six bytes of a lane: a word, and another one that ends with them.
//: global 70
//: arg p=u8[426]:iota
//: arg at=i32[70]:iota
//: arg out=i32[70]
//: expect out = (i * 6 + 6) % 256 + (i * 6 + 7) % 256 * 3 + (i * 6 + 8) % 256 * 5 + (i * 6 + 9) % 256 * 7 + (i * 6 + 10) % 256 * 11 + (i * 6 + 11) % 256 * 13
kernel void k(global const uchar* p, global const int* at, global int* out) {
    int i = get_global_id(0);
    global const uchar* q = p + (at[i] + 1) * 6;
    out[i] = q[0] + q[1] * 3 + q[2] * 5 + q[3] * 7 + q[4] * 11 + q[5] * 13;
}
//---- rows_of_shorts
// Lanes are a constant, long stride apart.
//: not host: vectors
//: global 70
//: arg in=i16[1400]:iota
//: arg out=i16[1400]
//: expect out = i % 20 < 16 ? in[i] * 3 : 0
kernel void k(global const short* in, global short* out) {
    int i = get_global_id(0);
    vstore16(vload16(0, in + i * 20) * (short16)(3), 0, out + i * 20);
}
//---- rows_of_longs_of_some_lanes
//: not host: vectors
//: global 70
//: arg in=i64[700]:iota
//: arg out=i64[700]
//: expect out = i / 10 % 3 != 1 && i % 10 < 3 ? in[i] - 7 : 0
kernel void k(global const long* in, global long* out) {
    int i = get_global_id(0);
    if (i % 3 == 1) return;
    vstore3(vload3(0, in + i * 10) - (long3)(7), 0, out + i * 10);
}
//---- stores_apart
// Twelve bytes of some lanes, in another order of lanes.
//: not host: vectors
//: global 64
//: arg in=f32[192]:iota
//: arg out=f32[192]
//: expect out = i / 3 % 4 == 3 ? 0.0f : in[((63 - i / 3) * 37 % 64) * 3 + i % 3] + 0.5f
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0), to = 63 - i;
    if (to % 4 == 3) return;
    vstore3(vload3(i * 37 % 64, in) + 0.5f, to, out);
}
//---- bytes_stored_apart
//: not host: vectors
//: global 70
//: arg at=i32[70]:iota
//: arg out=u8[1120]
//: expect out = (i / 16 * 3 + i % 16) & 255
kernel void k(global const int* at, global uchar* out) {
    int i = get_global_id(0);
    uchar16 v = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    vstore16(v + (uchar16)(i * 3), at[i], out);
}
//---- stored_and_loaded_apart
// Each load is between stores of the same bytes.
//: global 70
//: arg at=i32[70]:iota
//: arg p=u8[560]:iota
//: arg out=i32[70]
//: expect out = 20 + i + 70 + i & 4095
//: expect p = i % 8 == 0 ? i / 8 + 10 : i % 8 == 1 ? i / 8 + 20 & 255 : i % 8 == 2 ? i / 8 + 70 & 255 : i % 8 == 3 ? 9 : i & 255
kernel void k(global const int* at, global uchar* p, global int* out) {
    int i = get_global_id(0);
    global uchar* q = p + at[i] * 8;
    q[0] = i + 10;
    q[1] = i + 20;
    q[2] = i + 30;
    q[3] = 9;
    int before = q[1];
    q[2] = i + 70;
    int after = q[2];
    out[i] = before + after & 4095;
}
//---- local_memory_apart
//: not host: barriers
//: global 64
//: local 32
//: arg out=i32[64]
//: expect out = (i % 32 * 7 % 32) * 100 + i / 32 * 10
kernel void k(global int* out) {
    local int here[32 * 10];
    int l = get_local_id(0), to = l * 9 % 32;
    for (int n = 0; n < 4; ++n) here[to * 10 + n] = to * 100 + get_group_id(0) * 10 - n;
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = l * 7 % 32;
    int sum = 0;
    for (int n = 0; n < 4; ++n) sum += here[from * 10 + n];
    out[get_global_id(0)] = (sum + 6) / 4;
}
//---- local_memory_of_some_lanes
// What inactive lanes store goes nowhere.
//: not host: barriers
//: global 64
//: local 32
//: arg out=i64[64]
//: expect out = i % 3 == 1 ? 0 : (i % 32) * 31 + i / 32
kernel void k(global long* out) {
    local int here[32 * 5];
    int l = get_local_id(0), g = get_group_id(0);
    for (int n = l; n < 160; n += 32) here[n] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int to = l * 7 % 32 * 5;
    if (get_global_id(0) % 3 != 1) here[to] = l * 10, here[to + 1] = l * 20, here[to + 2] = l, here[to + 3] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = here[to] + here[to + 1] + here[to + 2] + here[to + 3];
}
//---- three_bytes_and_a_further_one
// Nothing in front of the buffer is read.
//: global 32
//: arg p=u8[700]:iota
//: arg at=i32[32]:iota
//: arg out=i32[32]
//: expect out = (i * 21 % 256) + (i * 21 + 1) % 256 * 2 + (i * 21 + 2) % 256 * 3 + (i * 21 + 20) % 256 * 4
kernel void k(global const uchar* p, global const int* at, global int* out) {
    int i = get_global_id(0);
    global const uchar* q = p + at[i] * 21;
    out[i] = q[0] + q[1] * 2 + q[2] * 3 + q[20] * 4;
}
//---- far_and_near_offsets
// Some of the addresses have a constant stride; of the others it is not known.
//: global 16
//: arg p=i32[262500]:iota
//: arg c=0
//: arg out=i32[16]
//: expect out = i * 20 + 262139 + 11 * (i * 20 + 262144) + 2 + 2 * 3 + 3 * 5
kernel void k(global const int* p, int c, global int* out) {
    int i = get_global_id(0);
    global const int* q = (global const int*)((global const char*)p + (i * 80 + c));
    out[i] = q[262139] + q[262144] + q[262145] * 2 + q[262146] * 3 + q[262147] * 5;
}
//---- far_and_near_stores
//: global 16
//: arg p=i32[262500]
//: arg c=0
//: arg out=i32[16]
//: expect out = i
//: expect p = i < 262142 || i >= 262206 ? 0 : (i - 262142) % 4 ? (i - 262142) / 4 : 1
kernel void k(global int* p, int c, global int* out) {
    int i = get_global_id(0);
    global int* q = (global int*)((global char*)p + (i * 16 + c));
    q[262142] = 1, q[262143] = i, q[262144] = i, q[262145] = i;
    out[i] = q[262143];
}
