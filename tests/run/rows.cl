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
