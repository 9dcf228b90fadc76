// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan and sincos, of x and of pi x. An angle is reduced to n quarter turns and a remainder r of at
// most pi/4.

struct angle_f32 { float r; int n; };  // only the low bits of n are significant

// For |x| >= 2^16, after Payne and Hanek: computes only the product bits with 2/pi that give the quarter turn
// within a full turn, and 62 fraction bits.
struct angle_f32 reduce_large_f32(float x) {
    struct angle_f32 a;
    uint bits = as_uint(x), exponent = (bits >> 23) & 0xff;
    ulong m = (bits & 0x7fffff) | 0x800000;
    uint first = exponent - 120, word = first >> 5, shift = first & 31;
    ulong w0 = two_over_pi_f32[word], w1 = two_over_pi_f32[word + 1], w2 = two_over_pi_f32[word + 2],
          w3 = two_over_pi_f32[word + 3];
    ulong high = ((w0 << 32 | w1) << shift) >> 32, middle = ((w1 << 32 | w2) << shift) >> 32,
          low = ((w2 << 32 | w3) << shift) >> 32;
    ulong turns = (m * high << 32) + m * middle + (m * low >> 32);
    long fraction = (long)(turns << 2);
    int n = (int)(turns >> 62) + (fraction < 0 ? 1 : 0);
    float r = convert_float(fraction);
    r = fma(r, 0x1.921fb6p-64f, r * -0x1.777a5cp-89f);
    a.r = exponent == 255 ? as_float(0x7fc00000) : x < 0.0f ? -r : r;
    a.n = x < 0.0f ? -n : n;
    return a;
}

// pi/2 is the sum of three positive floats, which preserves the sign of zero. The first product cancels
// exactly.
struct angle_f32 reduce_f32(float x) {
    struct angle_f32 a;
    float t = fma(x, 0x1.45f306p-1f, 12582912.0f);
    float n = t - 12582912.0f;
    a.r = fma(n, -0x1.84698ap-48f, fma(n, -0x1.4442dp-24f, fma(n, -0x1.921fb4p+0f, x)));
    a.n = as_int(t);
    if (65536.0f <= fabs(x)) a = reduce_large_f32(x);
    return a;
}

float sin_near_f32(float r, float s) { return r * fma(s, sin_poly_f32(s), 1.0f); }
float cos_near_f32(float s) { return fma(s, fma(s, cos_poly_f32(s), -0.5f), 1.0f); }

// sin(r + n pi/2)
float sin_turned_f32(float r, int n) {
    float s = r * r;
    float y = (n & 1) ? cos_near_f32(s) : sin_near_f32(r, s);
    return as_float(as_int(y) ^ ((n & 2) << 30));
}

float sin_f32(float x) {
    struct angle_f32 a = reduce_f32(x);
    return sin_turned_f32(a.r, a.n);
}

float cos_f32(float x) {
    struct angle_f32 a = reduce_f32(x);
    return sin_turned_f32(a.r, a.n + 1);
}

float tan_turned_f32(float r, int n) {
    float s = r * r;
    float y = fma(s * tan_poly_f32(s), r, r);
    return (n & 1) ? -1.0f / y : y;
}

float tan_f32(float x) {
    struct angle_f32 a = reduce_f32(x);
    return tan_turned_f32(a.r, a.n);
}

struct both_f32 { float sine, cosine; };

struct both_f32 sin_and_cos_f32(float x) {
    struct angle_f32 a = reduce_f32(x);
    return (struct both_f32){sin_turned_f32(a.r, a.n), sin_turned_f32(a.r, a.n + 1)};
}

float sincos_f32_private(float x, private float* cosine) {
    struct both_f32 b = sin_and_cos_f32(x);
    *cosine = b.cosine;
    return b.sine;
}
float sincos_f32_local(float x, local float* cosine) {
    struct both_f32 b = sin_and_cos_f32(x);
    *cosine = b.cosine;
    return b.sine;
}
float sincos_f32_global(float x, global float* cosine) {
    struct both_f32 b = sin_and_cos_f32(x);
    *cosine = b.cosine;
    return b.sine;
}

