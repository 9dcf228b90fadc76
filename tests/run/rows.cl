// Rows of work-items that are many waves long, with guards that lanes of the last waves do not pass.

//---- guarded_rows
// A row of full waves, one that the guard cuts, and waves beyond it.
//: global 1000
//: arg n=700
//: arg x=i32[700]:iota
//: arg out=i32[1000]:fill(5)
//: expect out[0:700] = 3 * i + 1
//: expect out[700:1000] = 5
kernel void k(int n, global const int* x, global int* out) {
    int i = get_global_id(0);
    if (i >= n) return;
    out[i] = 3 * x[i] + 1;
}

//---- guarded_rows_with_an_offset
//: global 640
//: offset 36
//: arg out=i32[676]:fill(5)
//: expect out[0:100] = 5
//: expect out[100:500] = i
//: expect out[500:676] = 5
kernel void k(global int* out) {
    uint i = get_global_id(0);
    if (i < 100 || i >= 500) return;
    out[i] = i;
}

//---- ids_made_of_groups
// The offset is no part of an id that is made of groups.
//: global 480
//: local 96
//: offset 7
//: arg n=450
//: arg out=i32[480]:fill(9)
//: expect out[0:450] = i * 2
//: expect out[450:480] = 9
kernel void k(int n, global int* out) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n) out[i] = 2 * i;
}

//---- ids_made_of_groups_in_two_dimensions
//: global 70,12
//: local 35,4
//: arg w=66
//: arg h=11
//: arg out=i32[726]
//: expect out = i
kernel void k(int w, int h, global int* out) {
    const uint x = get_local_id(0) + get_local_size(0) * get_group_id(0);
    const size_t y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x >= w || y >= h) return;
    out[y * w + x] = y * w + x;
}

//---- inside_of_borders
//: global 300
//: arg x=i32[300]:iota
//: arg out=i32[300]
//: expect out[0] = 0
//: expect out[1:299] = 3 * i
//: expect out[299] = 0
kernel void k(global const int* x, global int* out) {
    int i = get_global_id(0), n = get_global_size(0);
    if (i > 0 && i < n - 1) out[i] = x[i - 1] + x[i] + x[i + 1];
}

//---- one_lane_leaves
// The waves before and after that of lane 333 are full.
//: global 1024
//: arg out=i32[1024]:fill(1)
//: expect out[0:333] = i
//: expect out[333] = 1
//: expect out[334:1024] = i
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 333) return;
    out[i] = i;
}

//---- all_but_one_leave
//: global 1024
//: arg out=i32[1]:fill(1)
//: expect out = 700
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i != 700) return;
    out[0] = i;
}

//---- the_last_lane_stores
// Where lanes of a wave store to one place, they do so in turn.
//: global 64
//: local 64
//: arg x=i32[64]:iota
//: arg out=i32[2]
//: expect out = {61, 4}
kernel void k(global const int* x, global int* out) {
    int i = get_local_id(0);
    if (i == 61) out[0] = x[i];
    if (x[i] == 4) out[1] = x[i];
}

//---- loops_after_a_guard
//: global 200
//: arg n=150
//: arg out=i32[200]:fill(3)
//: expect out[0:150] = (i % 7) * (i % 7 + 1) / 2
//: expect out[150:200] = 3
kernel void k(int n, global int* out) {
    int i = get_global_id(0);
    if (i >= n) return;
    int sum = 0;
    for (int j = 0; j <= i % 7; j++) sum += j;
    out[i] = sum;
}

//---- private_memory_in_rows
//: global 160
//: arg n=155
//: arg out=i32[160]:fill(3)
//: expect out[0:155] = 10 * i + i % 4
//: expect out[155:160] = 3
kernel void k(int n, global int* out) {
    int i = get_global_id(0), a[4];
    if (i >= n) return;
    for (int j = 0; j < 4; j++) a[j] = 10 * i + j;
    out[i] = a[i & 3];
}

