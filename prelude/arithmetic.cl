// SPDX-License-Identifier: Apache-2.0
// cbrt, rsqrt, hypot, exact remainders, and exponents.

// An estimate from the exponent, two iterations, and a correction by the residual of the cube.
float cbrt_f32(float x) {
    float u = fabs(x);
    bool is_small = u < 0x1p-100f, is_large = 0x1p100f < u;
    float v = u * (is_small ? 0x1p48f : is_large ? 0x1p-48f : 1.0f);
    float y = as_float(as_uint(v) / 3 + 0x2a517d3cu);
    y = y - (y * y * y - v) / (3.0f * y * y);
    y = y - (y * y * y - v) / (3.0f * y * y);
    float square = y * y, lost = fma(y, y, -square);
    float rest = fma(square, y, -v) + lost * y;
    y = y - rest / (3.0f * square);
    y *= is_small ? 0x1p-16f : is_large ? 0x1p16f : 1.0f;
    return 0.0f < u && u < as_float(0x7f800000) ? with_sign_of_f32(y, x) : x;
}

// An estimate from the exponent with an error of 3.5%, and one iteration of fifth order: 1 / sqrt(1 - lack)
// is 1 + lack * (a polynomial for lack from -0.0705 to 0.0668, with an error of 2.4e-8 of the result). Powers
// of four are exact. A square root and a division take several times as long; they handle only zeros,
// subnormal and negative numbers, infinity and NaN.
float rsqrt_f32(float x) {
    float guess = as_float(0x5f377600u - (as_uint(x) >> 1));
    float lack = fma(-(x * guess), guess, 1.0f);
    float p = fma(0x1.17621ap-2f, lack, 0x1.41762ep-2f);
    p = fma(fma(p, lack, 0x1.800116p-2f), lack, 0x1.ffff92p-2f);
    float y = fma(guess, p * lack, guess);
    if (as_uint(x) - 0x00800000u >= 0x7f000000u) y = 1.0f / sqrt(x);
    return y;
}

double rsqrt_f64(double x) { return 1.0 / sqrt(x); }

// Scaled by a power of two if squares would overflow or underflow.
float hypot_f32(float x, float y) {
    float a = fabs(x), b = fabs(y);
    float large = a < b ? b : a, little = a < b ? a : b;
    bool up = large < 0x1p-50f, down = 0x1p60f < large;
    float scale = up ? 0x1p90f : down ? 0x1p-70f : 1.0f, back = up ? 0x1p-90f : down ? 0x1p70f : 1.0f;
    large *= scale;
    little *= scale;
    float h = sqrt(fma(large, large, little * little)) * back;
    h = x != x || y != y ? as_float(0x7fc00000) : h;
    return a == as_float(0x7f800000) || b == as_float(0x7f800000) ? as_float(0x7f800000) : h;
}

int ilogb_f32(float x) {
    float u = fabs(x);
    bool is_small = u < 0x1p-126f;
    int e = (as_int(is_small ? u * 0x1p24f : u) >> 23) - (is_small ? 151 : 127);
    return u == 0.0f ? -2147483647 - 1 : u < as_float(0x7f800000) ? e : 2147483647;
}

float logb_f32(float x) {
    float e = convert_float(ilogb_f32(x));
    e = x == 0.0f ? as_float(0xff800000u) : e;
    return fabs(x) < as_float(0x7f800000) ? e : x * x;
}

// For 0 <= x < infinity and 0 < y < infinity: x minus a whole multiple of y, exactly, and the low bits of the
// multiplier. Each iteration subtracts the multiple given by the leading bits of the quotient; its product is
// exact in an fma.
struct rest_f32 { float r; uint quotient; };

struct rest_f32 divide_f32(float x, float y) {
    struct rest_f32 d = {x, 0};
    while (y <= d.r) {
        int shift = ilogb_f32(d.r) - ilogb_f32(y) - 22;
        shift = shift < 0 ? 0 : shift;
        float part = ldexp(y, shift);
        float q = trunc(d.r / part);
        d.r = fma(-q, part, d.r);
        // The quotient may have been rounded up to an integer.
        bool over = d.r < 0.0f;
        d.r = over ? d.r + part : d.r;
        uint steps = convert_uint(q) - (over ? 1 : 0);
        d.quotient += shift < 32 ? steps << shift : 0;
    }
    return d;
}

float fmod_f32(float x, float y) {
    float u = fabs(x), v = fabs(y);
    if (!(u < as_float(0x7f800000)) || !(0.0f < v)) return as_float(0x7fc00000);
    if (v == as_float(0x7f800000)) return x;
    return with_sign_of_f32(divide_f32(u, v).r, x);
}

// The quotient rounded to the nearest integer, halves to even.
struct rest_f32 nearest_rest_f32(float x, float y) {
    float u = fabs(x), v = fabs(y);
    struct rest_f32 d = {as_float(0x7fc00000), 0};
    if (!(u < as_float(0x7f800000)) || !(0.0f < v)) return d;
    d.r = u;
    if (v < as_float(0x7f800000)) {
        d = divide_f32(u, v);
        float other = v - d.r;
        if (other < d.r || (other == d.r && (d.quotient & 1))) {
            d.r = -other;
            d.quotient += 1;
        }
    }
    d.r = signbit(x) ? -d.r : d.r;
    d.quotient &= 0x7f;
    d.quotient = signbit(x) != signbit(y) ? -d.quotient : d.quotient;
    return d;
}

