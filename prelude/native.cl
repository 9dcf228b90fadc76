// SPDX-License-Identifier: Apache-2.0
// The native_ functions, which -cl-fast-relaxed-math takes for those without the prefix, too. They expect numbers in the
// range of the function. Denormal arguments and results count as 0; infinities and NaN are not looked after, but powers
// beyond the largest number are infinite.

float native_exp_f32(float x) {
    x = clamp_f32(x, -87.9f, 88.9f);
    float t = fma(x, 0x1.715476p+0f, 12583039.0f);
    float n = t - 12583039.0f;
    float r = fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, x));
    return fma(r, exp_poly_f32(r), 1.0f) * as_float(as_int(t) << 23);
}

float native_exp2_f32(float x) {
    x = clamp_f32(x, -126.75f, 128.25f);
    float t = x + 12583039.0f;
    float r = x - (t - 12583039.0f);
    return fma(r, exp2_poly_f32(r), 1.0f) * as_float(as_int(t) << 23);
}

float native_exp10_f32(float x) {
    x = clamp_f32(x, -38.2f, 38.6f);
    float t = fma(x, 0x1.a934fp+1f, 12583039.0f);
    float n = t - 12583039.0f;
    float r = fma(n, -0x1.3509f8p-18f, fma(n, -0x1.344p-2f, x));
    return fma(r, exp10_poly_f32(r), 1.0f) * as_float(as_int(t) << 23);
}

struct parts_f32 native_split_f32(float x) {
    int i = as_int(x), e = (i - 0x3f3504f3) >> 23;
    return (struct parts_f32){as_float(i - (e << 23)) - 1.0f, convert_float(e)};
}

float native_log_f32(float x) {
    struct parts_f32 s = native_split_f32(x);
    return log_near_f32(s.f, s.k);
}

float native_log2_f32(float x) {
    struct parts_f32 s = native_split_f32(x);
    return s.k + fma(s.f, 0x1.715476p+0f, s.f * s.f * log2_poly_f32(s.f));
}

float native_log10_f32(float x) {
    struct parts_f32 s = native_split_f32(x);
    return fma(s.k, 0x1.344136p-2f, fma(s.f, 0x1.bcb7b2p-2f, s.f * s.f * log10_poly_f32(s.f)));
}

// Powers of zero are zero.
float native_powr_f32(float x, float y) {
    float p = native_exp2_f32(y * native_log2_f32(x));
    return x == 0.0f && 0.0f < y ? 0.0f : p;
}

float native_pow_f32(float x, float y) {
    float p = native_powr_f32(fabs(x), y), half_y = y * 0.5f;
    return x < 0.0f && rint(half_y) != half_y ? -p : p;
}

// Of |x| < 2^20.
struct angle_f32 native_reduce_f32(float x) {
    float t = fma(x, 0x1.45f306p-1f, 12582912.0f);
    float n = t - 12582912.0f;
    return (struct angle_f32){fma(n, -0x1.4442dp-24f, fma(n, -0x1.921fb4p+0f, x)), as_int(t)};
}

float native_sin_f32(float x) {
    struct angle_f32 a = native_reduce_f32(x);
    return sin_turned_f32(a.r, a.n);
}

float native_cos_f32(float x) {
    struct angle_f32 a = native_reduce_f32(x);
    return sin_turned_f32(a.r, a.n + 1);
}

float native_tan_f32(float x) {
    struct angle_f32 a = native_reduce_f32(x);
    return tan_turned_f32(a.r, a.n);
}

float native_sincos_f32_private(float x, private float* cosine) {
    *cosine = native_cos_f32(x);
    return native_sin_f32(x);
}
float native_sincos_f32_local(float x, local float* cosine) {
    *cosine = native_cos_f32(x);
    return native_sin_f32(x);
}
float native_sincos_f32_global(float x, global float* cosine) {
    *cosine = native_cos_f32(x);
    return native_sin_f32(x);
}