//---- unsigned_indices_of_moved_pointers
// Lanes of `p[i]` and `p[i + 1]` lie side by side, although i is unsigned and 32 bits wide.
//: global 96
//: arg x=i32[200]:iota
//: arg n=100
//: arg out=i32[96]
//: expect out = 2 * i + 201
kernel void k(global const int* x, uint n, global int* out) {
    uint i = get_global_id(0) + get_global_size(0) - 96;
    global const int* p = x + n;
    out[i] = p[i] + p[i + 1];
}

//---- divisible
//: global 500
//: arg out=i32[500]
//: expect out = (i % 61 == 0) + 2 * (i % 12 == 0) + 4 * ((i - 250) % 3 == 0) + 8 * ((i - 250) % 10 != 0)
kernel void k(global int* out) {
    uint i = get_global_id(0);
    int s = (int)i - 250;
    out[i] = (i % 61 == 0) + 2 * (i % 12 == 0) + 4 * (s % 3 == 0) + 8 * (s % 10 != 0);
}

//---- clamped_neighbours
//: global 500
//: arg n=500
//: arg x=i32[500]:iota
//: arg out=i32[500]
//: expect out = x[max(i - 1, 0)] + x[i] + x[min(i + 1, 499)]
kernel void k(int n, global const int* x, global int* out) {
    int i = get_global_id(0);
    out[i] = x[max(i - 1, 0)] + x[i] + x[min(i + 1, n - 1)];
}

//---- clamped_neighbours_in_a_narrow_image
// Each wave has a border in it.
//: global 5,40
//: arg w=5
//: arg h=40
//: arg x=i32[200]:iota
//: arg out=i32[200]
//: expect out = x[i - (i % 5 > 0)] + x[i + (i % 5 < 4)] + x[i < 5 ? i : i - 5] + x[i >= 195 ? i : i + 5]
kernel void k(uint w, uint h, global const int* x, global int* out) {
    uint c = get_global_id(0), r = get_global_id(1);
    uint left = c > 0 ? c - 1 : 0, right = min(c + 1, w - 1);
    uint up = r == 0 ? 0 : r - 1, down = min(r + 1, h - 1);
    out[r * w + c] = x[r * w + left] + x[r * w + right] + x[up * w + c] + x[down * w + c];
}

//---- borders_left_out
//: global 300,7
//: arg w=290
//: arg h=6
//: arg x=i32[1740]:iota
//: arg out=i32[1740]
//: expect out = i % 290 > 0 && i % 290 < 289 && i > 290 && i < 1450 ? -i : i
kernel void k(int w, int h, global const int* x, global int* out) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    if (c > 0 && c < w - 1 && r > 0 && r < h - 1)
        out[r * w + c] = x[r * w + c - 1] - x[(r - 1) * w + c] - x[(r + 1) * w + c] - x[r * w + c] + x[r * w + c + 1];
    else
        out[r * w + c] = x[r * w + c];
}

//---- one_work_item_of_many_is_different
//: global 700
//: arg k=333
//: arg out=i32[702]:fill(9)
//: expect out = i < 700 ? i == 333 ? -1 : 2 * i : i == 700 ? 333 : 9
kernel void k(int k, global int* out) {
    int i = get_global_id(0);
    if (i == k) {
        out[i] = -1;
        out[get_global_size(0)] = i;
    } else {
        out[i] = i != 5000 ? 2 * i : 3;
    }
}

//---- borders_that_most_lanes_are_beyond
// What is assumed of most lanes is wrong for these.
//: global 600
//: arg n=40
//: arg out=i32[600]
//: expect out = i < 40 ? i : i < 500 ? 1000 - i : 540 - i
kernel void k(int n, global int* out) {
    int i = get_global_id(0);
    int v = min(i, 500), w = max(n, i);
    out[i] = i < n ? i : i < 500 ? 1000 - w : n + v - w;
}

//---- clamped_ids_of_64_bits
//: global 400
//: offset 3
//: arg x=i32[410]:iota
//: arg out=i32[403]
//: expect out = i < 3 ? 0 : x[max(i - 5, 0)] + x[min(i + 4, 400)] - (i < 5 ? i + 2 : 0)
kernel void k(global const int* x, global int* out) {
    long i = get_global_id(0);
    out[i] = x[max(i - 5, 0L)] + x[min(i + 4, 400L)] - (i < 5 ? (int)i + 2 : 0);
}

