// Work-items: ids, sizes, groups, offsets, dimensions.
//---- global_ids
//: global 100
//: arg out=i32[100]
//: expect out = i
kernel void k(global int* out) { out[get_global_id(0)] = get_global_id(0); }
//---- local_and_group_ids
//: global 60
//: local 12
//: arg out=i32[60]
//: expect out = i / 12 * 1000 + i % 12
kernel void k(global int* out) {
    out[get_global_id(0)] = get_group_id(0) * 1000 + get_local_id(0);
}
//---- sizes
//: global 24
//: local 6
//: arg out=i32[24]
//: expect out = 24 + 6 * 100 + 4 * 10000 + 1 * 100000
kernel void k(global int* out) {
    out[get_global_id(0)] = get_global_size(0) + get_local_size(0) * 100 + get_num_groups(0) * 10000 +
                            get_work_dim() * 100000;
}
//---- two_dimensions
//: global 7,5
//: arg out=i32[35]
//: expect out = i % 7 * 10 + i / 7 + 200
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = x * 10 + y + get_work_dim() * 100;
}
//---- three_dimensions
//: global 4,3,2
//: local 2,3,1
//: arg out=i32[24]
//: expect out = i % 4 * 100 + i / 4 % 3 * 10 + i / 12 + (i % 4 % 2 + i / 4 % 3) * 1000
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * 3 + y) * 4 + x] = x * 100 + y * 10 + z + (get_local_id(0) + get_local_id(1) + get_local_id(2)) * 1000;
}
//---- flat_groups_in_two_dimensions
//: global 8,8
//: local 1,8
//: arg out=i32[64]
//: expect out = i / 8 + i % 8 * 100
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 8 + x] = get_local_id(1) + get_group_id(0) * 100;
}
//---- offsets
//: global 10
//: local 5
//: offset 1000
//: arg out=i32[10]
//: expect out = 1000 + i + 1000000 + i / 5 * 10000000
kernel void k(global int* out) {
    size_t i = get_global_id(0);
    out[i - get_global_offset(0)] = i + get_global_offset(0) * 1000 + get_group_id(0) * 10000000;
}
//---- offsets_in_two_dimensions
//: global 3,4
//: offset 5,7
//: arg out=i32[12]
//: expect out = (i % 3 + 5) * 100 + i / 3 + 7
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[(y - 7) * 3 + x - 5] = x * 100 + y;
}
//---- dimensions_beyond_the_launch
//: global 2
//: arg out=i32[2]
//: expect out = 111000
kernel void k(global int* out) {
    out[get_global_id(0)] = get_global_id(1) + get_local_id(2) * 10 + get_group_id(1) * 100 +
                            get_global_size(1) * 1000 + get_local_size(2) * 10000 + get_num_groups(1) * 100000;
}
//---- dimension_out_of_range
//: global 2
//: not opencl: PoCL 3.1 gives 0 for sizes, the specification says 1
//: arg out=i32[2]
//: expect out = 11
kernel void k(global int* out) {
    out[get_global_id(0)] = get_global_id(3) + get_global_size(7) + get_local_size(5) * 10;
}
//---- dimension_from_a_variable
//: global 3,2
//: arg out=i32[6]
//: expect out = i % 3 + i / 3 * 10
kernel void k(global int* out) {
    int n = 0, scale = 1;
    for (uint d = 0; d < 2; d++, scale *= 10) n += get_global_id(d) * scale;
    out[get_global_id(1) * 3 + get_global_id(0)] = n;
}
//---- required_group_size
//: global 12
//: arg out=i32[12]
//: expect out = i % 4 + 40
__attribute__((reqd_work_group_size(4, 1, 1))) kernel void k(global int* out) {
    out[get_global_id(0)] = get_local_id(0) + get_local_size(0) * 10;
}
//---- odd_group_size
//: global 35
//: local 35
//: arg out=i32[35]
//: expect out = i * 2 + (i > 20)
kernel void k(global int* out) {
    int i = get_local_id(0);
    if (i > 20) out[i] = 1;
    out[i] += 2 * i;
}
//---- one_work_item
//: global 1
//: arg out=i32[1]
//: expect out = {77}
kernel void k(global int* out) { out[get_global_id(0)] = 77; }
//---- large_groups
//: global 2048
//: local 1024
//: arg out=i32[2048]
//: expect out = i % 1024 + i / 1024 * 10000
kernel void k(global int* out) {
    out[get_global_id(0)] = get_local_id(0) + get_group_id(0) * 10000;
}
