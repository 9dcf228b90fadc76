// SPDX-License-Identifier: Apache-2.0
// The inverse circular functions, in radians and in half turns.

// atan of y / x for 0 <= y, x, which are not both zero or infinite; computed from the smaller quotient, and
// from pi/2 if needed.
float atan_of_quotient_f32(float y, float x) {
    bool steep = x < y;
    float q = steep ? x / y : y / x;
    float a = fma(q * q * atan_poly_f32(q * q), q, q);
    return steep ? 0x1.921fb6p+0f - (a + 0x1.777a5cp-25f) : a;
}

float atan_f32(float x) {
    float a = with_sign_of_f32(atan_of_quotient_f32(fabs(x), 1.0f), x);
    return x == x ? a : x;
}

float atan2_f32(float y, float x) {
    float v = fabs(y), u = fabs(x);
    bool ends = v == u && (v == 0.0f || v == as_float(0x7f800000));  // treated as if both were 1, or y smaller
    float a = atan_of_quotient_f32(ends ? (v == 0.0f ? 0.0f : 1.0f) : v, ends ? 1.0f : u);
    a = signbit(x) && (u != 0.0f || v == 0.0f) ? 0x1.921fb6p+1f - (a + 0x1.777a5cp-24f) : a;
    return y == y && x == x ? with_sign_of_f32(a, y) : as_float(0x7fc00000);
}

// asin for 0 <= x <= 1/2, and its square s
float asin_near_f32(float x, float s) { return fma(s * asin_poly_f32(s), x, x); }

float asin_f32(float x) {
    float u = fabs(x);
    bool far = 0.5f < u;
    float s = far ? fma(u, -0.5f, 0.5f) : u * u;
    float a = asin_near_f32(far ? sqrt(s) : u, s);
    return with_sign_of_f32(far ? 0x1.921fb6p+0f - fma(a, 2.0f, 0x1.777a5cp-25f) : a, x);
}

float acos_f32(float x) {
    float u = fabs(x);
    bool far = 0.5f < u;
    float s = far ? fma(u, -0.5f, 0.5f) : u * u;
    float a = asin_near_f32(far ? sqrt(s) : u, s);
    float middle = 0x1.921fb6p+0f - (with_sign_of_f32(a, x) + 0x1.777a5cp-25f);
    float end = x < 0.0f ? 0x1.921fb6p+1f - fma(a, 2.0f, 0x1.777a5cp-24f) : a + a;
    return far ? end : middle;
}

float over_pi_f32(float x) { return fma(x, 0x1.45f306p-2f, x * 0x1.b9391p-27f); }

float atanpi_f32(float x) { return over_pi_f32(atan_f32(x)); }
float atan2pi_f32(float y, float x) { return over_pi_f32(atan2_f32(y, x)); }
float asinpi_f32(float x) { return over_pi_f32(asin_f32(x)); }
float acospi_f32(float x) { return over_pi_f32(acos_f32(x)); }

// The same for doubles.

// atan of y / x for 0 <= y, x, which are not both zero or infinite; computed from the smaller quotient, and
// from pi/2 if needed.
double atan_of_quotient_f64(double y, double x) {
    bool steep = x < y;
    double q = steep ? x / y : y / x;
    double a = fma(q * q * atan_poly_f64(q * q), q, q);
    return steep ? 0x1.921fb54442d18p+0 - (a - 0x1.1a62633145c07p-54) : a;
}

double atan_f64(double x) {
    double a = with_sign_of_f64(atan_of_quotient_f64(fabs(x), 1.0), x);
    return x == x ? a : x;
}

double atan2_f64(double y, double x) {
    double v = fabs(y), u = fabs(x);
    // treated as if both were 1, or y smaller
    bool ends = v == u && (v == 0.0 || v == as_double(0x7ff0000000000000));
    double a = atan_of_quotient_f64(ends ? (v == 0.0 ? 0.0 : 1.0) : v, ends ? 1.0 : u);
    a = signbit(x) && (u != 0.0 || v == 0.0) ? 0x1.921fb54442d18p+1 - (a - 0x1.1a62633145c07p-53) : a;
    return y == y && x == x ? with_sign_of_f64(a, y) : as_double(0x7ff8000000000000);
}

// asin for 0 <= x <= 1/2, and its square s
double asin_near_f64(double x, double s) { return fma(s * asin_poly_f64(s), x, x); }

double asin_f64(double x) {
    double u = fabs(x);
    bool far = 0.5 < u;
    double s = far ? fma(u, -0.5, 0.5) : u * u;
    double a = asin_near_f64(far ? sqrt(s) : u, s);
    return with_sign_of_f64(far ? 0x1.921fb54442d18p+0 - fma(a, 2.0, -0x1.1a62633145c07p-54) : a, x);
}

double acos_f64(double x) {
    double u = fabs(x);
    bool far = 0.5 < u;
    double s = far ? fma(u, -0.5, 0.5) : u * u;
    double a = asin_near_f64(far ? sqrt(s) : u, s);
    double middle = 0x1.921fb54442d18p+0 - (with_sign_of_f64(a, x) - 0x1.1a62633145c07p-54);
    double end = x < 0.0 ? 0x1.921fb54442d18p+1 - fma(a, 2.0, -0x1.1a62633145c07p-53) : a + a;
    return far ? end : middle;
}

double over_pi_f64(double x) { return fma(x, 0x1.45f306dc9c882p-2, x * 0x1.4a7f09d5f47d5p-55); }

double atanpi_f64(double x) { return over_pi_f64(atan_f64(x)); }
double atan2pi_f64(double y, double x) { return over_pi_f64(atan2_f64(y, x)); }
double asinpi_f64(double x) { return over_pi_f64(asin_f64(x)); }
double acospi_f64(double x) { return over_pi_f64(acos_f64(x)); }
