// --check-bounds: an access outside the buffers ends its work-item, and what others wrote stays.
//---- one_past_the_end
//: global 40
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg in=i32[37]:iota
//: arg out=i32[40]
//: trap out_of_bounds at 37 count 3
//: expect out = i < 37 ? i : 7
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = 7;
    out[i] = in[i];  // trap here
}
//---- store_past_the_end_in_a_loop
//: global 20
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg out=i32[50]
//: arg n=4
//: trap out_of_bounds at 12 count 8
//: expect out = i + 1
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    for (int q = 0; q < n; q++) out[i * n + q] = i * n + q + 1;  // trap here
}
//---- negative_index
//: global 33
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[33]
//: trap out_of_bounds at 0 count 5
//: expect a = i < 28 ? i + 5 : 0
kernel void k(global int* a) {
    int i = get_global_id(0);
    a[i - 5] = i;  // trap here
}
//---- index_that_wraps
//: global 16
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i64[16]
//: arg far=2305843009213693952
//: trap out_of_bounds at 15 count 1
//: expect a = i == 0 ? 0 : i
kernel void k(global long* a, long far) {
    long i = get_global_id(0);
    // far * 8 is 2^64, so this is a[i + 1].
    a[i + far + 1] = i + 1;  // trap here
}
//---- pointer_that_walks
//: global 8
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg in=u8[64]:fill(1)
//: arg out=i32[8]
//: trap out_of_bounds at 5 count 3
//: expect out = i < 5 ? 12 : 0
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    global const uchar* p = in + i * 11;
    global const uchar* end = p + 12;
    if (i == 5) p += 1;
    while (p < end) sum += *p++;  // trap here
    out[i] = sum;
}
//---- bytes_at_the_edge
//: global 35
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i8[33]
//: arg b=i16[17]
//: trap out_of_bounds at 33 count 2
//: expect a = i
//: expect b = i < 16 ? 2 * i + 1 : 32
kernel void k(global char* a, global short* b) {
    int i = get_global_id(0);
    a[i] = i;  // trap here
    if (i % 2 == 1 || i == 32) b[i / 2] = i;
}
//---- wide_access_at_the_edge
//: global 4
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=u8[20]
//: arg out=i32[4]
//: trap out_of_bounds at 2 count 2
//: expect a = i % 8 == 0 && i < 16 ? 3 : 0
//: expect out = i < 2 ? 1 : 0
kernel void k(global uchar* a, global int* out) {
    int i = get_global_id(0);
    global long* p = (global long*)(a + 8 * i);
    *p = 3;  // trap here
    out[i] = 1;
}
//---- all_lanes_but_one
//: global 64
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[64]
//: trap out_of_bounds at 0 count 63
//: expect a = i == 63 ? 41 : 0
kernel void k(global int* a) {
    int i = get_global_id(0);
    a[i == 41 ? 63 : 64 + i] = i;  // trap here
}
//---- same_place_for_all
//: global 24
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[8]
//: arg out=i32[24]
//: arg n=8
//: trap out_of_bounds at 12 count 12
//: expect out = i < 12 ? 1 : 0
kernel void k(global const int* a, global int* out, int n) {
    int i = get_global_id(0);
    int v = 1;
    if (i >= 12) v = a[n];  // trap here
    out[i] = v;
}
//---- either_of_two_buffers
//: global 20
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[9]
//: arg b=i32[15]
//: trap out_of_bounds at 10 count 8
//: expect a = i % 2 == 0 ? i + 1 : 0
//: expect b = i % 2 == 1 ? i + 1 : 0
kernel void k(global int* a, global int* b) {
    int i = get_global_id(0);
    global int* p = i % 2 == 0 ? a : b;
    p[i] = i + 1;  // trap here
}
//---- pointer_from_memory
//: global 20
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[12]
//: arg b=i32[15]
//: arg three=3
//: trap out_of_bounds at 12 count 6
//: expect a = i % 3 == 0 ? i + 1 : 0
//: expect b = i % 3 != 0 ? i + 1 : 0
struct Place { global int* p; int index; };
kernel void k(global int* a, global int* b, int three) {
    int i = get_global_id(0);
    struct Place places[3];
    for (int q = 0; q < three; q++) {
        places[q].p = q == 0 ? a : b;
        places[q].index = i;
    }
    struct Place* place = &places[i % three];
    place->p[place->index] = i + 1;  // trap here
}
//---- null
//: global 9
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[9]
//: trap out_of_bounds at 4 count 5
//: expect a = i < 4 ? 1 : 0
kernel void k(global int* a) {
    int i = get_global_id(0);
    global int* p = i < 4 ? a + i : 0;
    *p = 1;  // trap here
}
//---- nothing_at_all
//: global 3
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[0]
//: arg out=i32[3]
//: trap out_of_bounds at 0 count 3
//: expect out = 5
kernel void k(global int* a, global int* out) {
    int i = get_global_id(0);
    out[i] = 5;
    out[i] = a[i];  // trap here
}
//---- constant_table
//: global 8
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg more=u16[6]:iota
//: arg out=i32[8]
//: trap out_of_bounds at 5 count 3
//: expect out = i < 5 ? (i + 1) * 10 + i : 0
constant int table[5] = {10, 20, 30, 40, 50};
constant int behind[3] = {1, 2, 3};
kernel void k(constant ushort* more, global int* out) {
    int i = get_global_id(0);
    int v = table[i];  // trap here
    if (v < 0) v = behind[i];
    out[i] = v + more[i];
}
//---- constant_buffer
//: global 8
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg more=u16[6]:iota
//: arg out=i32[8]
//: trap out_of_bounds at 6 count 2
//: expect out = i < 6 ? i : 0
kernel void k(constant ushort* more, global int* out) {
    int i = get_global_id(0);
    out[i] = more[i];  // trap here
}
//---- atomics
//: global 30
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg counts=i32[4]
//: trap out_of_bounds at 16 count 14
//: expect counts = 4
kernel void k(global int* counts) {
    int i = get_global_id(0);
    atomic_add(&counts[i / 4], 1);  // trap here
}
//---- is_not_caught
//: global 6
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg out=i32[6]
//: trap out_of_bounds at 3 count 1
//: expect out = i == 3 ? 9 : i == 5 ? 2 : 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 9;
    try {
        if (i == 5) throw 2;
        out[i == 3 ? -1 : i] = 1;  // trap here
    } catch (int e) {
        out[i] = e;
    } catch (...) {
        out[i] = -1;
    }
}
//---- in_a_helper_that_all_share
//: global 12
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[8]
//: arg b=i32[12]
//: trap out_of_bounds at 8 count 4
//: expect a = i + 1
//: expect b = i < 8 ? i + 2 : 0
void put(global int* p, int i, int v) {
    p[i] = v;  // trap here
}
kernel void k(global int* a, global int* b) {
    int i = get_global_id(0);
    put(a, i, i + 1);
    put(b, i, i + 2);
}
//---- others_go_on_at_the_barrier
//: global 32
//: local 16
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg in=i32[30]:fill(2)
//: arg out=i32[32]
//: trap out_of_bounds at 30 count 2
//: expect out = i < 16 ? 32 : i < 30 ? 28 : 0
kernel void k(global const int* in, global int* out) {
    local int tile[16];
    int i = get_global_id(0), here = get_local_id(0), sum = 0;
    tile[here] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[here] = in[i];  // trap here
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 0; q < 16; q++) sum += tile[q];
    out[i] = sum;
}
//---- all_inside
//: global 32
//: flags --check-bounds
//: arg in=i32[32]:iota
//: arg out=i32[32]
//: expect out = i == 0 || i == 31 ? 0 : 3 * i
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (i > 0 && i < 31) out[i] = in[i - 1] + in[i] + in[i + 1];
}
//---- private_array
//: global 20
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg out=i32[20]
//: arg n=7
//: trap out_of_bounds 8 at 1 count 19
//: expect out = i == 0 ? 14 : 0
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    int t[8];
    for (int q = 0; q < 8; q++) t[q] = 2 * q;
    out[i] = t[n + i];  // trap here
}
//---- private_array_written_before_its_start
//: global 9
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg out=i32[9]
//: trap out_of_bounds -3 at 0 count 3
//: expect out = i < 3 ? 0 : i
kernel void k(global int* out) {
    int i = get_global_id(0);
    short before[4] = {0, 0, 0, 0}, t[6];
    for (int q = 0; q < 6; q++) t[q] = 0;
    t[i - 3] = i;  // trap here
    out[i] = t[i - 3] + before[i & 3];
}
//---- local_array
//: global 32
//: local 16
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg out=i32[32]
//: trap out_of_bounds 16 at 14 count 4
//: expect out = i % 16 < 14 ? i + 2 : 0
kernel void k(global int* out) {
    local int tile[16], behind[4];
    int i = get_global_id(0), here = get_local_id(0);
    tile[here] = i;
    behind[here & 3] = 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[here + 2];  // trap here
}
//---- local_argument
//: global 24
//: local 8
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=i32[8]
//: arg b=i32[6]
//: arg out=i32[24]
//: trap out_of_bounds 6 at 6 count 6
//: expect out = i % 8 < 6 ? i : 0
kernel void k(local int* a, local int* b, global int* out) {
    int i = get_global_id(0), here = get_local_id(0);
    a[here] = 5;
    b[here] = i;  // trap here
    out[i] = b[here];
}
//---- member_of_a_structure
//: global 7
//: flags --check-bounds
//: not host: C++ does not check
//: not opencl: it does not check
//: arg a=u8[60]
//: trap out_of_bounds 5 at 5 count 2
//: expect a = i % 12 == 8 ? i / 12 + 1 : 0
struct record { int x, y, z; };
kernel void k(global struct record* a) {
    int i = get_global_id(0);
    a[i].z = i + 1;  // trap here
}
//---- private_memory_inside
//: global 16
//: flags --check-bounds
//: arg out=i32[16]
//: arg n=3
//: expect out = 3 * i + 3
struct pair { int first[4]; int* second; };
int total(const int* p, int n) {
    int sum = 0;
    for (int q = 0; q < n; q++) sum += p[q];
    return sum;
}
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    struct pair a;
    int other[3] = {i, i, i};
    a.second = n == 3 ? other : a.first;
    for (int q = 0; q < 4; q++) a.first[q] = q;
    out[i] = total(a.second, n) + total(a.first, n);
}
