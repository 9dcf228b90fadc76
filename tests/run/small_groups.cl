// Small groups in which constants bound ids: the code is there once for each wave, and local memory is in registers.
//---- sums_by_halves
//: global 384
//: local 128
//: not host: barriers
//: arg in=i32[384]:iota
//: arg out=i32[3]
//: expect out = 128 * 128 * i + 64 * 127
kernel void k(global const int* in, global int* out) {
    local int s[128];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
        if (l < d) s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = s[0];
}
//---- prefix_sums_of_a_group_that_fills_no_wave
//: global 300
//: local 100
//: not host: barriers
//: arg in=i32[300]:iota
//: arg out=i32[300]
//: expect out = (i % 100 + 1) * (i / 100 * 100) + (i % 100) * (i % 100 + 1) / 2
kernel void k(global const int* in, global int* out) {
    local int s[100];
    int l = get_local_id(0), g = get_global_id(0);
    s[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 100; d *= 2) {
        int x = l >= d ? s[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s[l];
}
//---- neighbours_at_every_distance
//: global 192
//: local 96
//: not host: barriers
//: arg in=f32[192]:iota
//: arg out=f32[192]
//: expect out = (i % 96 >= 3 ? i - 3 : 0) + (i % 96 >= 8 ? i - 8 : 0) + (i % 96 < 91 ? i + 5 : 0) + (i % 96 < 63 ? i + 33 : 0)
kernel void k(global const float* in, global float* out) {
    local float s[96];
    int l = get_local_id(0), g = get_global_id(0);
    s[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = 0;
    if (l >= 3) x += s[l - 3];
    if (l >= 8) x += s[l - 8];
    if (l < 91) x += s[l + 5];
    if (l < 63) x += s[l + 33];
    out[g] = x;
}
//---- what_some_lanes_store_over_what_all_stored
//: global 128
//: local 64
//: not host: barriers
//: arg out=i32[128]
//: expect out = (63 - i % 64) + (i % 64 > 58 ? 1000 : 0) + (i % 64 > 52 && i % 64 < 61 ? 20000 : 0)
kernel void k(global int* out) {
    local int s[64];
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 5) s[l] += 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 3 && l < 11) s[l] += 20000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
}
//---- stores_at_unknown_places_come_between
//: global 128
//: local 64
//: not host: barriers
//: arg at=i32[128]:iota
//: arg out=i32[128]
//: expect out = (i % 64 >= 1 ? (i % 64 == 1 ? 64 : i % 64) : 0) + 100 * (64 - i % 64)
kernel void k(global const int* at, global int* out) {
    local int s[64], t[64];
    int l = get_local_id(0), g = get_global_id(0);
    s[l] = l + 1;
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[63 - at[g] % 64] = s[l];
    if (l == 0) s[at[g] % 64] = 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = l >= 1 ? s[l - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x + 100 * t[l];
}
//---- words_that_all_lanes_read
//: global 256
//: local 128
//: not host: barriers
//: arg in=i32[256]:iota
//: arg out=i32[256]
//: expect out = i / 128 * 128 * 4 + 0 + 2 + 37 + 127 + (i % 128 < 40 ? 1 : 0)
kernel void k(global const int* in, global int* out) {
    local int s[128];
    int l = get_local_id(0), g = get_global_id(0);
    s[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = s[0] + s[2] + s[37] + s[127];
    if (l < 40) x++;
    out[g] = x;
}
//---- bytes_shorts_and_longs
//: global 128
//: local 64
//: not host: barriers
//: arg in=i32[128]:iota
//: arg out=i64[128]
//: expect out = (i % 64 < 2 ? 0 : 3 * (i % 64 - 2)) + (i % 64 < 60 ? 2 * (i % 64 + 4) : 0) + (i % 64 < 1 ? 0 : 5 * (i - 1))
kernel void k(global const int* in, global long* out) {
    local uchar a[64];
    local short b[64];
    local long c[64];
    int l = get_local_id(0), g = get_global_id(0);
    a[l] = l * 3;
    b[l] = l * 2;
    c[l] = in[g] * 5L;
    barrier(CLK_LOCAL_MEM_FENCE);
    long x = 0;
    if (l >= 2) x += a[l - 2];
    if (l < 60) x += b[l + 4];
    if (l >= 1) x += c[l - 1];
    out[g] = x;
}
//---- a_loop_that_is_not_unrolled
//: global 128
//: local 64
//: not host: barriers
//: arg in=i32[128]:iota
//: arg out=i32[128]
//: arg n=5
//: expect out = (i % 64 < 5 ? 0 : i - 5) + (i % 64 < 20 ? 5 : 0)
kernel void k(global const int* in, global int* out, int n) {
    local int s[64];
    int l = get_local_id(0), g = get_global_id(0), turns = 0;
    s[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        int x = l >= 1 ? s[l - 1] : 0;
        if (l < 20) turns++;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s[l] + turns;
}
//---- groups_start_anew
//: global 512
//: local 64
//: not host: barriers
//: arg in=i32[512]:iota
//: arg out=i32[8]
//: expect out = i % 2 == 1 ? 64 * 64 * i + 32 * 63 : i * 64 + 1
kernel void k(global const int* in, global int* out) {
    local int s[64];
    int l = get_local_id(0), group = get_group_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group % 2 == 1) {
        for (int d = 32; d > 0; d >>= 1) {
            if (l < d) s[l] += s[l + d];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (l == 0) out[group] = s[0] + (group % 2 == 0);
}
//---- sorted_by_one_bit_after_another
//: global 256
//: local 128
//: not host: barriers
//: arg in=i32[256]:iota
//: arg out=i32[256]
//: expect out = i % 128
kernel void k(global const int* in, global int* out) {
    local int s[128], a[128];
    int l = get_local_id(0), g = get_global_id(0);
    int key = (in[g] * 37 + 11) & 127;
    for (int b = 0; b < 7; b++) {
        int bit = key >> b & 1;
        s[l] = !bit;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 128; d *= 2) {
            int x = l >= d ? s[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] += x;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        int zeros = s[127], before = s[l] - !bit;
        a[bit ? zeros + l - before : before] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = key;
}
//---- few_words_over_many_and_between_two
//: global 96
//: local 32
//: not host: barriers
//: arg in=i32[96]:iota
//: arg out=i32[96]
//: expect out = i + (i % 32 < 2 ? (i % 32 == 0 ? i + 6 : (i - 1) * 3) : 0)
kernel void k(global const int* in, global int* out) {
    local int a[64];
    int t = get_local_id(0), g = get_global_id(0), x = in[g];
    a[t] = x;
    a[t + 32] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 2) a[t] = x + 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 2) a[t + 2] = x * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 2) x += a[t + 1];
    out[g] = x;
}
//---- one_vector_stored_in_two_sizes
//: global 96
//: local 32
//: not host: barriers
//: arg in=i32[96]:iota
//: arg out=i32[96]
//: expect out = i + (i % 32 < 4 ? i + 2 : 0)
kernel void k(global const int* in, global int* out) {
    local int a[64];
    int t = get_local_id(0), g = get_global_id(0), x = in[g];
    a[t] = x;
    a[t + 32] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 4) a[t] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 4) x += a[t + 2];
    out[g] = x;
}
//---- arrays_of_the_kernel_and_of_the_caller
//: global 128
//: local 64
//: not host: barriers
//: arg in=i32[128]:iota
//: arg out=i32[128]
//: arg p=i32[64]
//: arg q=i32[64]
//: expect out = (i % 64 < 5 ? 0 : i - 5) + (i % 64 < 2 ? 0 : 2 * (i - 2)) + (i % 64 < 61 ? 3 * (i + 3) : 0)
kernel void k(global const int* in, global int* out, local int* p, local int* q) {
    local int s[64];
    int l = get_local_id(0), g = get_global_id(0), x = 0;
    p[l] = in[g];
    q[l] = 2 * in[g];
    s[l] = 3 * in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 5) x += p[l - 5];
    if (l >= 2) x += q[l - 2];
    if (l < 61) x += s[l + 3];
    out[g] = x;
}
//---- a_pointer_made_of_an_integer
//: global 64
//: local 32
//: not host: barriers
//: arg out=i32[64]
//: expect out = i % 32 == 2 ? 100 : i % 32
kernel void k(global int* out) {
    local int a[32];
    int l = get_local_id(0);
    a[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) *(local int*)((uint)(local int*)a + 8) = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[l];
}
