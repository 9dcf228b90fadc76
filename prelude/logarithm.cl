// SPDX-License-Identifier: Apache-2.0
// log, log2, log10 and log1p. All split x = 2^k m with m between sqrt(1/2) and sqrt(2), so that
// log x = k log 2 + log m, and log m is near f = m - 1.

struct parts_f32 { float f, k; };

// Of positive x; 0x3f3504f3 is sqrt(1/2).
struct parts_f32 split_f32(float x) {
    struct parts_f32 s;
    bool is_small = x < 0x1p-126f;
    int i = as_int(is_small ? x * 0x1p23f : x);
    int e = (i - 0x3f3504f3) >> 23;
    s.f = as_float(i - (e << 23)) - 1.0f;
    s.k = convert_float(e) - (is_small ? 23.0f : 0.0f);
    return s;
}

// What the logarithm of zero, negative numbers, infinity and NaN is, in place of y.
float log_of_special_f32(float x, float y) {
    y = x < as_float(0x7f800000) ? y : x;
    return 0.0f < x ? y : x == 0.0f ? as_float(0xff800000u) : as_float(0x7fc00000);
}

float log_near_f32(float f, float k) {
    float s = f * f;
    float tail = fma(f * s, log_poly_f32(f), -0.5f * s);
    return fma(k, 0x1.62e4p-1f, f + fma(k, 0x1.7f7d1cp-20f, tail));
}

float log_f32(float x) {
    struct parts_f32 s = split_f32(x);
    return log_of_special_f32(x, log_near_f32(s.f, s.k));
}

float log2_f32(float x) {
    struct parts_f32 s = split_f32(x);
    float tail = fma(s.f, log2_poly_f32(s.f), 0x1.4ae0cp-26f) * s.f;
    return log_of_special_f32(x, s.k + fma(s.f, 0x1.715476p+0f, tail));
}

float log10_f32(float x) {
    struct parts_f32 s = split_f32(x);
    float tail = fma(s.f, log10_poly_f32(s.f), -0x1.5b235ep-27f) * s.f;
    float y = fma(s.f, 0x1.bcb7b2p-2f, fma(s.k, 0x1.3509f8p-18f, tail));
    return log_of_special_f32(x, fma(s.k, 0x1.344p-2f, y));
}

// What the sum 1 + x loses is added to f.
float log1p_f32(float x) {
    float u = 1.0f + x;
    float lost = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
    int e = (as_int(u) - 0x3f3504f3) >> 23;
    float f = as_float(as_int(u) - (e << 23)) - 1.0f;
    f = fma(lost, as_float(0x3f800000 - (min(e, 126) << 23)), f);
    float y = log_of_special_f32(u, log_near_f32(f, convert_float(e)));
    return fabs(x) < 0x1p-25f ? x : y;
}
