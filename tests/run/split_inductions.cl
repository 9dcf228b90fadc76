// Variables that all work-items of a group increase by the same amounts, from one barrier to another.
//---- an_index
//: global 96
//: local 32
//: not host: barriers
//: arg a=i32[2000]:iota
//: arg n=9
//: arg out=i32[96]
//: expect out = 9 * (i % 32) + 9 * (i / 32 * 500) + 47 * 36
kernel void k(global const int* a, int n, global int* out) {
    local int t[32];
    const int l = get_local_id(0), g = get_group_id(0) * 500;
    int sum = 0;
    for (int j = 0, at = l + g; j < n; j++) {
        t[l] = a[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[31 - l] + j * 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        at += 40;
    }
    out[get_group_id(0) * 32 + 31 - l] = sum;
}
//---- a_pointer_and_its_start
//: global 512
//: local 256
//: not host: barriers
//: arg a=i32[4000]:iota
//: arg by=48
//: arg out=i32[512]
//: expect out = 6 * i + 15 * 48 + 6 * 101
kernel void k(global const int* a, int by, global int* out) {
    local int t[256];
    const int l = get_local_id(0);
    global const int* p = a + get_global_id(0);
    p += by;
    p += 101 - by;
    int sum = 0;
    for (int j = 0; j < 6; j++, p += by) {
        t[255 - l] = *p;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[255 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
//---- other_amounts_on_other_ways
//: global 64
//: local 16
//: not host: barriers
//: arg a=i32[4000]:iota
//: arg out=i32[64]
//: expect out = 8 * i + (0 + 5 + 10 + 110 + 115 + 120 + 220 + 225)
kernel void k(global const int* a, global int* out) {
    local int t[16];
    const int l = get_local_id(0);
    int at = get_global_id(0), sum = 0;
    for (int j = 0; j < 8; j++) {
        t[15 - l] = a[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j % 3 == 2) {
            at += 100;
            continue;
        }
        at += 5;
    }
    out[get_global_id(0)] = sum;
}
//---- one_loop_in_another
//: global 512
//: local 256
//: not host: barriers
//: arg a=i32[4000]:iota
//: arg out=i32[512]
//: expect out = 12 * i + 3612
kernel void k(global const int* a, global int* out) {
    local int t[256];
    const int l = get_local_id(0);
    long outer = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < 4; j++) {
        long at = outer;
        for (int m = 0; m < 3; m++) {
            t[255 - l] = a[at];
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += t[255 - l];
            barrier(CLK_LOCAL_MEM_FENCE);
            at += m == 2 ? 100 : 1;
        }
        outer = at + 98;
    }
    out[get_global_id(0)] = sum;
}
//---- steps_that_wrap
//: global 512
//: local 256
//: not host: barriers
//: arg a=i32[512]:iota
//: arg by=1073741824
//: arg out=i32[512]
//: expect out = 8 * i
kernel void k(global const int* a, int by, global int* out) {
    local int t[256];
    const int l = get_local_id(0);
    uint at = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < 8; j++) {
        t[255 - l] = a[at & 511];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[255 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        at += by;
    }
    out[get_global_id(0)] = sum;
}
//---- an_amount_of_each_item
//: global 512
//: local 256
//: not host: barriers
//: arg a=i32[4000]:iota
//: arg out=i32[512]
//: expect out = 5 * i + 10 * (i % 256)
kernel void k(global const int* a, global int* out) {
    local int t[256];
    const int l = get_local_id(0);
    int at = get_global_id(0), sum = 0;
    for (int j = 0; j < 5; j++) {
        t[255 - l] = a[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[255 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        at += l;
    }
    out[get_global_id(0)] = sum;
}
//---- rows
//: global 32,8
//: local 16,4
//: not host: barriers
//: arg a=i32[4000]:iota
//: arg n=5
//: arg out=i32[256]
//: expect out = 5 * i + 10 * 64
kernel void k(global const int* a, int n, global int* out) {
    local int t[4][17];
    const int x = get_local_id(0), y = get_local_id(1);
    int at = get_global_id(1) * 32 + get_global_id(0), sum = 0;
    for (int j = 0; j < n; j++) {
        t[y][x] = a[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
        at += 64;
    }
    out[get_global_id(1) * 32 + get_global_id(0)] = sum;
}
