// The chapter `math` with doubles.
//---- exponentials_of_special_values
//: global 1
//: arg out=f64[12]
//: expect out = {1, inf, 0, 1, 1, inf, 0, -1, inf, nan, 1024, 0.125}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    volatile double zero = 0.0;
    double none = -zero;
    out[0] = exp(zero);
    out[1] = exp(710.0);
    out[2] = exp(-INFINITY);
    out[3] = exp2(none);
    out[4] = exp10(zero);
    out[5] = exp10(INFINITY);
    out[6] = exp2(-1100.0);
    out[7] = expm1(-INFINITY);
    out[8] = expm1(INFINITY);
    out[9] = exp(NAN + zero);
    out[10] = exp2(10.0 + zero);
    out[11] = exp2(-3.0 + zero);
}
//---- exponentials_give_denormals
//: global 1
//: arg out=u64[3]
//: expect out = {1, 0x8000000000000001, 0x4000000000}
//: not host: the C++ library has other bits
kernel void k(global ulong* out) {
    volatile double zero = 0.0;
    out[0] = as_ulong(exp2(-1074.0 + zero));
    out[1] = as_ulong(expm1(as_double(0x8000000000000001) + zero));
    out[2] = as_ulong(exp2(-1036.0 + zero));
}
//---- logarithms_of_special_values
//: global 1
//: arg out=f64[10]
//: expect out = {-inf, nan, inf, 0, -1074, 10, nan, -inf, nan, -0.0}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    volatile double zero = 0.0;
    out[0] = log(zero);
    out[1] = log(-1.0 + zero);
    out[2] = log(INFINITY + zero);
    out[3] = log10(1.0 + zero);
    out[4] = log2(as_double(1L) + zero);
    out[5] = log2(1024.0 + zero);
    out[6] = log2(NAN + zero);
    out[7] = log1p(-1.0 + zero);
    out[8] = log1p(-2.0 + zero);
    out[9] = log1p(-zero);
}
//---- powers_with_written_exponents
//: global 1
//: arg out=f64[10]
//: expect out = {9, -27, 81, -0.25, 0.0625, 3, 0.25, inf, inf, 1e-320}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    volatile double three = 3.0, minus = -3.0, four = -4.0, nine = 9.0, infinite = -INFINITY;
    out[0] = pow(three, 2);
    out[1] = pow(minus, 3);
    out[2] = pow(minus, 4.0);
    out[3] = pown(four, -1);
    out[4] = pow(four, -2);
    out[5] = pow(nine, 0.5);
    out[6] = pow(four * four, -.5);
    out[7] = pow(infinite, 0.5);
    out[8] = pow(infinite, 2.0);
    out[9] = pow(1e160 + minus, -2.0);
}
//---- powers_of_special_values
//: global 1
//: arg out=f64[16]
//: expect out = {1, 1, 1, -inf, inf, nan, -8, 0, inf, nan, nan, 1, -0.0, -2, nan, 3}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    volatile double zero = 0.0, none = -0.0;
    out[0] = pow(NAN, zero);
    out[1] = pow(1.0, NAN + zero);
    out[2] = pow(-1.0, INFINITY + zero);
    out[3] = pow(none, -3.0);
    out[4] = pow(none, -2.0);
    out[5] = pow(-2.0, 0.5 + zero);
    out[6] = pow(-2.0, 3.0 + zero);
    out[7] = pow(0.5, INFINITY + zero);
    out[8] = pow(-INFINITY + zero, 0.5);
    out[9] = powr(zero, zero);
    out[10] = powr(-1.0 + zero, 2.0);
    out[11] = pown(NAN + zero, 0);
    out[12] = pown(none, 3);
    out[13] = rootn(-8.0 + zero, 3);
    out[14] = rootn(-8.0 + zero, 2);
    out[15] = pow(9.0 + zero, 0.5);
}
//---- circles_of_special_values
//: global 1
//: arg out=f64[14]
//: expect out = {-0.0, 1, -0.0, nan, nan, -0.0, 0, -1, inf, 0, -0.0, nan, 0.5, -0.0}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    volatile double zero = 0.0, none = -0.0;
    out[0] = sin(none);
    out[1] = cos(none);
    out[2] = tan(none);
    out[3] = sin(INFINITY + zero);
    out[4] = cos(NAN + zero);
    out[5] = sinpi(-3.0 + zero);
    out[6] = cospi(2.5 + zero);
    out[7] = cospi(0x1p51 + 1.0 + zero);
    out[8] = tanpi(0.5 + zero);
    out[9] = tanpi(2.0 + zero);
    out[10] = tanpi(1.0 + zero);
    out[11] = asin(1.5 + zero);
    out[12] = atan2pi(1.0 + zero, zero);
    out[13] = atan2(none, 1.0);
}
//---- sine_and_cosine_through_every_kind_of_pointer
//: global 3
//: arg out=f64[9]
//: expect out = {0, 0, 0, 1, 1, 1, 1, 1, 1}
//: not host: the C++ library has other bits
kernel void k(global double* out) {
    size_t i = get_global_id(0);
    double own;
    out[i] = sincos(0.0 * i, out + 3 + i);
    sincos(0.0 * i, &own);
    out[6 + i] = own;
}
//---- remainders_are_exact
//: global 1
//: arg out=f64[8]
//: expect out = {1, -1, 1, -1.5, 2, nan, 5, -0.0}
//: arg whole=i32[2]
//: expect whole = {3, -2}
//: not host: the C++ library has other bits
kernel void k(global double* out, global int* whole) {
    volatile double zero = 0.0;
    out[0] = fmod(7.0 + zero, 3.0);
    out[1] = fmod(-7.0 + zero, 3.0);
    out[2] = fmod(0x1p100 + zero, 3.0);
    out[3] = remainder(4.5 + zero, 3.0);
    out[4] = remquo(17.0 + zero, 5.0, whole);
    out[5] = fmod(1.0, zero);
    out[6] = fmod(5.0 + zero, INFINITY);
    out[7] = remquo(-6.0 + zero, 3.0, whole + 1);
}
//---- exponents
//: global 1
//: arg out=i32[5]
//: expect out = {-2147483648, 2147483647, 3, -1074, -1}
//: arg real=f64[3]
//: expect real = {-inf, inf, -1074}
//: not host: the C++ library has other bits
kernel void k(global int* out, global double* real) {
    volatile double zero = 0.0;
    out[0] = ilogb(zero);
    out[1] = ilogb(INFINITY + zero);
    out[2] = ilogb(-15.0 + zero);
    out[3] = ilogb(as_double(1L) + zero);
    out[4] = ilogb(0.5 + zero);
    real[0] = logb(zero);
    real[1] = logb(-INFINITY + zero);
    real[2] = logb(as_double(1L) + zero);
}
