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
