// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown and rootn: 2^(y log2 |x|), with log2 as the sum of two numbers, for its error grows with the
// product.

struct pair_f32 { float high, low; };

// a + b where b is not the larger one, or a is 0.
struct pair_f32 sum_f32(float a, float b) {
    struct pair_f32 s;
    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}

// log2 of x >= 0.
struct pair_f32 log2_pair_f32(float x) {
    struct parts_f32 m = split_f32(x);
    float f = m.f, square = f * f;
    // f - f^2/2 + f^3 p(f)
    struct pair_f32 l = sum_f32(f, -0.5f * square);
    l.low += fma(square * f, pow_log_poly_f32(f), -0.5f * fma(f, f, -square));
    l = sum_f32(l.high, l.low);
    // in base 2
    float high = l.high * 0x1.715476p+0f;
    float low = fma(l.high, 0x1.715476p+0f, -high) + fma(l.high, 0x1.4ae0cp-26f, l.low * 0x1.715476p+0f);
    l = sum_f32(m.k, high);
    l.low += low;
    l.high = x == 0.0f ? as_float(0xff800000u) : x < as_float(0x7f800000) ? l.high : x;
    return l;
}

// 2^(high + low). The second counts only where the first is in range.
float exp2_pair_f32(float high, float low) {
    float x = clamp_f32(high, -151.0f, 129.0f);
    float t = x + 12583166.0f;
    float r = x - (t - 12583166.0f);
    r = x == high ? r + low : r;
    return scaled_f32(fma(r, pow_poly_f32(r), 1.0f), as_int(t));
}

// |x|^(y + rest)
float magnitude_of_power_f32(float x, float y, float rest) {
    struct pair_f32 l = log2_pair_f32(fabs(x));
    float high = y * l.high;
    float low = fma(y, l.high, -high) + fma(y, l.low, rest * l.high);
    return exp2_pair_f32(high, low);
}

float pow_f32(float x, float y) {
    float p = magnitude_of_power_f32(x, y, 0.0f), half_y = y * 0.5f;
    bool whole = rint(y) == y;
    p = whole && rint(half_y) != half_y ? with_sign_of_f32(p, x) : p;
    p = x < 0.0f && -as_float(0x7f800000) < x && !whole ? as_float(0x7fc00000) : p;
    p = x == -1.0f && fabs(y) == as_float(0x7f800000) ? 1.0f : p;
    p = x != x || y != y ? x + y : p;
    return x == 1.0f || y == 0.0f ? 1.0f : p;
}

float powr_f32(float x, float y) {
    float p = magnitude_of_power_f32(x, y, 0.0f);
    p = x == 1.0f && fabs(y) < as_float(0x7f800000) ? 1.0f : p;
    return 0.0f <= x && y == y ? p : as_float(0x7fc00000);
}

float pown_f32(float x, int n) {
    float y = convert_float(n);
    float p = magnitude_of_power_f32(x, y, convert_float(n - convert_int(y)));
    p = (n & 1) ? with_sign_of_f32(p, x) : p;
    p = x != x ? x : p;
    return n == 0 ? 1.0f : p;
}

float rootn_f32(float x, int n) {
    struct pair_f32 l = log2_pair_f32(fabs(x));
    float y = convert_float(n), rest = convert_float(n - convert_int(y));
    float high = l.high / y;
    float low = (fma(-high, y, l.high) + fma(-high, rest, l.low)) / y;
    float p = exp2_pair_f32(high, low);
    p = (n & 1) ? with_sign_of_f32(p, x) : p;
    bool none = n == 0 || (x < 0.0f && !(n & 1));
    return none || x != x ? as_float(0x7fc00000) : p;
}