// Of pi x. Whole turns are subtracted first; the remainder is exact.
struct angle_f32 reduce_pi_f32(float x) {
    float whole = rint(x * 0.5f) * -2.0f;
    float rest = x + whole;
    float n = rint(rest * 2.0f);
    float r = fma(n, -0.5f, rest);
    return (struct angle_f32){fma(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f), convert_int(n)};
}

// Zeros at integer x have the sign of x.
float sinpi_f32(float x) {
    struct angle_f32 a = reduce_pi_f32(x);
    float y = sin_turned_f32(a.r, a.n);
    y = y == 0.0f ? with_sign_of_f32(0.0f, x) : y;
    return fabs(x) < as_float(0x7f800000) ? y : as_float(0x7fc00000);
}

// Zeros are positive.
float cospi_f32(float x) {
    struct angle_f32 a = reduce_pi_f32(x);
    float y = sin_turned_f32(a.r, a.n + 1) + 0.0f;
    return fabs(x) < as_float(0x7f800000) ? y : as_float(0x7fc00000);
}

// Zeros and poles alternate in sign with every half turn.
float tanpi_f32(float x) {
    struct angle_f32 a = reduce_pi_f32(fabs(x));
    float y = tan_turned_f32(a.r, a.n);
    float end = (a.n & 1) ? as_float(0x7f800000) : 0.0f;
    y = a.r == 0.0f ? ((a.n & 2) ? -end : end) : y;
    y = signbit(x) ? -y : y;
    return fabs(x) < as_float(0x7f800000) ? y : as_float(0x7fc00000);
}

// The same for doubles. A product of 53 with 192 bits of 2/pi leaves 126 bits of fraction.
struct angle_f64 { double r; int n; };

// Of |x| >= 2^30.
struct angle_f64 reduce_large_f64(double x) {
    struct angle_f64 a;
    ulong bits = as_ulong(x), m = (bits & 0xfffffffffffff) | 0x10000000000000;
    uint exponent = (uint)(bits >> 52) & 0x7ff;
    uint first = min(exponent, 2046u) - 1013, word = first >> 6, shift = first & 63;
    ulong w0 = two_over_pi_f64[word], w1 = two_over_pi_f64[word + 1], w2 = two_over_pi_f64[word + 2],
          w3 = two_over_pi_f64[word + 3];
    ulong high = w0 << shift | w1 >> 1 >> (63 - shift), middle = w1 << shift | w2 >> 1 >> (63 - shift),
          low = w2 << shift | w3 >> 1 >> (63 - shift);
    ulong below = m * middle, tail = mul_hi(m, low);
    ulong turns = m * high + mul_hi(m, middle);
    below += tail;
    turns += below < tail ? 1 : 0;
    // The signed fraction, at most half a turn.
    ulong f = turns << 2 | below >> 62, rest = below << 2;
    bool negative = (long)f < 0;
    int n = (int)(turns >> 62) + (negative ? 1 : 0);
    f = negative ? ~f : f;
    rest = negative ? ~rest : rest;
    ulong zeros = min((ulong)clz(f), (ulong)63);
    f = f << zeros | rest >> 1 >> (63 - zeros);
    double r = convert_double(f) * as_double((1023 - 64 - zeros) << 52);
    r = fma(r, 0x1.921fb54442d18p+0, r * 0x1.1a62633145c07p-54);
    a.r = exponent == 2047 ? as_double(0x7ff8000000000000) : negative != (x < 0.0) ? -r : r;
    a.n = x < 0.0 ? -n : n;
    return a;
}

