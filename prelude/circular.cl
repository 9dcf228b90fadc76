// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan and sincos, of x and of pi x. An angle becomes n quarter turns and a rest r of at most pi/4.

struct angle_f32 { float r; int n; };  // only the low bits of n count

// 2/pi in binary, behind 32 zeros.
constant uint two_over_pi_f32[] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                   0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

// Of |x| >= 2^16, after Payne and Hanek: of the product with 2/pi only those bits are made that tell quarter turns
// within a full one, and 62 behind the point.
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

// pi/2 is the sum of three floats, all positive, which keeps the sign of zero. The first product cancels without
// loss.
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

// Of pi x. Whole turns are taken off first; what is left is exact.
struct angle_f32 reduce_pi_f32(float x) {
    float whole = rint(x * 0.5f) * -2.0f;
    float rest = x + whole;
    float n = rint(rest * 2.0f);
    float r = fma(n, -0.5f, rest);
    return (struct angle_f32){fma(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f), convert_int(n)};
}

// Zeros at whole x have the sign of x.
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

// Zeros and poles change their sign with every half turn.
float tanpi_f32(float x) {
    struct angle_f32 a = reduce_pi_f32(fabs(x));
    float y = tan_turned_f32(a.r, a.n);
    float end = (a.n & 1) ? as_float(0x7f800000) : 0.0f;
    y = a.r == 0.0f ? ((a.n & 2) ? -end : end) : y;
    y = signbit(x) ? -y : y;
    return fabs(x) < as_float(0x7f800000) ? y : as_float(0x7fc00000);
}
