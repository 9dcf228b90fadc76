// Traps: a throw that nobody catches ends its work-item; the others finish, and the launch says who it was.
//---- uncaught_throw
//: global 16
//: arg out=i32[16]
//: not opencl: no exceptions there
//: trap throw int 5 at 5 count 1
//: expect out = i == 5 ? 0 : i
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 5) throw i;  // trap here
    out[i] = i;
}
//---- lowest_id_is_reported
//: global 64
//: arg out=i32[64]
//: not opencl: no exceptions there
//: trap throw int 70 at 7 count 9
//: expect out = i % 7 == 0 && i > 0 ? 1 : 2
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 1;
    if (i % 7 == 0 && i > 0) throw i * 10;  // trap here
    out[i] = 2;
}
//---- out_of_a_helper
//: global 8
//: arg out=i32[8]
//: not opencl: no exceptions there
//: trap throw uint 4294967295 at 0 count 3
//: expect out = i < 3 ? 0 : i - 3
uint below(uint x) {
    if (x < 3) throw x - 1;  // trap here
    return x - 3;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = below(i);
}
//---- float_value
//: global 4
//: arg out=i32[4]
//: not opencl: no exceptions there
//: trap throw float 2.5 at 3 count 1
//: expect out = i < 3 ? 1 : 0
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 3) throw 2.5f;  // trap here
    out[i] = 1;
}
//---- double_value
//: global 2
//: arg out=i32[2]
//: not opencl: no exceptions there
//: trap throw double 0.1 at 0 count 2
kernel void k(global int* out) {
    throw 0.1;  // trap here
}
//---- narrow_value
//: global 3
//: arg out=i32[3]
//: not opencl: no exceptions there
//: trap throw char -1 at 1 count 1
//: expect out = i == 1 ? 0 : 9
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 1) throw (char)-1;  // trap here
    out[i] = 9;
}
//---- no_handler_of_this_type
//: global 6
//: arg out=i32[6]
//: not opencl: no exceptions there
//: trap throw float 1 at 1 count 2
//: expect out = i % 3 == 1 ? 0 : i % 3 == 2 ? 7 : 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        if (i % 3 == 1) throw 1.0f;  // trap here
        if (i % 3 == 2) throw 7;
        out[i] = 1;
    } catch (int v) {
        out[i] = v;
    }
}
//---- rethrown
//: global 4
//: arg out=i32[4]
//: not opencl: no exceptions there
//: trap throw int 2 at 2 count 2
//: expect out = i < 2 ? i : -1
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        throw i;  // trap here
    } catch (int v) {
        out[i] = v < 2 ? v : -1;
        if (v >= 2) throw;
    }
}
//---- in_a_loop
//: global 32
//: arg out=i32[32]
//: not opencl: no exceptions there
//: trap throw int 6 at 13 count 3
//: expect out = i == 13 || i == 17 || i == 31 ? 6 : 10
kernel void k(global int* out) {
    int i = get_global_id(0);
    for (int j = 0; j < 10; j++) {
        if (j == 6 && (i == 13 || i == 17 || i == 31)) throw j;  // trap here
        out[i]++;
    }
}
//---- all_of_them
//: global 100
//: arg out=i32[100]
//: not opencl: no exceptions there
//: trap throw long -1 at 0 count 100
//: expect out = 3
kernel void k(global int* out) {
    out[get_global_id(0)] = 3;
    throw -1L;  // trap here
}
//---- second_dimension
//: global 4,3
//: local 2,1
//: arg out=i32[12]
//: not opencl: no exceptions there
//: trap throw int 6 at 2,1 count 1
//: expect out = i == 6 ? 0 : 1
kernel void k(global int* out) {
    int i = get_global_id(1) * 4 + get_global_id(0);
    if (i == 6) throw i;  // trap here
    out[i] = 1;
}
//---- two_places
//: global 10
//: arg out=i32[10]
//: not opencl: no exceptions there
//: trap throw int 2 at 4 count 3
//: expect out = i == 4 || i > 7 ? 0 : 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i > 7) throw 1;
    if (i == 4) throw 2;  // trap here
    out[i] = 1;
}
//---- with_an_offset
//: global 8
//: offset 100
//: arg out=i32[8]
//: not opencl: no exceptions there
//: trap throw int 103 at 103 count 1
//: expect out = i == 3 ? 0 : i + 100
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 103) throw i;  // trap here
    out[i - 100] = i;
}