//---- flat_ids_of_long_rows
// Rows and columns of one id: most waves lie in one row.
//: global 3000
//: arg w=300
//: arg in=i32[4000]:iota
//: arg out=i32[3000]
//: expect out = i < 2900 ? (i / 300 + 1) * 310 + i % 300 + 3 - (i % 300 == 0) + (i / 300 == 2) : 0
kernel void k(int w, global const int* in, global int* out) {
    int i = get_global_id(0);
    if (i >= 2900) return;
    int y = i / w, x = i % w;
    int v = in[(y + 1) * (w + 10) + x + 3];
    if (x == 0) v--;
    if (y == 2) v++;
    out[i] = v;
}

//---- flat_ids_of_short_rows
//: global 1000
//: arg w=24
//: arg a=u8[1300]:iota
//: arg b=u16[1300]:iota
//: arg c=f64[1300]:iota
//: arg out=i32[1000]:fill(-1)
//: expect out = i % 11 == 0 ? -1 : (i / 24 * 30 + i % 24 + 1) % 256 + 2 * (i / 24 * 30 + i % 24) + 3 * (i / 24 * 30 + i % 24 + 6)
kernel void k(uint w, global const uchar* a, global const ushort* b, global const double* c, global int* out) {
    uint i = get_global_id(0);
    if (i % 11 == 0) return;
    uint at = i / w * (w + 6) + i % w;
    out[i] = a[at + 1] + 2 * b[at] + 3 * (int)c[at + 6];
}

//---- flat_ids_stored_in_a_wider_picture
//: global 960
//: arg w=40
//: arg n=900
//: arg a=u8[1200]
//: arg b=i16[1200]
//: arg c=u32[1200]
//: arg d=i64[1200]
//: expect a = i < 22 * 50 + 20 && i % 50 < 40 ? (i / 50 * 40 + i % 50) % 256 : 0
//: expect b = i < 22 * 50 + 20 && i % 50 < 40 ? -(i / 50 * 40 + i % 50) : 0
//: expect c = i < 22 * 50 + 20 && i % 50 < 40 ? 2 * (i / 50 * 40 + i % 50) : 0
//: expect d = i < 22 * 50 + 20 && i % 50 < 40 ? 5000000000 + i / 50 * 40 + i % 50 : 0
kernel void k(int w, int n, global uchar* a, global short* b, global uint* c, global long* d) {
    int i = get_global_id(0);
    if (i >= n) return;
    int at = i / w * (w + 10) + i % w;
    a[at] = i;
    b[at] = -i;
    c[at] = 2 * i;
    d[at] = 5000000000 + i;
}

//---- flat_ids_that_meet_in_one_place
// Of the work-items of a wave that store to one place, the last one stays.
//: global 64
//: arg w=32
//: arg p=16
//: arg out=i32[48]
//: expect out[0:16] = i
//: expect out[16:32] = 32 + i % 16
//: expect out[32:48] = 48 + i % 16
kernel void k(int w, int p, global int* out) {
    int i = get_global_id(0);
    if (i % w < p || i / w == 1) out[i / w * p + i % w] = i;
}

//---- flat_ids_below_zero
//: global 1000
//: arg w=100
//: arg q=i32[1000]
//: arg r=i32[1000]
//: expect q = (i - 450) / 100
//: expect r = (i - 450) % 100
kernel void k(int w, global int* q, global int* r) {
    int i = (int)get_global_id(0) - 450;
    q[i + 450] = i / w;
    r[i + 450] = i % w;
}

//---- flat_ids_and_a_negative_width
//: global 700
//: arg w=-300
//: arg out=i32[700]
//: expect out = i / -300 * 1000 + i % -300
kernel void k(int w, global int* out) {
    int i = get_global_id(0);
    out[i] = i / w * 1000 + i % w;
}

