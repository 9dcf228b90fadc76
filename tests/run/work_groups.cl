// Functions of whole work-groups: votes, broadcasts, reductions, scans.
//---- sums
//: global 120
//: local 60
//: arg out=i32[120]
//: expect out = 3600 * (i / 60) + 1770
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    out[get_global_id(0)] = work_group_reduce_add((int)get_global_id(0));
}
//---- least_and_greatest
//: global 42
//: local 7
//: arg in=i32[42]:iota
//: arg out=i32[168]
//: expect out[0:42] = -6 - 7 * (i / 7)
//: expect out[42:84] = -7 * ((i - 42) / 7)
//: expect out[84:126] = -1
//: expect out[126:168] = (i - 126) / 7 * 7 + 6
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), x = -in[i];
    out[i] = work_group_reduce_min(x);
    out[42 + i] = work_group_reduce_max(x);
    out[84 + i] = work_group_reduce_max((uint)(in[i] % 7 == 3 ? -1 : x & 1));
    out[126 + i] = work_group_reduce_max((uint)in[i]);
}
//---- scans
//: global 78
//: local 39
//: arg out=i32[156]
//: expect out[0:78] = (i % 39) * (i % 39 + 1) / 2
//: expect out[78:156] = ((i - 78) % 39) * ((i - 78) % 39 - 1) / 2
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    int i = get_global_id(0), x = get_local_id(0);
    out[i] = work_group_scan_inclusive_add(x);
    out[78 + i] = work_group_scan_exclusive_add(x);
}
//---- scans_of_extremes
//: global 10
//: local 10
//: arg out=i32[40]
//: expect out = {5, -3, -3, -3, -9, -9, -9, -30, -30, -30,
//:               2147483647, 5, -3, -3, -3, -9, -9, -9, -30, -30,
//:               5, 5, 8, 8, 8, 8, 30, 30, 30, 30,
//:               -2147483648, 5, 5, 8, 8, 8, 8, 30, 30, 30}
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
constant int in[] = {5, -3, 8, 8, -9, 2, 30, -30, 1, 0};
kernel void k(global int* out) {
    int i = get_global_id(0), x = in[i];
    out[i] = work_group_scan_inclusive_min(x);
    out[10 + i] = work_group_scan_exclusive_min(x);
    out[20 + i] = work_group_scan_inclusive_max(x);
    out[30 + i] = work_group_scan_exclusive_max(x);
}
//---- wide_and_unsigned
//: global 5
//: local 5
//: arg out=i64[35]
//: expect out = {50000000000, 50000000000, 50000000000, 50000000000, 50000000000,
//:               -1, -1, 0, 0, 0,
//:               0, -1, -1, -1, -1,
//:               -1, -2, -3, -4, -5,
//:               4294967295, 4294967295, 4294967294, 4294967293, 4294967292,
//:               4294967295, 4294967295, 4294967295, 4294967295, 4294967295,
//:               0, 1, 2, 3, 4}
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global long* out) {
    int i = get_global_id(0);
    ulong top = (ulong)(long)-(i == 0);
    out[i] = work_group_reduce_add(10000000000L);
    out[5 + i] = work_group_scan_exclusive_min(top);
    out[10 + i] = work_group_scan_exclusive_max(top);
    out[15 + i] = work_group_scan_inclusive_min(-1L - i);
    out[20 + i] = work_group_scan_exclusive_min(~(uint)i);
    out[25 + i] = work_group_reduce_max(~(uint)i);
    out[30 + i] = work_group_scan_exclusive_add(1u);
}
//---- unsigned_extremes
//: global 5
//: local 5
//: arg out=i64[10]
//: expect out = {-1, -1, -1, -1, -1, 0, 0, 0, 0, 0}
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global long* out) {
    int i = get_global_id(0);
    out[i] = work_group_reduce_max((ulong)(long)-(i == 4));
    out[5 + i] = work_group_reduce_min((ulong)(long)-(i == 4));
}
//---- floats
//: global 6
//: local 6
//: arg out=f32[24]
//: arg wide=f64[12]
//: expect out = {1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 1.5f, inf, 1, 0.5f, 0, -0.5f, -1,
//:               -inf, 1, 1, 1, 1, 1, 0, 1, 1.5f, 1.5f, 1, 0}
//: expect wide = {15, 15, 15, 15, 15, 15, 0, 0, 1, 3, 6, 10}
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global float* out, global double* wide) {
    int i = get_global_id(0);
    float x = 1 - i * 0.5f;  // 1, 0.5, 0, -0.5, -1, -1.5
    out[i] = work_group_reduce_add(x + 0.5f);
    out[6 + i] = work_group_scan_exclusive_min(x);
    out[12 + i] = work_group_scan_exclusive_max(x);
    out[18 + i] = work_group_scan_exclusive_add(x);
    wide[i] = work_group_reduce_add((double)i);
    wide[6 + i] = work_group_scan_exclusive_add((double)i);
}
//---- order_of_sums
// Of five values, 0 takes in 4; then of four, 0 takes in 2 and 1 takes in 3; then 0 takes in 1.
//: global 5
//: local 5
//: arg out=f32[5]
//: expect out = 6
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
constant float in[] = {1e8f, 1, 2, 3, -1e8f};
kernel void k(global float* out) {
    out[get_global_id(0)] = work_group_reduce_add(in[get_global_id(0)]);
}
//---- votes
//: global 96
//: local 32
//: arg out=i32[288]
//: expect out[0:96] = i / 32 == 1
//: expect out[96:192] = (i - 96) / 32 < 2
//: expect out[192:288] = 1
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = work_group_any(i == 45);
    out[96 + i] = work_group_all(i != 77);
    out[192 + i] = work_group_any(i) == 1 && !work_group_any(0) && work_group_all(-1) && work_group_any(i % 32 == 31);
}
//---- broadcasts
//: global 24,6,4
//: local 6,3,2
//: arg out=i32[1728]
//: expect out[0:576] = i % 24 / 6 * 6 + 4 + 24 * (i / 24 % 6 / 3 * 3 + 2) + 144 * (i / 144 / 2 * 2 + 1)
//: expect out[576:1152] = 3
//: expect out[1152:1728] = (i - 1152) / 24 % 6 / 3 * 3 + 1
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    int i = get_global_linear_id();
    out[i] = work_group_broadcast(i, 4, 2, 1);
    out[576 + i] = work_group_broadcast((int)get_local_id(0), 3);
    out[1152 + i] = work_group_broadcast((int)get_global_id(1), 5, 1);
}
//---- one_after_the_other
//: global 64
//: local 16
//: arg out=i32[64]
//: expect out = 16 * 120 + 16 * 16
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
int sum(int x) { return work_group_reduce_add(x); }
kernel void k(global int* out) {
    int i = get_local_id(0), total = 0;
    for (int n = 0; n < 16; ++n) {
        int last = work_group_broadcast(i + n, n);     // 2n
        int before = work_group_scan_exclusive_add(1); // i
        total += sum(before == i && last == 2 * n);    // 16
        if (work_group_any(n == i)) total += work_group_reduce_max(i == n ? n : 0) * 16;
    }
    out[get_global_id(0)] = total;
}
//---- groups_of_one
//: global 5
//: local 1
//: arg out=i32[5]
//: expect out = 3 * i + 11
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = work_group_reduce_add(i) + work_group_scan_inclusive_max(i) + work_group_broadcast(i, 0)
        + work_group_scan_exclusive_add(7) + work_group_any(1) * 10 + work_group_all(1);
}
//---- required_size
//: global 128
//: local 64
//: arg out=u64[128]
//: expect out = (i % 64 + 1) * 3
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void k(global ulong* out) {
    out[get_global_id(0)] = work_group_scan_inclusive_add(3ul);
}
//---- not_all_come
//: global 8
//: local 8
//: arg out=i32[8]
//: trap divergent_barrier at 0 count 8
//: not host: barriers
//: not opencl: a function of OpenCL C 2.0
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 3) work_group_any(1);  // trap here
    else barrier(CLK_LOCAL_MEM_FENCE);
}
