// Vectors on which all components take the same way: they can stay as they lie in memory. And those that cannot.
//---- scaled_float16
//: not host: vectors
//: global 160
//: local 32
//: arg a=f32[2560]:iota
//: arg b=f32[2560]
//: arg k=3
//: expect b = i * 3 + 1
kernel void k(global const float16* a, global float16* b, float k) {
    int i = get_global_id(0);
    b[i] = a[i] * k + 1.0f;
}
//---- long8_of_two_arrays
//: not host: vectors
//: global 192
//: local 64
//: arg a=i64[1536]:iota
//: arg b=i64[1536]:iota
//: expect b = i * 5 - 7
kernel void k(global const long8* a, global long8* b) {
    int i = get_global_id(0);
    b[i] += (a[i] << 2) - 7;
}
//---- double4_to_float4
//: not host: vectors
//: global 128
//: local 64
//: arg a=f64[512]:iota
//: arg b=f32[512]
//: expect b = i * 0.5
kernel void k(global const double4* a, global float4* b) {
    int i = get_global_id(0);
    b[i] = convert_float4(a[i] * 0.5);
}
//---- uchar16_becomes_int16
//: not host: vectors
//: global 64
//: local 64
//: arg a=u8[1024]:iota
//: arg b=i32[1024]
//: expect b = (i % 256) * 3
kernel void k(global const uchar16* a, global int16* b) {
    int i = get_global_id(0);
    b[i] = convert_int16(a[i]) * 3;
}
//---- short8_becomes_uchar8
//: not host: vectors
//: global 128
//: local 64
//: arg a=i16[1024]:iota
//: arg b=u8[1024]
//: expect b = (i * 2 + 1) % 256
kernel void k(global const short8* a, global uchar8* b) {
    int i = get_global_id(0);
    b[i] = convert_uchar8((a[i] * (short)2 + (short)1) & (short)255);
}
//---- comparison_selects
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[512]:iota
//: arg b=i32[512]
//: expect b = i > 100 ? i * 2 : 100 - i
kernel void k(global const int8* a, global int8* b) {
    int i = get_global_id(0);
    int8 v = a[i];
    b[i] = v > 100 ? v * 2 : 100 - v;
}
//---- partial_waves
//: not host: vectors
//: global 100
//: arg a=f32[1600]:iota
//: arg b=f32[1600]
//: expect b = i - 1
kernel void k(global const float16* a, global float16* b) {
    int i = get_global_id(0);
    b[i] = a[i] - 1.0f;
}
//---- guarded
//: not host: vectors
//: global 128
//: local 64
//: arg a=i32[2048]:iota
//: arg b=i32[2048]
//: arg n=90
//: expect b = i < 90 * 16 ? i * 2 : 0
kernel void k(global const int16* a, global int16* b, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    b[i] = a[i] * 2;
}
//---- components_change_places
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: expect b = i / 4 * 4 + (i % 4 + 1) % 4 + 1
kernel void k(global const int4* a, global int4* b) {
    int i = get_global_id(0);
    b[i] = a[i].yzwx + 1;
}
//---- components_meet
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: expect b = 2 * i + 1 - i % 4 * 2 + (i % 4 ^ 1) + i % 4 - 1
kernel void k(global const int4* a, global int4* b) {
    int i = get_global_id(0);
    b[i] = a[i] + a[i].yxwz;
}
//---- one_component_is_also_used_alone
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: arg c=i32[64]
//: expect b = i + 2
//: expect c = i * 4 + 4
kernel void k(global const int4* a, global int4* b, global int* c) {
    int i = get_global_id(0);
    int4 v = a[i] + 2;
    b[i] = v;
    c[i] = v.z;
}
//---- a_number_of_each_lane
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: expect b = i + i / 4
kernel void k(global const int4* a, global int4* b) {
    int i = get_global_id(0);
    b[i] = a[i] + i;
}
//---- a_number_of_each_component
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: expect b = i + i % 4 * 10
kernel void k(global const int4* a, global int4* b) {
    int i = get_global_id(0);
    b[i] = a[i] + (int4)(0, 10, 20, 30);
}
//---- stores_elsewhere
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: expect b = i + 3 - 2 * (i % 4)
kernel void k(global const int4* a, global int* b) {
    int i = get_global_id(0);
    int4 v = a[i];
    b[4 * i] = v.w, b[4 * i + 1] = v.z, b[4 * i + 2] = v.y, b[4 * i + 3] = v.x;
}
//---- three_of_four
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]:fill(-1)
//: expect b = i % 4 == 3 ? -1 : i * 2
kernel void k(global const int4* a, global int* b) {
    int i = get_global_id(0);
    int4 v = a[i] * 2;
    b[4 * i] = v.x, b[4 * i + 1] = v.y, b[4 * i + 2] = v.z;
}
//---- a_store_between
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: expect a = i % 4 == 0 ? (i + 5) * 2 : i * 2
kernel void k(global int4* a) {
    int i = get_global_id(0);
    ((global int*)(a + i))[0] += 5;
    a[i] = a[i] * 2;
}
//---- packed_colours
//: not host: vectors
//: global 192
//: local 64
//: arg a=u8[576]:iota
//: arg b=u8[576]
//: expect b = 255 - i % 256
kernel void k(global const uchar* a, global uchar* b) {
    int i = get_global_id(0);
    vstore3((uchar3)(255) - vload3(i, a), i, b);
}
//---- sums_in_a_loop
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[768]:iota
//: arg b=i32[256]
//: arg n=3
//: expect b = i * 6 + 2048
kernel void k(global const int4* a, global int4* b, int n) {
    int i = get_global_id(0);
    int4 sum = 0;
    for (int j = 0; j < n; j++) sum += a[j * 64 + i] * (j + 1);
    b[i] = sum;
}
//---- two_change_places_in_a_loop
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]:fill(1000)
//: arg n=5
//: expect a = 1000 + 7 * 2
//: expect b = i + 7 * 3
kernel void k(global int4* a, global int4* b, int n) {
    int i = get_global_id(0);
    int4 x = a[i], y = b[i];
    for (int j = 0; j < n; j++) {
        int4 old = x + (n > 4 ? 7 : 8);
        x = y, y = old;
    }
    a[i] = x, b[i] = y;
}
//---- components_change_places_in_a_loop
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg n=3
//: expect a = i - i % 4 + (i + 3) % 4
kernel void k(global int4* a, int n) {
    int4 v = a[get_global_id(0)];
    for (int j = 0; j < n; j++) v = v.yzwx;
    a[get_global_id(0)] = v;
}
//---- starts_with_a_number_of_each_component
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: arg n=2
//: expect b = i * 2 + i % 4
kernel void k(global const int4* a, global int4* b, int n) {
    int i = get_global_id(0);
    int4 sum = (int4)(0, 1, 2, 3);
    for (int j = 0; j < n; j++) sum += a[i];
    b[i] = sum;
}
//---- branches_around_them
//: not host: vectors
//: global 64
//: local 64
//: arg a=i32[256]:iota
//: arg b=i32[256]
//: arg n=3
//: expect b = i * 2 + i / 4 % 2 * 100
kernel void k(global const int4* a, global int4* b, int n) {
    int i = get_global_id(0);
    int4 v = a[i];
    if (n > 2) v = v * 2;
    if (i % 2) v += 100;
    b[i] = v;
}
//---- some_lanes_in_a_loop
//: not host: vectors
//: global 41
//: arg a=f64[492]:iota
//: arg b=f64[164]:fill(-1)
//: arg n=3
//: expect b = i / 4 % 3 == 1 ? -1 : i * 3 + 492
kernel void k(global const double4* a, global double4* b, int n) {
    int i = get_global_id(0);
    if (i % 3 == 1) return;
    double4 sum = 0;
    for (int j = 0; j < n; j++) sum += a[j * 41 + i];
    b[i] = sum;
}
//---- fewer_iterations_for_some
//: not host: vectors
//: global 41
//: arg a=i32[82]:iota
//: arg b=i32[82]
//: expect b = i / 2 % 4 * i
kernel void k(global const int2* a, global int2* b) {
    int i = get_global_id(0);
    int2 sum = 0;
    for (int j = 0; j < i % 4; j++) sum += a[i];
    b[i] = sum;
}
