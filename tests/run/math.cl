// The math library where its results are exact: special values, and arguments whose results are whole. Errors are
// measured by tests/prelude.
//---- exponentials_of_special_values
//: global 1
//: arg out=f32[12]
//: expect out = {1, inf, 0, 1, 1, inf, 0, -1, inf, nan, 1024, 0.125}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    volatile float zero = 0.0f;
    float none = -zero;
    out[0] = exp(zero);
    out[1] = exp(89.0f);
    out[2] = exp(-INFINITY);
    out[3] = exp2(none);
    out[4] = exp10(zero);
    out[5] = exp10(INFINITY);
    out[6] = exp2(-200.0f);
    out[7] = expm1(-INFINITY);
    out[8] = expm1(INFINITY);
    out[9] = exp(NAN + zero);
    out[10] = exp2(10.0f + zero);
    out[11] = exp2(-3.0f + zero);
}
//---- exponentials_give_denormals
//: global 1
//: arg out=u32[3]
//: expect out = {1, 0x80000001, 0x200}
//: not host: the C++ library has other bits
kernel void k(global uint* out) {
    volatile float zero = 0.0f;
    out[0] = as_uint(exp2(-149.0f + zero));
    out[1] = as_uint(expm1(as_float(0x80000001u) + zero));
    out[2] = as_uint(exp2(-140.0f + zero));
}
//---- logarithms_of_special_values
//: global 1
//: arg out=f32[10]
//: expect out = {-inf, nan, inf, 0, -149, 10, nan, -inf, nan, -0.0}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    volatile float zero = 0.0f;
    out[0] = log(zero);
    out[1] = log(-1.0f + zero);
    out[2] = log(INFINITY + zero);
    out[3] = log10(1.0f + zero);
    out[4] = log2(as_float(1) + zero);
    out[5] = log2(1024.0f + zero);
    out[6] = log2(NAN + zero);
    out[7] = log1p(-1.0f + zero);
    out[8] = log1p(-2.0f + zero);
    out[9] = log1p(-zero);
}
//---- powers_with_written_exponents
//: global 1
//: arg out=f32[36]
//: expect out = {9, -27, 81, -0.25, 0.0625, 3, 0.25, inf, 0, inf, 0, nan, nan, inf, -inf, inf, 0, nan, 4, 27, 16, 3, 4, 25, 36, 49, 1e-40, 1, 0.25, 0.125, 0.0625, 0.03125, 4, 8, 16, 32}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    volatile float three = 3.0f, minus = -3.0f, four = -4.0f, nine = 9.0f, none = -0.0f, infinite = -INFINITY;
    out[0] = pow(three, 2);
    out[1] = pow(minus, 3.0f);
    out[2] = pow(minus, (char)4);
    out[3] = pown(four, -1);
    out[4] = pow(four, -2.0f);
    out[5] = pow(nine, 0.5f);
    out[6] = pow(16.0f + none, -.5f);
    out[7] = pow(infinite, 0.5f);
    out[8] = pow(none, 0.5f);
    out[9] = pow(none, -0.5f);
    out[10] = pow(infinite, -0.5f);
    out[11] = pow(minus, 0.5f);
    out[12] = pow(minus, -0.5f);
    out[13] = pow(infinite, 2.0f);
    out[14] = pown(none, -1);
    out[15] = pown(none, -2);
    out[16] = pown(infinite, -2);
    out[17] = pow(NAN + none, 2.0f);
    // Components with other exponents are powers of their own.
    float4 mixed = pow((float4)(2.0f, 3.0f, 4.0f, 9.0f) + none, (float4)(2.0f, 3.0f, 2.0f, 0.5f));
    vstore4(mixed, 0, out + 18);
    float4 same = pow((float4)(2.0f, 5.0f, 6.0f, 7.0f) + none, (float4)(2.0f));
    vstore4(same, 0, out + 22);
    out[26] = pow(1e20f + none, -2.0f);
    out[27] = half_powr(1.0f + none, 3.0f);
    // Exponents that are expressions of vectors, too.
    vstore4(pow((float4)(2.0f) + none, -(float4)(2, 3, 4, 5)), 0, out + 28);
    vstore4(pown((float4)(2.0f) + none, (int4)(1, 2, 3, 4) + 1), 0, out + 32);
}
//---- powers_of_special_values
//: global 1
//: arg out=f32[16]
//: expect out = {1, 1, 1, -inf, inf, nan, -8, 0, inf, nan, nan, 1, -0.0, -2, nan, 3}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    volatile float zero = 0.0f, none = -0.0f;
    out[0] = pow(NAN, zero);
    out[1] = pow(1.0f, NAN + zero);
    out[2] = pow(-1.0f, INFINITY + zero);
    out[3] = pow(none, -3.0f);
    out[4] = pow(none, -2.0f);
    out[5] = pow(-2.0f, 0.5f + zero);
    out[6] = pow(-2.0f, 3.0f + zero);
    out[7] = pow(0.5f, INFINITY + zero);
    out[8] = pow(-INFINITY + zero, 0.5f);
    out[9] = powr(zero, zero);
    out[10] = powr(-1.0f + zero, 2.0f);
    out[11] = pown(NAN + zero, 0);
    out[12] = pown(none, 3);
    out[13] = rootn(-8.0f + zero, 3);
    out[14] = rootn(-8.0f + zero, 2);
    out[15] = pow(9.0f + zero, 0.5f);
}
//---- circles_of_special_values
//: global 1
//: arg out=f32[14]
//: expect out = {-0.0, 1, -0.0, nan, nan, -0.0, 0, -1, inf, 0, -0.0, nan, 0.5, -0.0}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    volatile float zero = 0.0f, none = -0.0f;
    out[0] = sin(none);
    out[1] = cos(none);
    out[2] = tan(none);
    out[3] = sin(INFINITY + zero);
    out[4] = cos(NAN + zero);
    out[5] = sinpi(-3.0f + zero);
    out[6] = cospi(2.5f + zero);
    out[7] = cospi(4194305.0f + zero);
    out[8] = tanpi(0.5f + zero);
    out[9] = tanpi(2.0f + zero);
    out[10] = tanpi(1.0f + zero);
    out[11] = asin(1.5f + zero);
    out[12] = atan2pi(1.0f + zero, zero);
    out[13] = atan2(none, 1.0f);
}
//---- sine_and_cosine_through_every_kind_of_pointer
//: global 3
//: arg out=f32[9]
//: expect out = {0, 0, 0, 1, 1, 1, 1, 1, 1}
//: not host: the C++ library has other bits
kernel void k(global float* out) {
    size_t i = get_global_id(0);
    float own;
    out[i] = sincos(0.0f * i, out + 3 + i);
    sincos(0.0f * i, &own);
    out[6 + i] = own;
}
//---- remainders_are_exact
//: global 1
//: arg out=f32[8]
//: expect out = {1, -1, 1, -1.5, 2, nan, 5, -0.0}
//: arg whole=i32[2]
//: expect whole = {3, -2}
//: not host: the C++ library has other bits
kernel void k(global float* out, global int* whole) {
    volatile float zero = 0.0f;
    out[0] = fmod(7.0f + zero, 3.0f);
    out[1] = fmod(-7.0f + zero, 3.0f);
    out[2] = fmod(0x1p100f + zero, 3.0f);
    out[3] = remainder(4.5f + zero, 3.0f);
    out[4] = remquo(17.0f + zero, 5.0f, whole);
    out[5] = fmod(1.0f, zero);
    out[6] = fmod(5.0f + zero, INFINITY);
    out[7] = remquo(-6.0f + zero, 3.0f, whole + 1);
}
//---- exponents
//: global 1
//: arg out=i32[5]
//: expect out = {-2147483648, 2147483647, 3, -149, -1}
//: arg real=f32[3]
//: expect real = {-inf, inf, -149}
//: not host: the C++ library has other bits
kernel void k(global int* out, global float* real) {
    volatile float zero = 0.0f;
    out[0] = ilogb(zero);
    out[1] = ilogb(INFINITY + zero);
    out[2] = ilogb(-15.0f + zero);
    out[3] = ilogb(as_float(1) + zero);
    out[4] = ilogb(0.5f + zero);
    real[0] = logb(zero);
    real[1] = logb(-INFINITY + zero);
    real[2] = logb(as_float(1) + zero);
}
//---- constants_of_floats_are_those_of_doubles_rounded
//: global 1
//: arg out=i32[15]
//: expect out = 1
//: not host: the constants are the compiler's own
#define SAME(name) (name##_F == (float)name)
kernel void k(global int* out) {
    out[0] = SAME(M_E);
    out[1] = SAME(M_LOG2E);
    out[2] = SAME(M_LOG10E);
    out[3] = SAME(M_LN2);
    out[4] = SAME(M_LN10);
    out[5] = SAME(M_PI);
    out[6] = SAME(M_PI_2);
    out[7] = SAME(M_PI_4);
    out[8] = SAME(M_1_PI);
    out[9] = SAME(M_2_PI);
    out[10] = SAME(M_2_SQRTPI);
    out[11] = SAME(M_SQRT2);
    out[12] = SAME(M_SQRT1_2);
    volatile float zero = 0.0f;
    out[13] = ilogb(zero) == FP_ILOGB0 && ilogb(zero / zero) == FP_ILOGBNAN;
    out[14] = log2(FLT_MIN + zero) == FLT_MIN_EXP - 1;
}
