// SPDX-License-Identifier: Apache-2.0
// erf, erfc, and the gamma function with its logarithm.

// erfc x for x >= 1/2. The square in e^(-x^2) is the sum of two numbers.
float erfc_far_f32(float x) {
    x = 11.0f < x ? 11.0f : x;
    float q = 1.0f / (x + 2.0f), square = x * x;
    float e = exp_f32(-square);
    return fma(-fma(x, x, -square), e, e) * (erfc_poly_f32((x - 2.0f) * q) * q);
}

float erf_f32(float x) {
    float u = fabs(x);
    float y = u < 1.0f ? u * erf_poly_f32(u * u) : 1.0f - erfc_far_f32(u);
    return x == x ? with_sign_of_f32(y, x) : x;
}

float erfc_f32(float x) {
    float u = fabs(x), far = erfc_far_f32(u);
    return u < 0.5f ? 1.0f - x * erf_poly_f32(x * x) : x < 0.0f ? 2.0f - far : far;
}

// gamma(x) / 2^shift for x > 0. Above 8 by Stirling's formula; below, x is reduced to 1 + u.
float gamma_f32(float x, int shift) {
    float c = 45.0f < x ? 45.0f : x;
    struct pair_f32 l = log2_pair_f32(c);
    float y = c - 0.5f, high = y * l.high, part = c * -0x1.715476p+0f;
    float low = fma(y, l.high, -high) + fma(c, -0x1.715476p+0f, -part) + fma(y, l.low, c * -0x1.4ae0cp-26f);
    struct pair_f32 z = sum_f32(high, part);
    float q = 1.0f / c;
    float far = exp2_pair_f32(z.high, z.low + low, shift) * (0x1.40d932p+1f * stirling_poly_f32(q));
    float u = x, product = 1.0f;
    for (int i = 0; i < 7; i++) {
        bool more = 2.0f < u;
        u = more ? u - 1.0f : u;
        product = more ? product * u : product;
    }
    bool above = 1.0f < x;
    float near = gamma_poly_f32(above ? u - 1.0f : u);
    near = (above ? near * product : near / x) * exp2_f32(convert_float(-shift));
    return 8.0f <= x ? far : near;
}

float tgamma_f32(float x) {
    float u = fabs(x);
    if (0.0f < x && x < as_float(0x7f800000)) return gamma_f32(x, 0);
    // By reflection; gamma(u) alone may overflow.
    float s = u < 0x1p24f ? sinpi_f32(u) : 0.0f;
    float y = u < 0x1p-25f ? 1.0f / x : -0x1.921fb6p+1f / (u * s) / gamma_f32(u, 64) * 0x1p-64f;
    y = x == -as_float(0x7f800000) || (x < 0.0f && s == 0.0f) ? as_float(0x7fc00000) : y;
    return 0.0f < x || x != x ? x : y;
}

struct sized_f32 { float log; int sign; };

// log gamma(x) for x > 0
float log_gamma_f32(float x) {
    float q = 1.0f / x;
    float far = fma(x - 0.5f, log_f32(x) - 1.0f, 0x1.d67f1cp-1f - 0.5f) + q * log_stirling_poly_f32(q * q);
    far = 0x1p60f < x ? x * (log_f32(x) - 1.0f) : far;
    float u = x, product = 1.0f;
    for (int i = 0; i < 7; i++) {
        bool more = 2.0f < u;
        u = more ? u - 1.0f : u;
        product = more ? product * u : product;
    }
    bool above = 1.0f < x;
    u = above ? u - 1.0f : u;
    float log = log_f32(above ? product : x);
    float near = fma(u * (u - 1.0f), log_gamma_poly_f32(u), above ? log : -log);
    return 8.0f <= x ? far : near;
}

struct sized_f32 signed_log_gamma_f32(float x) {
    float u = fabs(x);
    struct sized_f32 g = {log_gamma_f32(u), 1};
    if (x < 0.0f) {
        float s = sinpi_f32(u);
        g.sign = 0.0f < s ? -1 : s < 0.0f ? 1 : 0;
        g.log = u < 0x1p-20f ? -log_f32(u) : log_f32(0x1.921fb6p+1f / (u * fabs(s))) - g.log;
        g.sign = u < 0x1p-20f ? -1 : g.sign;
        g.log = s == 0.0f && 0x1p-20f <= u ? as_float(0x7f800000) : g.log;
    }
    g.log = u == 0.0f || u == as_float(0x7f800000) ? as_float(0x7f800000) : x == x ? g.log : x;
    return g;
}

float lgamma_f32(float x) { return signed_log_gamma_f32(x).log; }

float lgamma_r_f32_private(float x, private int* sign) {
    struct sized_f32 g = signed_log_gamma_f32(x);
    *sign = g.sign;
    return g.log;
}
float lgamma_r_f32_local(float x, local int* sign) {
    struct sized_f32 g = signed_log_gamma_f32(x);
    *sign = g.sign;
    return g.log;
}
float lgamma_r_f32_global(float x, global int* sign) {
    struct sized_f32 g = signed_log_gamma_f32(x);
    *sign = g.sign;
    return g.log;
}

// The same for doubles.

