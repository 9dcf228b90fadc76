// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10 and expm1. All split x = n log_b(2) + r with an integer n, so that b^x = 2^n b^r.
//
// A sum yields n in its low bits: 1.5 * 2^23 + 254 + y has no fraction bits, so the addition rounds y, and
// subtracting the constant again gives n as a float. As integers the low bits are n + 254.

// p * 2^n for -150 <= n <= 128, in two steps, so that only the last one rounds if the result is denormal.
float scaled_f32(float p, int biased) {
    int half_n = biased >> 1;
    return p * as_float(half_n << 23) * as_float((biased - half_n) << 23);
}

float exp_f32(float x) {
    x = clamp_f32(x, -104.0f, 89.0f);
    float t = fma(x, 0x1.715476p+0f, 12583166.0f);
    float n = t - 12583166.0f;
    float r = fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, x));
    return scaled_f32(fma(r, exp_poly_f32(r), 1.0f), as_int(t));
}

float exp2_f32(float x) {
    x = clamp_f32(x, -151.0f, 129.0f);
    float t = x + 12583166.0f;
    float r = x - (t - 12583166.0f);
    return scaled_f32(fma(r, exp2_poly_f32(r), 1.0f), as_int(t));
}

float exp10_f32(float x) {
    x = clamp_f32(x, -45.5f, 38.7f);
    float t = fma(x, 0x1.a934fp+1f, 12583166.0f);
    float n = t - 12583166.0f;
    float r = fma(n, -0x1.3509f8p-18f, fma(n, -0x1.344p-2f, x));
    return scaled_f32(fma(r, exp10_poly_f32(r), 1.0f), as_int(t));
}

// 2^n (e^r - 1) + (2^n - 1), halved and doubled again so that 2^n fits.
float expm1_f32(float x) {
    float c = clamp_f32(x, -17.5f, 89.0f);
    float t = fma(c, 0x1.715476p+0f, 12583038.0f);
    float n = t - 12583038.0f;
    float r = fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, c));
    float p = fma(r * r, expm1_poly_f32(r), r);
    float s = as_float(as_int(t) << 23);
    float y = fma(s, p, s - 0.5f) * 2.0f;
    return fabs(x) < 0x1p-25f ? x : y;
}

// The same for doubles: the sum is 1.5 * 2^52 + 2046 + y, and n ranges from -1075 to 1024.
double scaled_f64(double p, double t) {
    uint biased = (uint)as_ulong(t), half_n = biased >> 1;
    return p * as_double((ulong)half_n << 52) * as_double((ulong)(biased - half_n) << 52);
}

double exp_f64(double x) {
    x = clamp_f64(x, -746.0, 710.0);
    double t = fma(x, 0x1.71547652b82fep+0, 6755399441057790.0);
    double n = t - 6755399441057790.0;
    double r = fma(n, 0x1.8432a1b0e2634p-43, fma(n, -0x1.62e42fefa4p-1, x));
    return scaled_f64(fma(r, exp_poly_f64(r), 1.0), t);
}

double exp2_f64(double x) {
    x = clamp_f64(x, -1076.0, 1025.0);
    double t = x + 6755399441057790.0;
    double r = x - (t - 6755399441057790.0);
    return scaled_f64(fma(r, exp2_poly_f64(r), 1.0), t);
}

double exp10_f64(double x) {
    x = clamp_f64(x, -324.0, 309.0);
    double t = fma(x, 0x1.a934f0979a371p+1, 6755399441057790.0);
    double n = t - 6755399441057790.0;
    double r = fma(n, 0x1.80433b83b532ap-44, fma(n, -0x1.34413509f8p-2, x));
    return scaled_f64(fma(r, exp10_poly_f64(r), 1.0), t);
}

double expm1_f64(double x) {
    double c = clamp_f64(x, -38.0, 710.0);
    double t = fma(c, 0x1.71547652b82fep+0, 6755399441056766.0);
    double n = t - 6755399441056766.0;
    double r = fma(n, 0x1.8432a1b0e2634p-43, fma(n, -0x1.62e42fefa4p-1, c));
    double p = fma(r * r, expm1_poly_f64(r), r);
    double s = as_double(as_ulong(t) << 52);
    double y = fma(s, p, s - 0.5) * 2.0;
    return fabs(x) < 0x1p-54 ? x : y;
}