struct angle_f64 reduce_f64(double x) {
    struct angle_f64 a;
    double t = fma(x, 0x1.45f306dc9c883p-1, 6755399441055744.0);
    double n = t - 6755399441055744.0;
    a.r = fma(n, -0x1.c1cd129024e09p-107, fma(n, -0x1.1a62633145c06p-54, fma(n, -0x1.921fb54442d18p+0, x)));
    a.n = (int)as_long(t);
    if (0x1p30 <= fabs(x)) a = reduce_large_f64(x);
    return a;
}

double sin_near_f64(double r, double s) { return r * fma(s, sin_poly_f64(s), 1.0); }
double cos_near_f64(double s) { return fma(s, fma(s, cos_poly_f64(s), -0.5), 1.0); }

// sin(r + n pi/2)
double sin_turned_f64(double r, int n) {
    double s = r * r;
    double y = (n & 1) ? cos_near_f64(s) : sin_near_f64(r, s);
    return as_double(as_ulong(y) ^ ((ulong)(n & 2) << 62));
}

double sin_f64(double x) {
    struct angle_f64 a = reduce_f64(x);
    return sin_turned_f64(a.r, a.n);
}

double cos_f64(double x) {
    struct angle_f64 a = reduce_f64(x);
    return sin_turned_f64(a.r, a.n + 1);
}

double tan_turned_f64(double r, int n) {
    double s = r * r, sine = sin_near_f64(r, s), cosine = cos_near_f64(s);
    return (n & 1) ? -cosine / sine : sine / cosine;
}

double tan_f64(double x) {
    struct angle_f64 a = reduce_f64(x);
    return tan_turned_f64(a.r, a.n);
}

struct both_f64 { double sine, cosine; };

struct both_f64 sin_and_cos_f64(double x) {
    struct angle_f64 a = reduce_f64(x);
    return (struct both_f64){sin_turned_f64(a.r, a.n), sin_turned_f64(a.r, a.n + 1)};
}

double sincos_f64_private(double x, private double* cosine) {
    struct both_f64 b = sin_and_cos_f64(x);
    *cosine = b.cosine;
    return b.sine;
}
double sincos_f64_local(double x, local double* cosine) {
    struct both_f64 b = sin_and_cos_f64(x);
    *cosine = b.cosine;
    return b.sine;
}
double sincos_f64_global(double x, global double* cosine) {
    struct both_f64 b = sin_and_cos_f64(x);
    *cosine = b.cosine;
    return b.sine;
}

// Of pi x. Whole turns are subtracted first; the remainder is exact.
struct angle_f64 reduce_pi_f64(double x) {
    double whole = rint(x * 0.5) * -2.0;
    double rest = x + whole;
    double n = rint(rest * 2.0);
    double r = fma(n, -0.5, rest);
    return (struct angle_f64){fma(r, 0x1.921fb54442d18p+1, r * 0x1.1a62633145c07p-53), convert_int(n)};
}

// Zeros at integer x have the sign of x.
double sinpi_f64(double x) {
    struct angle_f64 a = reduce_pi_f64(x);
    double y = sin_turned_f64(a.r, a.n);
    y = y == 0.0 ? with_sign_of_f64(0.0, x) : y;
    return fabs(x) < as_double(0x7ff0000000000000) ? y : as_double(0x7ff8000000000000);
}

// Zeros are positive.
double cospi_f64(double x) {
    struct angle_f64 a = reduce_pi_f64(x);
    double y = sin_turned_f64(a.r, a.n + 1) + 0.0;
    return fabs(x) < as_double(0x7ff0000000000000) ? y : as_double(0x7ff8000000000000);
}

// Zeros and poles alternate in sign with every half turn.
double tanpi_f64(double x) {
    struct angle_f64 a = reduce_pi_f64(fabs(x));
    double y = tan_turned_f64(a.r, a.n);
    double end = (a.n & 1) ? as_double(0x7ff0000000000000) : 0.0;
    y = a.r == 0.0 ? ((a.n & 2) ? -end : end) : y;
    y = signbit(x) ? -y : y;
    return fabs(x) < as_double(0x7ff0000000000000) ? y : as_double(0x7ff8000000000000);
}
