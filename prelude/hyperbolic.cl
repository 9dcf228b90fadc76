// SPDX-License-Identifier: Apache-2.0
// The hyperbolic functions and their inverses.

// e^x / 2 for x >= 0, which overflows where sinh and cosh do.
float exp_halved_f32(float x) {
    x = 90.0f < x ? 90.0f : x;
    float t = fma(x, 0x1.715476p+0f, 12583166.0f);
    float n = t - 12583166.0f;
    float r = fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, x));
    return scaled_f32(fma(r, exp_poly_f32(r), 1.0f), as_int(t) - 1);
}

float sinh_f32(float x) {
    float u = fabs(x), s = u * u;
    float e = exp_halved_f32(u);
    float y = u < 1.0f ? fma(s * sinh_poly_f32(s), u, u) : e - 0.25f / e;
    return x == x ? with_sign_of_f32(y, x) : x;
}

float cosh_f32(float x) {
    float e = exp_halved_f32(fabs(x));
    return e + 0.25f / e;
}

float tanh_f32(float x) {
    float u = fabs(x), s = u * u;
    float e = exp_halved_f32(u + u);
    float y = u < 0.625f ? fma(s * tanh_poly_f32(s), u, u) : 1.0f - 1.0f / (e + 0.5f);
    return x == x ? with_sign_of_f32(y, x) : x;
}

float asinh_f32(float x) {
    float u = fabs(x);
    bool far = 0x1p12f < u;
    float y = log1p_f32(far ? u - 1.0f : u + u * u / (1.0f + sqrt(fma(u, u, 1.0f))));
    y = far ? y + 0x1.62e43p-1f : y;
    return u < 0x1p-12f || x != x ? x : with_sign_of_f32(y, x);
}

float acosh_f32(float x) {
    float t = x - 1.0f;
    bool far = 0x1p12f < x;
    float y = log1p_f32(far ? t : t + sqrt(fma(t, t, t + t)));
    return x < 1.0f ? as_float(0x7fc00000) : far ? y + 0x1.62e43p-1f : y;
}

float atanh_f32(float x) {
    float u = fabs(x);
    float y = 0.5f * log1p_f32((u + u) / (1.0f - u));
    return u < 0x1p-12f || x != x ? x : with_sign_of_f32(y, x);
}

// The same for doubles.

// e^x / 2 for x >= 0, which overflows where sinh and cosh do.
double exp_halved_f64(double x) {
    x = 711.0 < x ? 711.0 : x;
    double t = fma(x, 0x1.71547652b82fep+0, 6755399441057790.0);
    double n = t - 6755399441057790.0;
    double r = fma(n, 0x1.8432a1b0e2634p-43, fma(n, -0x1.62e42fefa4p-1, x));
    return scaled_f64(fma(r, exp_poly_f64(r), 1.0), t - 1.0);
}

double sinh_f64(double x) {
    double u = fabs(x), s = u * u;
    double e = exp_halved_f64(u);
    double y = u < 1.0 ? fma(s * sinh_poly_f64(s), u, u) : e - 0.25 / e;
    return x == x ? with_sign_of_f64(y, x) : x;
}

double cosh_f64(double x) {
    double e = exp_halved_f64(fabs(x));
    return e + 0.25 / e;
}

double tanh_f64(double x) {
    double u = fabs(x), s = u * u;
    double e = exp_halved_f64(u + u);
    double y = u < 0.625 ? fma(s * tanh_poly_f64(s), u, u) : 1.0 - 1.0 / (e + 0.5);
    return x == x ? with_sign_of_f64(y, x) : x;
}

double asinh_f64(double x) {
    double u = fabs(x);
    bool far = 0x1p27 < u;
    double y = log1p_f64(far ? u - 1.0 : u + u * u / (1.0 + sqrt(fma(u, u, 1.0))));
    y = far ? y + 0x1.62e42fefa39efp-1 : y;
    return u < 0x1p-27 || x != x ? x : with_sign_of_f64(y, x);
}

double acosh_f64(double x) {
    double t = x - 1.0;
    bool far = 0x1p27 < x;
    double y = log1p_f64(far ? t : t + sqrt(fma(t, t, t + t)));
    return x < 1.0 ? as_double(0x7ff8000000000000) : far ? y + 0x1.62e42fefa39efp-1 : y;
}

double atanh_f64(double x) {
    double u = fabs(x);
    double y = 0.5 * log1p_f64((u + u) / (1.0 - u));
    return u < 0x1p-27 || x != x ? x : with_sign_of_f64(y, x);
}
