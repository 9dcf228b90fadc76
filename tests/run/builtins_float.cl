// Built-in functions on floats that are exact or correctly rounded.
//---- rounding_functions
//: global 17
//: arg out=f32[68]
//: expect out[0:17] = floor((f32(i) - 8) / 4)
//: expect out[17:34] = ceil((f32(i - 17) - 8) / 4)
//: expect out[34:51] = trunc((f32(i - 34) - 8) / 4)
//: expect out[51:68] = rint((f32(i - 51) - 8) / 4)
kernel void k(global float* out) {
    int i = get_global_id(0);
    float x = (i - 8) / 4.0f;
    out[i] = floor(x);
    out[i + 17] = ceil(x);
    out[i + 34] = trunc(x);
    out[i + 51] = rint(x);
}
//---- rounding_functions_of_doubles
//: global 17
//: arg out=f64[68]
//: expect out[0:17] = floor((f64(i) - 8) / 4)
//: expect out[17:34] = ceil((f64(i - 17) - 8) / 4)
//: expect out[34:51] = trunc((f64(i - 34) - 8) / 4)
//: expect out[51:68] = rint((f64(i - 51) - 8) / 4)
kernel void k(global double* out) {
    int i = get_global_id(0);
    double x = (i - 8) / 4.0;
    out[i] = floor(x);
    out[i + 17] = ceil(x);
    out[i + 34] = trunc(x);
    out[i + 51] = rint(x);
}
//---- rounding_keeps_the_sign_of_zero
//: global 1
//: arg in=f32[1]:fill(-0.25)
//: arg out=u32[4]
//: expect out = {0x80000000, 0x80000000, 0x80000000, 0xbf800000}
kernel void k(global const float* in, global uint* out) {
    out[0] = as_uint(ceil(in[0]));
    out[1] = as_uint(trunc(in[0]));
    out[2] = as_uint(rint(in[0]));
    out[3] = as_uint(floor(in[0]));
}
//---- rounding_of_large_values
//: global 1
//: arg in=f32[2]:fill(8388609)
//: arg out=f32[4]
//: expect out = {8388609, -8388609, 8388609, inf}
kernel void k(global const float* in, global float* out) {
    out[0] = floor(in[0]);
    out[1] = rint(-in[0]);
    out[2] = ceil(in[1]);
    out[3] = floor(INFINITY);
}
//---- absolute_value
//: global 5
//: arg out=f32[5]
//: arg bits=u32[1]
//: expect out = abs(f32(i) - 2)
//: expect bits = {0}
kernel void k(global float* out, global uint* bits) {
    int i = get_global_id(0);
    out[i] = fabs(i - 2.0f);
    if (i == 0) bits[0] = as_uint(fabs(-0.0f));
}
//---- fmin_and_fmax
//: global 50
//: arg a=f32[50]:rand(1,-1,1)
//: arg b=f32[50]:rand(2,-1,1)
//: arg out=f32[100]
//: expect out[0:50] = min(a[i], b[i])
//: expect out[50:100] = max(a[i - 50], b[i - 50])
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = fmin(a[i], b[i]);
    out[i + 50] = fmax(a[i], b[i]);
}
//---- fmin_prefers_numbers_to_nan
//: global 1
//: arg z=f32[1]
//: arg out=f32[5]
//: expect out = {1, 1, 2, 2, nan}
kernel void k(global const float* z, global float* out) {
    float n = z[0] / z[0];
    out[0] = fmin(n, 1.0f);
    out[1] = fmin(1.0f, n);
    out[2] = fmax(n, 2.0f);
    out[3] = fmax(2.0f, n);
    out[4] = fmax(n, n);
}
//---- fmin_orders_zeros
//: global 1
//: arg z=f32[1]
//: arg out=u32[4]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {0x80000000, 0x80000000, 0, 0}
kernel void k(global const float* z, global uint* out) {
    float p = z[0], m = -z[0];
    out[0] = as_uint(fmin(p, m));
    out[1] = as_uint(fmin(m, p));
    out[2] = as_uint(fmax(p, m));
    out[3] = as_uint(fmax(m, p));
}
//---- min_and_max_of_floats
//: global 10
//: arg out=f32[10]
//: expect out = min(f32(i), 4.5f) + max(f32(i), 6.5f)
kernel void k(global float* out) {
    float i = get_global_id(0);
    out[get_global_id(0)] = min(i, 4.5f) + max(i, 6.5f);
}
//---- clamp_of_floats
//: global 10
//: arg out=f32[10]
//: expect out = f32(i) < 2.5f ? 2.5f : f32(i) > 7.25f ? 7.25f : f32(i)
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = clamp((float)i, 2.5f, 7.25f);
}
//---- isnan_tells
//: global 4
//: arg in=f32[4]:iota
//: arg out=i32[4]
//: expect out = i == 0
kernel void k(global const float* in, global int* out) {
    int i = get_global_id(0);
    out[i] = isnan(0.0f / in[i]);
}
//---- mad_is_fused
//: global 40
//: arg a=f32[40]:rand(5,-1,1)
//: arg out=f32[40]
//: not opencl: may round twice
//: expect out = fma(a[i], a[39 - i], 0.1f)
kernel void k(global const float* a, global float* out) {
    int i = get_global_id(0);
    out[i] = mad(a[i], a[39 - i], 0.1f);
}
//---- fma_of_extremes
//: global 1
//: arg big=f32[1]:fill(3e38)
//: arg out=f32[3]
//: expect out = {3e38f, inf, nan}
kernel void k(global const float* big, global float* out) {
    float x = big[0];
    out[0] = fma(x, 2.0f, -x);
    out[1] = fma(x, x, -x);
    out[2] = fma(x * x, 1.0f, -(x * x));
}
//---- fma_sees_all_bits_of_the_product
//: global 1
//: arg in=f32[1]:fill(4097)
//: arg out=f32[1]
//: expect out = {1}
kernel void k(global const float* in, global float* out) {
    float x = in[0];
    out[0] = fma(x, x, -16785408.0f);
}
//---- distance_in_the_plane
//: global 8
//: flags -ffp-contract=off
//: arg x=f32[8]:rand(3,-5,5)
//: arg y=f32[8]:rand(4,-5,5)
//: arg out=f32[8]
//: expect out = sqrt(x[i] * x[i] + y[i] * y[i])
kernel void k(global const float* x, global const float* y, global float* out) {
    int i = get_global_id(0);
    out[i] = sqrt(x[i] * x[i] + y[i] * y[i]);
}
//---- minimum_and_maximum_of_products
// Results of arithmetic are no signalling NaNs. By lane: a number with a NaN, on either side; zeros of either sign,
// on either side; infinities.
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: global 32
//: arg a=f32[8]
//: arg low=f32[32]
//: arg high=f64[32]
//: expect a = {1, 2, 0, 0, 0, 0, 0, 0}
//: expect low = i % 8 < 2 ? 3 : i % 8 < 6 ? (i % 8 == 4 ? 1 / -inf : i % 8 == 5 ? 0 : 1 / -inf) : i % 8 == 6 ? -inf : 5
//: expect high = i % 8 < 2 ? 3 : i % 8 < 6 ? (i % 8 == 4 ? 1 / -inf : 0.0) : i % 8 == 6 ? 5 : inf
kernel void k(global float* a, global float* low, global double* high) {
    int i = get_global_id(0), kind = i % 8;
    if (i == 0) { a[0] = 1.0f; a[1] = 2.0f; }
    float one = i < 32 ? 1.0f : a[7], nan = (float)(kind - kind) / (one - 1.0f), inf = one / (one - 1.0f), none = 0.0f * one;
    float x = kind == 0 ? nan : kind == 1 ? 3.0f : kind == 2 ? none : kind == 3 ? -none : kind == 4 ? -none : kind == 5 ? none : kind == 6 ? -inf : inf;
    float y = kind == 0 ? 3.0f : kind == 1 ? nan : kind == 2 ? -none : kind == 3 ? none : kind == 4 ? -none : kind == 5 ? none : 5.0f;
    low[i] = fmin(x * one, y * one);
    high[i] = fmax((double)x * (double)one, (double)y * (double)one);
}
//---- bounds_of_signalling_nans
// Zeros of both signs; a number; then signalling NaNs, which stay what they are in memory.
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: global 64
//: arg a=u32[64]:fill(2141192193)
//: arg b=f32[64]:iota
//: arg low=f32[64]
//: arg high=f32[64]
//: arg bits=u32[64]
//: expect a[0:2] = {2147483648, 0}
//: expect low = i == 0 ? 1 / -inf : i == 1 ? 0 : b[i]
//: expect high = b[i]
//: expect bits = i < 2 ? 0 : 2141192193
kernel void k(global uint* a, global const float* b, global float* low, global float* high, global uint* bits) {
    int i = get_global_id(0);
    if (i < 2) a[i] = i == 0 ? 0x80000000u : 0u;
    float x = ((global float*)a)[i], y = b[i];
    low[i] = fmin(x, y);
    high[i] = fmax(y, x);
    bits[i] = i < 2 ? 0u : as_uint(x);
}
