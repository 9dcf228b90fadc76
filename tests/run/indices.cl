// Indices of every width and sign, near and over the ends of their types: what the compiler concludes from their
// intervals must hold when they wrap, too.
//---- unsigned_local_ids
//: global 128
//: local 64
//: arg in=i32[1024]:iota
//: arg out=i32[128]
//: expect out = i / 64 * 256 + i % 64 * 4 + 1
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global const int* in, global int* out) {
    uint l = get_local_id(0), g = get_group_id(0) & 3;
    out[g * 64 + l] = in[(g * 256 + l * 4) | 1];
}
//---- wide_ids
//: global 96
//: arg in=i32[9600]:iota
//: arg out=i32[96]
//: expect out = i < 90 ? i % 12 * 800 + i / 12 : 0 - 1
kernel void k(global const int* in, global int* out) {
    size_t i = get_global_id(0), w = 12;
    out[i] = i < 90 ? in[i % w * 800 + i / w] : -1;
}
//---- unsigned_index_wraps
//: global 64
//: arg in=i32[64]:iota
//: arg out=i32[64]
//: expect out = i
kernel void k(global const int* in, global int* out) {
    uint i = get_global_id(0);
    ulong j = i - 5u;
    out[i] = in[j > 100 ? j - 4294967291UL : j + 5];
}
//---- unsigned_product_wraps
//: global 16
//: arg in=i32[64]:iota
//: arg out=i32[16]
//: expect out = 8 + i % 2 * 3
kernel void k(global const int* in, global int* out) {
    uint i = get_global_id(0);
    out[i] = in[(size_t)(i * 2147483651u) - (i & 1) * 2147483648UL - (i & ~1u) * 3 + 8];
}
//---- bytes_wrap
//: global 64
//: arg in=i32[256]:iota
//: arg out=i32[64]
//: expect out = (i + 250) % 256 + (i * 4 + 1) % 128
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    uchar c = i + 250;
    uchar d = (uchar)(i << 2) | 1;
    out[i] = in[c] + in[d & 127];
}
//---- short_local_ids
//: global 64
//: local 32
//: arg in=i32[64]:iota
//: arg out=i32[64]
//: expect out = i % 32 * 2 + 1
kernel void k(global const int* in, global int* out) {
    ushort l = get_local_id(0);
    short twice = l << 1;
    out[get_global_id(0)] = in[twice | 1];
}
//---- guarded_divisions
//: global 64
//: arg out=i32[64]
//: expect out = i < 20 ? 0 - (20 - i) / 8 * 100 - (20 - i) % 16 : (i - 20) / 8 * 100 + (i - 20) % 16
kernel void k(global int* out) {
    int i = get_global_id(0), x = i - 20;
    if (x < 0)
        out[i] = x / 8 * 100 + x % 16;
    else
        out[i] = x / 8 * 100 + x % 16;
}
//---- wide_signed_divisions
//: global 64
//: arg out=i64[64]
//: expect out = i < 20 ? 0 - (20 - i) * 1000003 / 4096 : (i - 20) * 1000003 / 4096
kernel void k(global long* out) {
    int i = get_global_id(0);
    long x = (i - 20) * 1000003L;
    out[i] = x / 4096;
}
//---- counters_at_the_end_of_their_type
//: global 4
//: arg out=i32[4]
//: expect out = 6 + i
kernel void k(global int* out) {
    uint i = get_global_id(0);
    int n = 0;
    for (uint c = 4294967290u - i; c != 0; ++c) n++;
    out[i] = n;
}
//---- bounds_from_both_sides
//: global 64
//: arg out=i32[64]
//: expect out = (i > 9 && i < 31 ? 1 : 0) + (i == 20 ? 2 : 0)
kernel void k(global int* out) {
    int i = get_global_id(0), r = 0;
    if (i > 9 && i <= 30) {
        if (i < 10 || i > 30) r = 100;
        switch (i) {
            case 5: r += 50; break;
            case 20: r += i - 18; break;
            case 40: r += 60; break;
        }
        r += max(min(i, 30), 10) == i;
    }
    out[i] = r;
}
//---- mirrored_at_borders
//: global 200
//: arg words=i32[200]:iota
//: arg shorts=i16[200]:iota
//: arg bytes=u8[200]:iota
//: arg out=i32[200]
//: expect out = max(i - 2, 0) + 3 * min(i + 3, 199) + 5 * (i < 4 ? 4 - i : i - 4)
kernel void k(global const int* words, global const short* shorts, global const uchar* bytes, global int* out) {
    int i = get_global_id(0);
    out[i] = words[max(i - 2, 0)] + 3 * shorts[min(i + 3, 199)] + 5 * bytes[abs(i - 4)];
}
//---- borders_of_some_lanes
//: global 200
//: arg words=i32[400]:iota
//: arg start=100
//: arg out=i32[200]
//: expect out = i % 7 == 0 || i > 190 ? -1 : 100 + max(i - 1, 0) + min(i + 1, 180)
kernel void k(global const int* words, int start, global int* out) {
    int i = get_global_id(0), sum = -1;
    global const int* from = words + start;
    if (i % 7 != 0 && i <= 190) sum = from[max(i - 1, 0)] + words[min(i + 1, 180)];
    out[i] = sum;
}
// Indices from somewhere else than the start of a buffer.
//---- along_rows
//: global 320
//: local 64
//: arg x=i32[1000]:iota
//: arg n=150
//: arg out=i32[320]
//: expect out = i % 64 < 22 ? 3 * (i / 64 * 150) + 3 * (i % 64) + 192 : 2 * (i / 64 * 150) + 2 * (i % 64) + 64
kernel void k(global const int* x, int n, global int* out) {
    global const int* row = x + get_group_id(0) * n;
    int sum = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) sum += row[i];
    out[get_global_id(0)] = sum;
}
//---- the_first_lanes_are_idle
//: global 256
//: local 64
//: arg x=i32[1000]:iota
//: arg n=100
//: arg out=i32[256]
//: expect out = i % 64 < 5 ? -1 : 2 * (i / 64) * 100 + i % 64 - 5 + i % 64 - 64
kernel void k(global const int* x, int n, global int* out) {
    const int t = get_local_id(0), i = get_global_id(0);
    global const int* row = x + get_group_id(0) * (size_t)n;
    int v = -1;
    if (t >= 5) v = row[t - 5] + (row + 64)[t - 64] - 64;
    out[i] = v;
}
//---- to_and_fro
//: global 96
//: arg x=i32[500]:iota
//: arg far=400
//: arg out=i32[96]
//: expect out = 3 * i + 7
kernel void k(global const int* x, int far, global int* out) {
    const int i = get_global_id(0);
    global const int* back = x + far;
    out[i] = back[i - 400] + (x + 7)[i] + (back - far + 3)[i - 3];
}
//---- elements_of_other_sizes
//: global 70
//: not host: vectors
//: arg x=i32[600]:iota
//: arg n=33
//: arg out=i32[70]
//: expect out = 66 + 2 * i + 66 + 2 * i + 1 + (99 + i) + (33 + i)
kernel void k(global const int* x, int n, global int* out) {
    const int i = get_global_id(0);
    global const int2* pairs = (global const int2*)(x + 2 * n);
    const int2 p = pairs[i];
    global const int* third = x + 3 * n;
    global const int* bytes = (global const int*)((global const char*)x + 4 * n);
    out[i] = p.x + p.y + third[i] + bytes[i];
}
//---- stores_to_rows
//: global 128
//: local 32
//: arg n=40
//: arg out=i32[200]
//: expect out = i % 40 < 32 && i < 160 ? (i % 40 % 3 == 1 ? -5 : i / 40 * 100 + i % 40) : 0
kernel void k(int n, global int* out) {
    const int t = get_local_id(0), g = get_group_id(0);
    global int* row = out + g * n;
    row[t] = g * 100 + t;
    if (t % 3 == 1) row[t] = -5;
}