float remainder_f32(float x, float y) { return nearest_rest_f32(x, y).r; }

float remquo_f32_private(float x, float y, private int* quotient) {
    struct rest_f32 d = nearest_rest_f32(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}
float remquo_f32_local(float x, float y, local int* quotient) {
    struct rest_f32 d = nearest_rest_f32(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}
float remquo_f32_global(float x, float y, global int* quotient) {
    struct rest_f32 d = nearest_rest_f32(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}

// The same for doubles.

// An estimate from the exponent, two iterations, and a correction by the residual of the cube.
double cbrt_f64(double x) {
    double u = fabs(x);
    bool is_small = u < 0x1p-900, is_large = 0x1p900 < u;
    double v = u * (is_small ? 0x1p300 : is_large ? 0x1p-300 : 1.0);
    double y = as_double((ulong)((uint)(as_ulong(v) >> 32) / 3 + 0x2a9f7893u) << 32);
    y = y - (y * y * y - v) / (3.0 * y * y);
    y = y - (y * y * y - v) / (3.0 * y * y);
    y = y - (y * y * y - v) / (3.0 * y * y);
    double square = y * y, lost = fma(y, y, -square);
    double rest = fma(square, y, -v) + lost * y;
    y = y - rest / (3.0 * square);
    y *= is_small ? 0x1p-100 : is_large ? 0x1p100 : 1.0;
    return 0.0 < u && u < as_double(0x7ff0000000000000) ? with_sign_of_f64(y, x) : x;
}

// Scaled by a power of two if squares would overflow or underflow.
double hypot_f64(double x, double y) {
    double a = fabs(x), b = fabs(y);
    double large = a < b ? b : a, little = a < b ? a : b;
    bool up = large < 0x1p-450, down = 0x1p480 < large;
    double scale = up ? 0x1p600 : down ? 0x1p-600 : 1.0, back = up ? 0x1p-600 : down ? 0x1p600 : 1.0;
    large *= scale;
    little *= scale;
    double h = sqrt(fma(large, large, little * little)) * back;
    h = x != x || y != y ? as_double(0x7ff8000000000000) : h;
    return a == as_double(0x7ff0000000000000) || b == as_double(0x7ff0000000000000) ? as_double(0x7ff0000000000000) : h;
}

int ilogb_f64(double x) {
    double u = fabs(x);
    bool is_small = u < 0x1p-1022;
    int e = (int)(as_ulong(is_small ? u * 0x1p52 : u) >> 52) - (is_small ? 1075 : 1023);
    return u == 0.0 ? -2147483647 - 1 : u < as_double(0x7ff0000000000000) ? e : 2147483647;
}

double logb_f64(double x) {
    double e = convert_double(ilogb_f64(x));
    e = x == 0.0 ? as_double(0xfff0000000000000) : e;
    return fabs(x) < as_double(0x7ff0000000000000) ? e : x * x;
}

// For 0 <= x < infinity and 0 < y < infinity: x minus a whole multiple of y, exactly, and the low bits of the
// multiplier. Each iteration subtracts the multiple given by the leading bits of the quotient; its product is
// exact in an fma.
struct rest_f64 { double r; uint quotient; };

struct rest_f64 divide_f64(double x, double y) {
    struct rest_f64 d = {x, 0};
    while (y <= d.r) {
        int shift = ilogb_f64(d.r) - ilogb_f64(y) - 30;
        shift = shift < 0 ? 0 : shift;
        double part = ldexp(y, shift);
        double q = trunc(d.r / part);
        d.r = fma(-q, part, d.r);
        // The quotient may have been rounded up to an integer.
        bool over = d.r < 0.0;
        d.r = over ? d.r + part : d.r;
        uint steps = convert_uint(q) - (over ? 1 : 0);
        d.quotient += shift < 32 ? steps << shift : 0;
    }
    return d;
}

double fmod_f64(double x, double y) {
    double u = fabs(x), v = fabs(y);
    if (!(u < as_double(0x7ff0000000000000)) || !(0.0 < v)) return as_double(0x7ff8000000000000);
    if (v == as_double(0x7ff0000000000000)) return x;
    return with_sign_of_f64(divide_f64(u, v).r, x);
}

// The quotient rounded to the nearest integer, halves to even.
struct rest_f64 nearest_rest_f64(double x, double y) {
    double u = fabs(x), v = fabs(y);
    struct rest_f64 d = {as_double(0x7ff8000000000000), 0};
    if (!(u < as_double(0x7ff0000000000000)) || !(0.0 < v)) return d;
    d.r = u;
    if (v < as_double(0x7ff0000000000000)) {
        d = divide_f64(u, v);
        double other = v - d.r;
        if (other < d.r || (other == d.r && (d.quotient & 1))) {
            d.r = -other;
            d.quotient += 1;
        }
    }
    d.r = signbit(x) ? -d.r : d.r;
    d.quotient &= 0x7f;
    d.quotient = signbit(x) != signbit(y) ? -d.quotient : d.quotient;
    return d;
}

double remainder_f64(double x, double y) { return nearest_rest_f64(x, y).r; }

double remquo_f64_private(double x, double y, private int* quotient) {
    struct rest_f64 d = nearest_rest_f64(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}
double remquo_f64_local(double x, double y, local int* quotient) {
    struct rest_f64 d = nearest_rest_f64(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}
double remquo_f64_global(double x, double y, global int* quotient) {
    struct rest_f64 d = nearest_rest_f64(x, y);
    *quotient = as_int(d.quotient);
    return d.r;
}
