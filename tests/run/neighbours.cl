// Lanes whose places are near each other without lying in a row, and what is almost that: ends of buffers and
// pages, lanes that are off, places that turn out to be far away.
//---- clamped
//: global 333
//: arg in=i32[333]:iota
//: arg out=i32[333]
//: expect out = (i > 0 ? i - 1 : 0) * 1000 + (i < 332 ? i + 1 : 332)
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = get_global_size(0);
    out[i] = in[max(i - 1, 0)] * 1000 + in[min(i + 1, n - 1)];
}
//---- exchanged
//: global 4096
//: arg in=i32[4096]:iota
//: arg out=i32[4096]
//: arg distance=4
//: expect out = (i ^ 4) * 3 + (i ^ 1)
kernel void k(global const int* in, global int* out, int distance) {
    int i = get_global_id(0);
    out[i] = in[i ^ distance] * 3 + in[i ^ 1];
}
//---- exchanged_by_store
//: global 4096
//: arg out=i32[4096]
//: arg distance=32
//: expect out = (i ^ 32) * 5
kernel void k(global int* out, int distance) {
    int i = get_global_id(0);
    out[i ^ distance] = i * 5;
}
//---- first_lane_is_off
//: global 256
//: arg in=i32[256]:iota
//: arg out=i32[256]
//: expect out = i % 16 < 3 ? 0 : (i & ~1) + 7
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (i % 16 >= 3) out[i] = in[(i | 1) - 1] + 7;
}
//---- first_lane_is_outside
//: global 256
//: arg in=i32[250]:iota
//: arg out=i32[256]
//: arg lost=6
//: expect out = i < 6 ? -1 : i - 6
kernel void k(global const int* in, global int* out, int lost) {
    int i = get_global_id(0), place = i - lost;
    out[i] = -1;
    if (place >= 0) out[i] = in[max(place, -1000)];
}
//---- pairs
//: global 500
//: arg in=i32[1000]:iota
//: arg out=i32[1000]
//: expect out = i % 2 ? i - 1 : i + 1
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    int a = in[2 * i], b = in[2 * i + 1];
    out[2 * i] = b;
    out[2 * i + 1] = a;
}
//---- far_after_all
//: global 512
//: arg in=i32[512]:iota
//: arg out=i32[512]
//: arg mask=256
//: expect out = (i ^ ((i & 1) * 256)) + 1
kernel void k(global const int* in, global int* out, int mask) {
    int i = get_global_id(0);
    out[i] = in[i ^ (i & 1 ? mask : 0)] + 1;
}
//---- far_stores
//: global 512
//: arg out=i32[512]
//: arg mask=256
//: expect out = i ^ ((i & 1) * 256)
kernel void k(global int* out, int mask) {
    int i = get_global_id(0);
    out[i ^ (i & 1 ? mask : 0)] = i;
}
//---- same_place_for_some
//: global 300
//: arg in=i32[38]:iota
//: arg out=i32[300]
//: expect out = i / 8 * 2
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = in[i / 8] + in[i >> 3];
}
//---- floats_in_a_window
//: global 200
//: arg in=f32[200]:iota
//: arg out=f32[200]
//: expect out = (i < 199 ? i + 1 : 199) * 0.5f + (i > 1 ? i - 2 : 0)
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    out[i] = in[min(i + 1, 199)] * 0.5f + in[max(i - 2, 0)];
}
//---- blocks_in_local_memory
//: global 512
//: local 128
//: not host: barriers
//: arg out=i32[1024]
//: expect out = i / 256 * 1000 + 255 - i % 256
kernel void k(global int* out) {
    local int block[256];
    int t = get_local_id(0), group = get_group_id(0);
    for (int place = t; place < 256; place += 128) block[place] = place;
    // Each round mirrors blocks of twice the distance, so that in the end all is mirrored.
    for (int distance = 128; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int low = 2 * t - (t & (distance - 1));
        int a = block[low], b = block[low + distance];
        block[low] = b;
        block[low + distance] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int place = t; place < 256; place += 128) out[group * 256 + place] = group * 1000 + block[place];
}
//---- some_lanes_in_local_memory
//: global 256
//: local 64
//: not host: barriers
//: arg out=i32[256]
//: arg distance=2
//: expect out = i % 64 % 3 == 1 ? -1 : (i % 64 ^ 2) + 10
kernel void k(global int* out, int distance) {
    local int block[64];
    int t = get_local_id(0);
    block[t ^ distance] = t + 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = -1;
    if (t % 3 != 1) r = block[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t % 5 == 4) block[t ^ distance] = r;
    out[get_global_id(0)] = r;
}
//---- known_places
//: global 512
//: local 64
//: arg in=i32[512]:iota
//: arg out=i32[512]
//: expect out = i % 64 % 5 == 2 ? 0 : (i & ~63) + (63 - i % 64) + 1000 * ((i & ~7) + (i % 8 ^ 5))
kernel void k(global const int* in, global int* out) {
    int l = get_local_id(0), from = get_group_id(0) * 64;
    if (l % 5 != 2) out[from + l] = in[from + 63 - l] + 1000 * in[from + (l ^ 5)];
}
//---- known_places_stored
//: global 512
//: local 128
//: arg out=i32[512]
//: expect out = i % 7 == 3 ? 0 : (i & ~127) + 127 - (i % 128 ^ 9)
kernel void k(global int* out) {
    int l = get_local_id(0), to = get_group_id(0) * 128, place = to + ((127 - l) ^ 9);
    if (place % 7 != 3) out[place] = to + l;
}
//---- every_second
//: global 333
//: arg in=i32[666]:iota
//: arg out=i32[666]
//: expect out = i % 6 == 4 ? 0 : i % 2 ? i - 1 : i + 2
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    int a = in[2 * i], b = in[2 * i + 1];
    if (i % 3 != 2) out[2 * i] = b + 1;
    out[2 * i + 1] = a;
}
//---- spread_in_local_memory
//: global 256
//: local 64
//: not host: barriers
//: arg out=i32[256]
//: expect out = (i & ~63) + (i % 64 / 2 + i % 2 * 32)
kernel void k(global int* out) {
    local int t[128];
    int l = get_local_id(0), i = get_global_id(0);
    t[2 * l - (l & 3)] = i;         // 0 1 2 3 8 9 10 11 ...
    t[2 * l - (l & 3) + 4] = -i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = l / 2 + l % 2 * 32, sum = t[2 * from - (from & 3)];
    out[i] = sum + t[2 * l - (l & 3)] + t[2 * l - (l & 3) + 4];
}
//---- folded
//: global 128
//: local 64
//: arg in=i32[64]:iota
//: arg out=i32[128]
//: expect out = (i % 64 & 7) * 100 + (i % 64 >> 3) + (i % 64 | 12)
kernel void k(global const int* in, global int* out) {
    int l = get_local_id(0);
    out[get_global_id(0)] = in[l & 7] * 100 + in[l >> 3] + in[l | 12];
}