//---- flat_ids_and_no_width
//: global 256
//: arg w=0
//: arg out=u32[256]
//: expect out = 7 + i
kernel void k(uint w, global uint* out) {
    uint i = get_global_id(0), q = i / (w ? w : 1) - i + 7;
    out[i] = w ? i / w : q + i;
}

//---- flat_ids_over_the_end_of_32_bits
//: global 512
//: arg v=100
//: arg w=4294967200
//: arg out=u32[512]
//: expect out = u32(u32(i + 4294967000) / 100 + u32(i + 4294967000) / 4294967200 * 3 + u32(i + 4294967000) % 4294967200)
kernel void k(uint v, uint w, global uint* out) {
    uint i = (uint)get_global_id(0) + 4294967000u;
    out[i - 4294967000u] = i / v + i / w * 3 + i % w;
}

//---- flat_ids_over_the_end_of_31_bits
//: global 512
//: arg w=100
//: arg v=2147483600
//: arg out=i32[512]
//: expect out = i32(i + 2147483300) / 100 % 1000 + i32(i + 2147483300) / 2147483600 * 5
kernel void k(int w, int v, global int* out) {
    uint u = (uint)get_global_id(0) + 2147483300u;
    int i = (int)u;
    out[u - 2147483300u] = i / w % 1000 + i / v * 5;
}

//---- flat_ids_of_64_bits
//: global 2000
//: arg w=500
//: arg in=f32[2200]:iota
//: arg out=f32[2000]
//: expect out = i / 500 * 550 + i % 500 + 1
kernel void k(ulong w, global const float* in, global float* out) {
    size_t i = get_global_id(0);
    out[i] = in[i / w * (w + 50) + i % w + 1];
}

//---- flat_ids_of_three_dimensions
//: global 2400
//: arg s0=600
//: arg s1=60
//: arg in=i32[2400]:iota
//: arg out=i32[2400]
//: expect out = i % 240 % 60 + i / 240 * 60 + i % 240 / 60 * 600
kernel void k(int s0, int s1, global const int* in, global int* out) {
    int i = get_global_id(0), x = i / s0, r = i % s0, y = r / s1, z = r % s1;
    out[x * s1 + y * (2400 / (s0 / s1)) + z] = in[i];
}

//---- channels_of_flat_ids
//: global 4096
//: arg plane=700
//: arg mean=f32[4]:iota
//: arg out=f32[4096]
//: expect out = i - i / 700 % 4
kernel void k(int plane, global const float* mean, global float* out) {
    int i = get_global_id(0);
    out[i] = i - mean[i / plane % 4];
}

//---- powers_of_two_as_divisors
//: global 100
//: arg s=3
//: arg q=u32[100]
//: arg r=i32[100]
//: arg t=i64[100]
//: expect q = i / 8 + i % 8 * 100
//: expect r = i / 16 + i % 16 * 100
//: expect t = -i / 8 + -i % 8 * 100
kernel void k(uint s, global uint* q, global int* r, global long* t) {
    uint i = get_global_id(0);
    q[i] = i / (1u << s) + i % (1u << s) * 100;
    int j = i, d = 1 << (s + 1);
    r[i] = j / d + j % d * 100;
    long l = -(long)i;
    t[i] = l / (1l << s) + l % (1l << s) * 100;
}

//---- the_largest_power_of_two_as_divisor
//: global 8
//: arg s=31
//: arg out=i32[8]
//: expect out = i * 100 + i
kernel void k(uint s, global int* out) {
    int i = get_global_id(0), d = 1 << s;
    uint u = i, e = 1u << s;
    out[i] = i / d + i % d * 100 + u / e + u % e;
}

//---- pointers_to_rows_of_flat_ids
//: global 1000
//: arg w=90
//: arg in=i32[1300]:iota
//: arg out=i32[1000]:fill(-1)
//: expect out = i < 950 ? 4 * ((i / 90 + 1) * 92 + i % 90) + 4 : -1
kernel void k(uint w, global const int* in, global int* out) {
    size_t id = get_global_id(0);
    if (id >= 950) return;
    int y = id / w, x = id % w, p = w + 2;
    global const int* c = in + (y + 1) * p + x;
    out[id] = c[1] + c[3] + c[-p] + c[p];
}

