// Conversions: promotions, the usual arithmetic conversions, casts, convert_T and as_T.
//---- promotion_to_int
//: global 256
//: arg in=u8[256]:iota
//: arg out=i32[256]
//: expect out = in[i] * 255 - 70000
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0);
    uchar c = 255;
    out[i] = in[i] * c - 70000;
}
//---- promoted_complement
//: global 256
//: arg in=u8[256]:iota
//: arg out=i32[256]
//: expect out = -in[i] - 1
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0);
    out[i] = ~in[i];
}
//---- promoted_minus
//: global 16
//: arg in=u16[16]:iota
//: arg out=i64[16]
//: expect out = -in[i]
kernel void k(global const ushort* in, global long* out) {
    int i = get_global_id(0);
    out[i] = -in[i];
}
//---- signed_meets_unsigned
//: global 1
//: arg out=i32[4]
//: expect out = {0, 1, 1, 0}
kernel void k(global int* out) {
    int minus = -1;
    uint one = 1;
    out[0] = minus < one;
    out[1] = minus > one;
    out[2] = minus < 1;
    out[3] = (long)minus > one;
}
//---- unsigned_to_long_keeps_value
//: global 2
//: arg out=i64[2]
//: expect out = {4294967295, -1}
kernel void k(global long* out) {
    uint u = -1;
    int s = -1;
    if (get_global_id(0) == 0) out[0] = u;
    else out[1] = s;
}
//---- uint_difference_wraps_before_widening
//: global 1
//: arg out=i64[2]
//: expect out = {4294967295, -1}
kernel void k(global long* out) {
    uint a = 1, b = 2;
    out[0] = a - b;
    out[1] = (long)a - b;
}
//---- int_to_float_rounds_to_even
//: global 8
//: arg out=f32[8]
//: expect out = {16777216, 16777216, 16777218, 16777220, 16777220, 16777220, 16777222, 16777224}
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = 16777216 + i;
}
//---- uint_to_float
//: global 3
//: arg in=u32[3]:fill(4294967295)
//: arg out=f32[3]
//: expect out = 4294967296
kernel void k(global const uint* in, global float* out) {
    int i = get_global_id(0);
    out[i] = in[i];
}
//---- ulong_to_double
//: global 1
//: arg in=u64[1]:fill(18446744073709551615)
//: arg out=f64[2]
//: expect out = {18446744073709551616.0, -1}
kernel void k(global const ulong* in, global double* out) {
    out[0] = in[0];
    out[1] = (long)in[0];
}
//---- long_to_float
//: global 1
//: arg out=f32[2]
//: expect out = {pow2(62), -9007199254740992.0}
kernel void k(global float* out) {
    long a = 4611686018427387905L, b = -9007199254740993L;
    out[0] = a;
    out[1] = b;
}
//---- float_to_int_truncates
//: global 9
//: arg out=i32[9]
//: expect out = {-2, -1, -1, 0, 0, 0, 1, 1, 2}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = (i - 4) * 0.5f;
}
//---- float_to_int_saturates
//: global 1
//: arg out=i32[5]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {2147483647, -2147483648, 0, 2147483647, -2147483648}
kernel void k(global int* out) {
    float big = 3e9f;
    out[0] = big;
    out[1] = -big;
    out[2] = (int)NAN;
    out[3] = INFINITY;
    out[4] = -INFINITY;
}
//---- float_to_narrow_saturates
//: global 1
//: arg in=f32[1]:fill(1000.5)
//: arg out=i32[6]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {127, -128, 255, 0, 1000, 0}
kernel void k(global const float* in, global int* out) {
    float f = in[0];
    out[0] = (char)f;
    out[1] = (char)-f;
    out[2] = (uchar)f;
    out[3] = (uchar)-f;
    out[4] = (short)f;
    out[5] = (ushort)-f;
}
//---- double_to_long_saturates
//: global 1
//: arg in=f64[1]:fill(1e300)
//: arg out=i64[2]
//: arg uns=u64[2]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {9223372036854775807, -9223372036854775807 - 1}
//: expect uns = {u64(-1), 0}
kernel void k(global const double* in, global long* out, global ulong* uns) {
    out[0] = in[0];
    out[1] = -in[0];
    uns[0] = in[0];
    uns[1] = -in[0];
}
//---- float_to_uint
//: global 4
//: arg in=f32[4]:fill(3000000000)
//: arg out=u32[4]
//: expect out = 3000000000
kernel void k(global const float* in, global uint* out) {
    int i = get_global_id(0);
    out[i] = in[i];
}
//---- double_to_float_rounds
//: global 1
//: arg in=f64[3]:fill(0.1)
//: arg out=f32[3]
//: expect out = {0.1f, inf, 0}
kernel void k(global const double* in, global float* out) {
    out[0] = in[0];
    out[1] = in[1] * 1e300;
    out[2] = in[2] * 1e-300;
}
//---- double_to_float_makes_denormals
//: global 1
//: arg in=f64[1]:fill(1e-40)
//: arg out=f32[1]
//: arg bits=u32[1]
//: expect out = {1e-40f}
//: expect bits = {71362}
kernel void k(global const double* in, global float* out, global uint* bits) {
    out[0] = in[0];
    bits[0] = as_uint(out[0]);
}
//---- float_meets_int
//: global 10
//: arg out=f32[10]
//: expect out = f32(i) / 4
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = i / 4.0f;
}
//---- float_meets_double
//: global 2
//: arg in=f32[2]:fill(0.1)
//: arg out=f64[2]
//: expect out = {f64(0.1f) + 0.1, 0.1f + 0.1f}
kernel void k(global const float* in, global double* out) {
    out[0] = in[0] + 0.1;
    out[1] = in[1] + 0.1f;
}
//---- casts_bind_tighter_than_operators
//: global 1
//: arg out=f32[3]
//: expect out = {2.5, 2, -1}
kernel void k(global float* out) {
    int a = 5, b = 2;
    out[0] = (float)a / b;
    out[1] = (float)(a / b);
    out[2] = (float)-b / b;
}
//---- convert_functions
//: global 1
//: arg out=i64[6]
//: expect out = {3, -3, 44, 200, 65535, 7}
kernel void k(global long* out) {
    out[0] = convert_int(3.9f);
    out[1] = convert_long(-3.9);
    out[2] = convert_char(300);
    out[3] = convert_uchar(200);
    out[4] = convert_ushort(-1);
    out[5] = convert_ulong(7.0f);
}
//---- convert_to_floats
//: global 1
//: arg out=f64[3]
//: expect out = {16777216, 4294967295, 0.1f}
kernel void k(global double* out) {
    out[0] = convert_float(16777217);
    out[1] = convert_double(4294967295u);
    out[2] = convert_float(0.1);
}
//---- as_float_and_back
//: global 16
//: arg out=u32[16]
//: arg f=f32[16]
//: expect f = as_f32(0x3f800000 + i * 4096)
//: expect out = 0x3f800000 + i * 4096
kernel void k(global uint* out, global float* f) {
    uint i = get_global_id(0);
    f[i] = as_float(0x3f800000u + i * 4096);
    out[i] = as_uint(f[i]);
}
//---- as_double
//: global 1
//: arg out=f64[1]
//: arg bits=i64[1]
//: expect out = {-2}
//: expect bits = {0x4008000000000000}
kernel void k(global double* out, global long* bits) {
    out[0] = as_double(0xc000000000000000UL);
    bits[0] = as_long(3.0);
}
//---- assignment_converts
//: global 16
//: arg out=i32[16]
//: expect out = u8(i * 50)
kernel void k(global int* out) {
    int i = get_global_id(0);
    uchar c;
    out[i] = c = i * 50;
}
//---- argument_converts
//: global 16
//: arg out=i32[16]
//: expect out = i8(i * 40) * 2
int twice(char c) { return c * 2; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = twice(i * 40);
}
//---- result_converts
//: global 16
//: arg out=i32[16]
//: expect out = i16(i * 5000)
short narrow(int x) { return x; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = narrow(i * 5000);
}
//---- compound_assignment_computes_wide
//: global 1
//: arg out=i32[3]
//: expect out = {144, 127, 3}
kernel void k(global int* out) {
    uchar c = 200;
    c += 200;
    out[0] = c;
    char d = 1;
    d *= 127.9f;
    out[1] = d;
    int e = 10;
    e *= 0.35;
    out[2] = e;
}
//---- conditional_has_the_common_type
//: global 2
//: arg out=f32[2]
//: arg u=i64[2]
//: expect out = {3, 0.5}
//: expect u = {4294967295, 1}
kernel void k(global float* out, global long* u) {
    int i = get_global_id(0);
    out[i] = i == 0 ? 3 : 0.5f;
    u[i] = i == 0 ? -1 : 1u;
}

//---- widened_compared_with_constant
//: global 16
//: arg in=i32[16]:iota
//: arg out=i32[16]
//: expect out = (i - 8 < 5) + 2 * (i - 8 >= 5) + 4 * (i - 8 > -3) + 8 * (i - 8 <= -3)
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    long wide = in[i] - 8;
    out[i] = (wide < 5) + 2 * (wide >= 5) + 4 * (wide > -3) + 8 * (wide <= -3);
}
//---- extensions_of_a_cut_number
// Sign extension to 16 bits, then zero extension: not the zero extension of the number that was cut to 8 bits.
//: global 8
//: arg out=i64[8]
//: expect out = 65536 - (i == 0 ? 7 : i == 1 ? 4 : i == 2 ? 2 : 1)
kernel void k(global long* out) {
    int i = get_global_id(0);
    uchar cut = -7 >> i;
    ushort wide = (char)cut;
    out[i] = wide;
}
