// assert, and barriers that not all work-items reach: traps that nothing catches.
//---- holds
//: global 8
//: not opencl: no assert there
//: arg out=i32[8]
//: expect out = i
kernel void k(global int* out) {
    int i = get_global_id(0);
    assert(i >= 0 && i < 8);
    out[i] = i;
}
//---- fails_for_some
//: global 16
//: not opencl: no assert there
//: arg out=i32[16]
//: trap assert at 3 count 4
//: expect out = i % 4 == 3 ? 1 : 2
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 1;
    assert(i % 4 != 3);  // trap here
    out[i] = 2;
}
//---- is_not_caught
//: global 6
//: not host: the prelude's assert is caught by catch (...)
//: not opencl: no assert there
//: arg out=i32[6]
//: trap assert at 2 count 1
//: expect out = i == 2 ? 0 : i == 4 ? -1 : 5
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        assert(i != 2);  // trap here
        if (i == 4) throw 1;
        out[i] = 5;
    } catch (...) {
        out[i] = -1;
    }
}
//---- in_a_helper_in_a_loop
//: global 12
//: not opencl: no assert there
//: arg out=i32[12]
//: trap assert at 8 count 4
//: expect out = min(i, 7)
int below7(int x) {
    assert(x < 7);  // trap here
    return x + 1;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    for (int j = 0; j < i; j++) out[i] = below7(j);
}
//---- condition_is_evaluated_once
//: global 4
//: not opencl: no assert there
//: arg out=i32[4]
//: expect out = 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    assert(++n == 1);
    out[i] = n;
}
//---- next_to_a_throw
//: global 10
//: not opencl: no assert there
//: arg out=i32[10]
//: trap assert at 5 count 3
//: expect out = i == 5 || i > 7 ? 0 : 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i > 7) throw i;
    assert(i != 5);  // trap here
    out[i] = 1;
}
//---- divergent_barrier
//: global 8
//: local 8
//: not host: barriers
//: not opencl: OpenCL C leaves it open
//: arg out=i32[8]
//: trap divergent_barrier at 0 count 8
//: expect out = 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 1;
    if (i < 4) barrier(CLK_LOCAL_MEM_FENCE);  // trap here
    else barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = 2;
}
//---- other_groups_go_on
//: global 12
//: local 4
//: not host: barriers
//: not opencl: OpenCL C leaves it open
//: arg out=i32[12]
//: trap divergent_barrier at 4 count 4
//: expect out = i / 4 == 1 ? 0 : i
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i / 4 == 1 && i % 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // trap here
    out[i] = i;
}
//---- divergent_barrier_along_y
// Rows lie along y here; the lowest work-item is the lowest in the order of the launch.
//: global 4,16
//: local 4,16
//: not host: barriers
//: not opencl: OpenCL C leaves it open
//: arg a=i32[256]:iota
//: arg out=i32[256]
//: trap divergent_barrier at 2,3 count 50
//: expect out = 0
kernel void k(global const int* a, global int* out) {
    local int tile[4][16];
    int x = get_global_id(0), y = get_global_id(1);
    tile[x][y] = a[x * 16 + y];
    if (y < 3 || (y == 3 && x < 2)) return;
    if (x & 1) barrier(CLK_LOCAL_MEM_FENCE); else barrier(CLK_LOCAL_MEM_FENCE);  // trap here
    out[x * 16 + y] = tile[x][y] + 1;
}
