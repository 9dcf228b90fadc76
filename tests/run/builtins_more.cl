// More built-in functions that are exact or correctly rounded, and conversions with a mode.
//---- differences_without_overflow
//: not opencl: PoCL 3.1 gives 0 for the largest difference of longs
//: global 9
//: arg out=u32[9]
//: arg wide=u64[1]
//: expect out = abs(i - 4) * 3
//: expect wide = {u64(-1)}
kernel void k(global uint* out, global ulong* wide) {
    int i = get_global_id(0);
    out[i] = abs_diff(i * 3, 12);
    if (i == 0) wide[0] = abs_diff(LONG_MAX, LONG_MIN);
}
//---- saturating_sums
//: global 1
//: arg out=i64[8]
//: expect out = {127, -128, 255, 0, 2147483647, -2147483648, 5, 4294967295}
kernel void k(global long* out) {
    char a = 100, b = -100;
    uchar c = 200, d = 10;
    out[0] = add_sat(a, a);
    out[1] = sub_sat(b, a);
    out[2] = add_sat(c, c);
    out[3] = sub_sat(d, c);
    out[4] = add_sat(INT_MAX, 1);
    out[5] = sub_sat(INT_MIN, 1);
    out[6] = add_sat(7, -2);
    out[7] = add_sat(4000000000u, 4000000000u);
}
//---- saturating_sums_of_longs
//: global 1
//: arg big=i64[1]:fill(9223372036854775807)
//: arg out=i64[3]
//: expect out = {9223372036854775807, -9223372036854775807 - 1, 9223372036854775806}
kernel void k(global const long* big, global long* out) {
    out[0] = add_sat(big[0], 1L);
    out[1] = sub_sat(-big[0], 5L);
    out[2] = sub_sat(big[0], 1L);
}
//---- high_halves
//: global 32
//: arg a=u32[32]:rand(1)
//: arg out=u32[32]
//: arg sig=i32[32]
//: expect out = a[i] * a[31 - i] >> 32 & 0xffffffff
//: expect sig = i32(a[i]) * i32(a[31 - i]) >> 32
kernel void k(global const uint* a, global uint* out, global int* sig) {
    int i = get_global_id(0);
    out[i] = mul_hi(a[i], a[31 - i]);
    sig[i] = mul_hi((int)a[i], (int)a[31 - i]);
}
//---- high_halves_of_longs
//: global 1
//: arg x=u64[2]:fill(18446744073709551615)
//: arg out=i64[3]
//: expect out = {-2, 0, 4611686018427387903}
kernel void k(global const ulong* x, global long* out) {
    out[0] = mul_hi(x[0], x[1]);
    out[1] = mul_hi((long)x[0], (long)x[1]);
    out[2] = mul_hi(LONG_MAX, LONG_MAX);
}
//---- multiply_add_high
//: global 1
//: arg out=u32[2]
//: expect out = {0x80000009, 2}
kernel void k(global uint* out) {
    out[0] = mad_hi(0x80000000u, 20u, 0x7fffffffu);
    out[1] = mad_hi(0x10000u, 0x10000u, 1u);
}
//---- halving_sums
//: global 1
//: arg out=i64[6]
//: expect out = {4294967295, 4294967295, -1, 0, 2147483647, 150}
kernel void k(global long* out) {
    uint m = -1;
    uchar a = 200, b = 100;
    out[0] = hadd(m, m);
    out[1] = rhadd(m, m - 1);
    out[2] = hadd(-1, 0);
    out[3] = rhadd(-1, 0);
    out[4] = hadd(INT_MAX, INT_MAX);
    out[5] = hadd(a, b);
}
//---- trailing_zeros
//: global 33
//: not opencl: of version 2.0
//: arg out=u32[33]
//: expect out = i
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    out[i] = ctz(i == 32 ? 0u : 0xffffffffu << i);
}
//---- bit_selection
//: global 1
//: arg out=u32[2]
//: arg f=f32[1]
//: expect out = {0x12345678, 0x0f0f0f0f}
//: expect f = {-2}
kernel void k(global uint* out, global float* f) {
    out[0] = bitselect(0x12340000u, 0x5678u, 0xffffu);
    out[1] = bitselect(0u, 0xffffffffu, 0x0f0f0f0fu);
    f[0] = bitselect(2.0f, -0.0f, -0.0f);
}
//---- selection
//: global 6
//: arg out=i32[6]
//: arg f=f32[6]
//: expect out = i % 2 ? 20 : 10
//: expect f = i > 2 ? 2.5f : 1.5f
kernel void k(global int* out, global float* f) {
    int i = get_global_id(0);
    out[i] = select(10, 20, i % 2);
    f[i] = select(1.5f, 2.5f, i > 2);
}
//---- joined_halves
//: global 1
//: arg out=i64[3]
//: expect out = {0x1234, -2, 0x123456789abcdef0}
kernel void k(global long* out) {
    uchar a = 0x12, b = 0x34;
    short c = -1;
    ushort d = 0xfffe;
    out[0] = upsample(a, b);
    out[1] = upsample(c, d);
    out[2] = upsample(0x12345678u, 0x9abcdef0u);
}
//---- multiply_add_saturated
//: global 1
//: arg out=i64[3]
//: expect out = {2147483647, -2147483648, 7}
kernel void k(global long* out) {
    out[0] = mad_sat(100000, 100000, 5);
    out[1] = mad_sat(100000, -100000, 5);
    out[2] = mad_sat(2, 3, 1);
}
//---- rounding_half_away
//: global 9
//: arg out=f32[9]
//: expect out = {-3, -2, -1, -1, 0, 1, 1, 2, 3}
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = round((i - 4) * 0.625f);
}
//---- rounding_just_below_a_half
//: global 1
//: arg out=f32[3]
//: expect out = {0, 8388609, -1}
kernel void k(global float* out) {
    out[0] = round(0.49999997f);
    out[1] = round(8388609.0f);
    out[2] = round(-0.5f);
}
//---- positive_difference
//: global 8
//: arg out=f32[8]
//: expect out = i > 3 ? f32(i) - 3 : 0
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = fdim((float)i, 3.0f);
}
//---- copied_signs
//: global 1
//: arg out=f32[4]
//: expect out = {-3, 3, -inf, 2}
kernel void k(global float* out) {
    out[0] = copysign(3.0f, -0.0f);
    out[1] = copysign(-3.0f, 1.0f);
    out[2] = copysign(INFINITY, -1.0f);
    out[3] = copysign(2.0f, 5.0f);
}
//---- larger_and_smaller_magnitudes
//: global 1
//: arg out=f32[4]
//: expect out = {-3, 2, -2, -2}
kernel void k(global float* out) {
    out[0] = maxmag(-3.0f, 2.0f);
    out[1] = minmag(-3.0f, 2.0f);
    out[2] = minmag(-2.0f, 2.0f);
    out[3] = maxmag(-2.0f, 1.0f);
}
//---- next_values
//: global 1
//: arg out=u32[6]
//: expect out = {0x3f800001, 0x3f7fffff, 1, 0x80000001, 0x7f800000, 0x7f7fffff}
kernel void k(global uint* out) {
    out[0] = as_uint(nextafter(1.0f, 2.0f));
    out[1] = as_uint(nextafter(1.0f, 0.0f));
    out[2] = as_uint(nextafter(0.0f, 1.0f));
    out[3] = as_uint(nextafter(0.0f, -1.0f));
    out[4] = as_uint(nextafter(FLT_MAX, INFINITY));
    out[5] = as_uint(nextafter(INFINITY, 0.0f));
}
//---- scaling_by_powers_of_two
//: global 40
//: arg out=f32[40]
//: arg tiny=f32[2]
//: expect out = 1.5 * pow2(i - 20)
//: expect tiny = {pow2(0 - 149), inf}
kernel void k(global float* out, global float* tiny) {
    int i = get_global_id(0);
    out[i] = ldexp(1.5f, i - 20);
    if (i == 0) {
        tiny[0] = ldexp(1.0f, -149);
        tiny[1] = ldexp(1.0f, 128);
    }
}
//---- fraction_and_exponent
//: global 1
//: arg out=f32[4]
//: arg e=i32[4]
//: expect out = {0.75, -0.5, 0, 0.5}
//: expect e = {2, 4, 0, 0 - 148}
kernel void k(global float* out, global int* e) {
    float in[4] = {3.0f, -8.0f, 0.0f, 1e-45f};
    for (int j = 0; j < 4; j++) {
        int exponent;
        out[j] = frexp(in[j], &exponent);
        e[j] = exponent;
    }
}
//---- whole_and_fractional_parts
//: global 1
//: arg out=f32[6]
//: expect out = {0.25, 3, -0.5, -2, 0.75, -1}
kernel void k(global float* out) {
    float whole;
    out[0] = modf(3.25f, &whole);
    out[1] = whole;
    out[2] = modf(-2.5f, &whole);
    out[3] = whole;
    out[4] = fract(-0.25f, &whole);
    out[5] = whole;
}
//---- signs_and_steps
//: global 5
//: arg out=f32[10]
//: expect out[0:5] = i < 2 ? -1 : i == 2 ? 0 : 1
//: expect out[5:10] = i - 5 < 3 ? 0 : 1
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = sign(i - 2.0f);
    out[i + 5] = step(3.0f, (float)i);
}
//---- mixed_values
//: global 8
//: not opencl: rounds by its own rules
//: arg x=f32[8]:rand(1,-4,4)
//: arg y=f32[8]:rand(2,-4,4)
//: arg out=f32[8]
//: expect out = fma(y[i] - x[i], 0.3f, x[i])
kernel void k(global const float* x, global const float* y, global float* out) {
    int i = get_global_id(0);
    out[i] = mix(x[i], y[i], 0.3f);
}
//---- kinds_of_floats
//: global 1
//: arg z=f32[1]
//: arg out=i32[15]
//: expect out = {0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}
kernel void k(global const float* z, global int* out) {
    float nan = z[0] / z[0], inf = 1 / z[0], tiny = 1e-40f, one = 1;
    out[0] = isinf(one);
    out[1] = isinf(-inf);
    out[2] = isinf(nan);
    out[3] = isfinite(tiny);
    out[4] = isfinite(inf);
    out[5] = isnormal(tiny);
    out[6] = isnormal(one);
    out[7] = isnormal(inf);
    out[8] = signbit(-z[0]);
    out[9] = signbit(z[0]);
    out[10] = isunordered(nan, one);
    out[11] = isordered(nan, one);
    out[12] = isequal(nan, nan);
    out[13] = isnotequal(nan, one);
    out[14] = isless(one, inf) && isgreater(one, z[0]) && islessequal(one, one) && !isgreaterequal(nan, one);
}
//---- reciprocal_square_roots_of_powers
//: not host: not in the prelude
//: global 8
//: arg out=f32[8]
//: expect out = pow2(4 - i)
kernel void k(global float* out) {
    int i = get_global_id(0);
    out[i] = rsqrt((float)(1 << 2 * i) / 256.0f);
}
//---- saturating_conversions
//: global 1
//: arg f=f32[1]:fill(1000.7)
//: arg out=i64[8]
//: expect out = {127, -128, 255, 0, 127, 255, 0, 2147483647}
kernel void k(global const float* f, global long* out) {
    int big = 5000, minus = -5000;
    out[0] = convert_char_sat(big);
    out[1] = convert_char_sat(minus);
    out[2] = convert_uchar_sat(big);
    out[3] = convert_ushort_sat(minus);
    out[4] = convert_char_sat(f[0]);
    out[5] = convert_uchar_sat(f[0]);
    out[6] = convert_uint_sat(-f[0]);
    out[7] = convert_int_sat(f[0] * 1e9f);
}
//---- conversions_that_round
//: global 9
//: arg out=i32[36]
//: expect out[0:9] = {-2, -2, -1, 0, 0, 0, 1, 2, 2}
//: expect out[9:18] = {-2, -1, -1, 0, 0, 0, 1, 1, 2}
//: expect out[18:27] = {-2, -1, -1, 0, 0, 1, 1, 2, 2}
//: expect out[27:36] = {-2, -2, -1, -1, 0, 0, 1, 1, 2}
kernel void k(global int* out) {
    int i = get_global_id(0);
    float x = (i - 4) * 0.5f;
    out[i] = convert_int_rte(x);
    out[i + 9] = convert_int_rtz(x);
    out[i + 18] = convert_int_rtp(x);
    out[i + 27] = convert_int_rtn(x);
}
//---- conversions_to_float_that_round
//: global 1
//: arg out=f32[4]
//: expect out = {16777216, 16777216, 16777218, 16777216}
kernel void k(global float* out) {
    int x = 16777217;
    out[0] = convert_float_rte(x);
    out[1] = convert_float_rtz(x);
    out[2] = convert_float_rtp(x);
    out[3] = convert_float_rtn(x);
}