//---- pointers_far_outside_of_a_buffer
// Where a pointer is on its way does not matter.
//: global 64
//: arg far=2147483647
//: arg in=i32[80]:iota
//: arg out=i32[64]
//: expect out = i + 3
kernel void k(int far, global const int* in, global int* out) {
    int i = get_global_id(0), j = i / 7 * 7;
    global const int* p = in + (far - i);
    global const int* q = p + (j - far);
    out[i] = q[i + i - j + 3];
}

//---- rows_that_are_rolled
//: global 50,8
//: arg w=50
//: arg s=17
//: arg a=f32[400]:iota
//: arg b=f32[400]
//: expect b = i / 50 * 50 + (i % 50 + 17) % 50 - (i / 50 * 50 + (i % 50 + 49) % 50)
kernel void k(int w, int s, global const float* a, global float* b) {
    int x = get_global_id(0), y = get_global_id(1);
    global const float* r = a + y * w;
    global float* o = b + y * w;
    o[x] = r[(x + s) % w] - r[(x + w - 1) % w];
}

//---- runs_from_a_pointer_behind_the_end
// The lowest indices are those of idle lanes.
//: global 128
//: arg n=128
//: arg w=100
//: arg in=u8[300]:iota
//: arg out=i32[128]:fill(7)
//: expect out = i % 16 < 9 ? 7 : i % 100 + 20
kernel void k(int n, int w, global const uchar* in, global int* out) {
    int i = get_global_id(0);
    global const uchar* end = in + 2147483600;
    int at = i % w - 2147483580;
    if (i % 16 < 9) return;
    out[i] = end[at];
}

//---- neighbours_along_y
// Rows of work-items lie along the dimension whose neighbours are neighbours in memory.
//: global 12,90
//: local 3,10
//: offset 4,30
//: arg a=i32[1440]:iota
//: arg out=i32[1440]:fill(-1)
//: arg ids=i32[1080]
//: expect out = i % 120 >= 30 ? 2 * i + 1 : -1
//: expect ids = i / 90
kernel void k(global const int* a, global int* out, global int* ids) {
    int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1);
    out[x * 120 + y] = a[x * 120 + y] * 2 + 1;
    bool right = get_global_size(0) == 12 && get_global_size(1) == 90 && get_local_size(0) == 3 &&
                 get_local_size(1) == 10 && get_num_groups(0) == 4 && get_num_groups(1) == 9 &&
                 get_global_offset(1) == 30 && get_group_id(1) == (y - 30) / 10;
    ids[x * 90 + y - 30] = right ? get_group_id(0) * 3 + get_local_id(0) : -1;
}

//---- neighbours_along_z
//: global 5,3,64
//: offset 2,7,9
//: arg a=i32[960]:iota
//: arg out=i32[960]
//: expect out = 3 * i
kernel void k(global const int* a, global int* out) {
    int x = get_global_id(0) - 2, y = get_global_id(1) - 7, z = get_global_id(2) - 9;
    int at = (x * 3 + y) * 64 + z;
    int sum = 0;
    for (int n = 0; n < 3; n++) sum += a[at];
    out[at] = sum;
}

//---- tiles_along_y
// Neighbours along y are neighbours in local memory, too.
//: not host: barriers
//: global 8,64
//: local 4,16
//: arg a=i32[512]:iota
//: arg out=i32[512]
//: expect out = i / 64 * 64 + i % 64 / 16 * 16 + 15 - i % 16 + 1000 * (i / 256 * 256 + (3 - i / 64 % 4) * 64 + i % 64)
kernel void k(global const int* a, global int* out) {
    local int tile[4][17];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[lx][ly] = a[x * 64 + y];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = tile[3 - lx][ly];
    out[x * 64 + y] = tile[lx][15 - ly] + 1000 * other;
}
