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