// erfc x for x >= 1/2. The square in e^(-x^2) is the sum of two numbers.
double erfc_far_f64(double x) {
    x = 28.0 < x ? 28.0 : x;
    double q = 1.0 / (x + 2.0), square = x * x;
    double e = exp_f64(-square);
    return fma(-fma(x, x, -square), e, e) * (erfc_poly_f64((x - 2.0) * q) * q);
}

double erf_f64(double x) {
    double u = fabs(x);
    double y = u < 1.0 ? u * erf_poly_f64(u * u) : 1.0 - erfc_far_f64(u);
    return x == x ? with_sign_of_f64(y, x) : x;
}

double erfc_f64(double x) {
    double u = fabs(x), far = erfc_far_f64(u);
    return u < 0.5 ? 1.0 - x * erf_poly_f64(x * x) : x < 0.0 ? 2.0 - far : far;
}

// gamma(x) / 2^shift for x > 0. Above 8 by Stirling's formula; below, x is reduced to 1 + u.
double gamma_f64(double x, int shift) {
    double c = 190.0 < x ? 190.0 : x;  // beside a pole, 1 / gamma(185) may still count
    struct pair_f64 l = log2_pair_f64(c);
    double y = c - 0.5, high = y * l.high, part = c * -0x1.71547652b82fep+0;
    double low = fma(y, l.high, -high) + fma(c, -0x1.71547652b82fep+0, -part) + fma(y, l.low, c * -0x1.777d0ffda0d24p-56);
    struct pair_f64 z = sum_f64(high, part);
    double q = 1.0 / c;
    double far = exp2_pair_f64(z.high, z.low + low, shift) * (0x1.40d931ff62706p+1 * stirling_poly_f64(q));
    double u = x, product = 1.0;
    for (int i = 0; i < 7; i++) {
        bool more = 2.0 < u;
        u = more ? u - 1.0 : u;
        product = more ? product * u : product;
    }
    bool above = 1.0 < x;
    double near = gamma_poly_f64(above ? u - 1.0 : u);
    near = (above ? near * product : near / x) * exp2_f64(convert_double(-shift));
    return 8.0 <= x ? far : near;
}

double tgamma_f64(double x) {
    double u = fabs(x);
    if (0.0 < x && x < as_double(0x7ff0000000000000)) return gamma_f64(x, 0);
    // By reflection; gamma(u) alone may overflow.
    double s = u < 0x1p53 ? sinpi_f64(u) : 0.0;
    double y = u < 0x1p-54 ? 1.0 / x : -0x1.921fb54442d18p+1 / (u * s) / gamma_f64(u, 600) * 0x1p-600;
    y = x == -as_double(0x7ff0000000000000) || (x < 0.0 && s == 0.0) ? as_double(0x7ff8000000000000) : y;
    return 0.0 < x || x != x ? x : y;
}

struct sized_f64 { double log; int sign; };

// log gamma(x) for x > 0
double log_gamma_f64(double x) {
    double q = 1.0 / x;
    double far = fma(x - 0.5, log_f64(x) - 1.0, 0x1.d67f1c864beb5p-1 - 0.5) + q * log_stirling_poly_f64(q * q);
    far = 0x1p100 < x ? x * (log_f64(x) - 1.0) : far;
    double u = x, product = 1.0;
    for (int i = 0; i < 7; i++) {
        bool more = 2.0 < u;
        u = more ? u - 1.0 : u;
        product = more ? product * u : product;
    }
    bool above = 1.0 < x;
    u = above ? u - 1.0 : u;
    double log = log_f64(above ? product : x);
    double near = fma(u * (u - 1.0), log_gamma_poly_f64(u), above ? log : -log);
    return 8.0 <= x ? far : near;
}

struct sized_f64 signed_log_gamma_f64(double x) {
    double u = fabs(x);
    struct sized_f64 g = {log_gamma_f64(u), 1};
    if (x < 0.0) {
        double s = sinpi_f64(u);
        g.sign = 0.0 < s ? -1 : s < 0.0 ? 1 : 0;
        g.log = u < 0x1p-54 ? -log_f64(u) : log_f64(0x1.921fb54442d18p+1 / (u * fabs(s))) - g.log;
        g.sign = u < 0x1p-54 ? -1 : g.sign;
        g.log = s == 0.0 && 0x1p-54 <= u ? as_double(0x7ff0000000000000) : g.log;
    }
    g.log = u == 0.0 || u == as_double(0x7ff0000000000000) ? as_double(0x7ff0000000000000) : x == x ? g.log : x;
    return g;
}

double lgamma_f64(double x) { return signed_log_gamma_f64(x).log; }

double lgamma_r_f64_private(double x, private int* sign) {
    struct sized_f64 g = signed_log_gamma_f64(x);
    *sign = g.sign;
    return g.log;
}
double lgamma_r_f64_local(double x, local int* sign) {
    struct sized_f64 g = signed_log_gamma_f64(x);
    *sign = g.sign;
    return g.log;
}
double lgamma_r_f64_global(double x, global int* sign) {
    struct sized_f64 g = signed_log_gamma_f64(x);
    *sign = g.sign;
    return g.log;
}
