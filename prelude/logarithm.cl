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

// Replaces y by the logarithm of zero, negative numbers, infinity and NaN for these arguments.
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

// The rounding error of the sum 1 + x is added to f.
float log1p_f32(float x) {
    float u = 1.0f + x;
    float lost = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
    int e = (as_int(u) - 0x3f3504f3) >> 23;
    float f = as_float(as_int(u) - (e << 23)) - 1.0f;
    f = fma(lost, as_float(0x3f800000 - (min(e, 126) << 23)), f);
    float y = log_of_special_f32(u, log_near_f32(f, convert_float(e)));
    return fabs(x) < 0x1p-25f ? x : y;
}

struct parts_f64 { double f, k; };

// 0x3fe6a09e667f3bcd is sqrt(1/2).
struct parts_f64 split_f64(double x) {
    struct parts_f64 s;
    bool is_small = x < 0x1p-1022;
    long i = as_long(is_small ? x * 0x1p52 : x);
    int e = (int)((ulong)(i - 0x3fe6a09e667f3bcd) >> 32) >> 20;
    s.f = as_double(i - ((long)e << 52)) - 1.0;
    s.k = convert_double(is_small ? e - 52 : e);
    return s;
}

double log_of_special_f64(double x, double y) {
    y = x < as_double(0x7ff0000000000000) ? y : x;
    return 0.0 < x ? y : x == 0.0 ? as_double(0xfff0000000000000) : as_double(0x7ff8000000000000);
}

double log_near_f64(double f, double k) {
    double s = f * f;
    double tail = fma(f * s, log_poly_f64(f), -0.5 * s);
    return fma(k, 0x1.62e42fefa4p-1, f + fma(k, -0x1.8432a1b0e2634p-43, tail));
}

double log_f64(double x) {
    struct parts_f64 s = split_f64(x);
    return log_of_special_f64(x, log_near_f64(s.f, s.k));
}

double log2_f64(double x) {
    struct parts_f64 s = split_f64(x);
    double tail = fma(s.f, log2_poly_f64(s.f), 0x1.777d0ffda0d24p-56) * s.f;
    return log_of_special_f64(x, s.k + fma(s.f, 0x1.71547652b82fep+0, tail));
}

double log10_f64(double x) {
    struct parts_f64 s = split_f64(x);
    double tail = fma(s.f, log10_poly_f64(s.f), 0x1.95355baaafad3p-57) * s.f;
    double y = fma(s.f, 0x1.bcb7b1526e50ep-2, fma(s.k, -0x1.80433b83b532ap-44, tail));
    return log_of_special_f64(x, fma(s.k, 0x1.34413509f8p-2, y));
}

double log1p_f64(double x) {
    double u = 1.0 + x;
    double lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
    int e = (int)((ulong)(as_long(u) - 0x3fe6a09e667f3bcd) >> 32) >> 20;
    double f = as_double(as_long(u) - ((long)e << 52)) - 1.0;
    f = fma(lost, as_double((ulong)(1023 - min(e, 1022)) << 52), f);
    double y = log_of_special_f64(u, log_near_f64(f, convert_double(e)));
    return fabs(x) < 0x1p-54 ? x : y;
}
