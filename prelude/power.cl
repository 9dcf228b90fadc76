// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown and rootn: 2^(y log2 |x|), with log2 as the sum of two numbers, because its error grows
// with the product. Calls whose exponent is written out, 2 or 0.5 say, take the definitions that come first.
// The inverse of a square that overflows would be 0, where the square of the inverse is still denormal.

float square_f32(float x) { return x * x; }
float cube_f32(float x) { return x * x * x; }
float fourth_power_f32(float x) { return x * x * (x * x); }
float inverse_f32(float x) { return 1.0f / x; }
float inverse_square_f32(float x) { return 1.0f / x * (1.0f / x); }
float root_f32(float x) { return sqrt(x == -as_float(0x7f800000) ? as_float(0x7f800000) : x) + 0.0f; }
float inverse_root_f32(float x) { return 1.0f / root_f32(x); }
double square_f64(double x) { return x * x; }
double cube_f64(double x) { return x * x * x; }
double fourth_power_f64(double x) { return x * x * (x * x); }
double inverse_f64(double x) { return 1.0 / x; }
double inverse_square_f64(double x) { return 1.0 / x * (1.0 / x); }
double root_f64(double x) { return sqrt(x == -as_double(0x7ff0000000000000) ? as_double(0x7ff0000000000000) : x) + 0.0; }
double inverse_root_f64(double x) { return 1.0 / root_f64(x); }

struct pair_f32 { float high, low; };

// a + b where |b| <= |a|, or a is 0.
struct pair_f32 sum_f32(float a, float b) {
    struct pair_f32 s;
    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}

// log2 of x >= 0. A factor 5/4 or 3/4 moves m nearer to 1, so that the cube of f is almost negligible; the
// product is exact.
struct pair_f32 log2_pair_f32(float x) {
    struct parts_f32 m = split_f32(x);
    bool below = m.f < -0.12f, above = 0.16f < m.f;
    float c = below ? 0.25f : above ? -0.25f : 0.0f;
    float k = m.k + (below ? -0x1.49ap-2f : above ? 0x1.a9p-2f : 0.0f);
    float rest = below ? -0x1.e12f34p-16f : above ? -0x1.a39fbep-20f : 0.0f;
    float f = fma(m.f, c, m.f + c), square = f * f;
    // f - f^2/2 + f^3 p(f)
    struct pair_f32 l = sum_f32(f, -0.5f * square);
    l.low += fma(square * f, pow_log_poly_f32(f), -0.5f * fma(f, f, -square));
    l = sum_f32(l.high, l.low);
    // in base 2
    float high = l.high * 0x1.715476p+0f;
    float low = fma(l.high, 0x1.715476p+0f, -high) + fma(l.high, 0x1.4ae0cp-26f, fma(l.low, 0x1.715476p+0f, rest));
    l = sum_f32(k, high);
    l.low += low;
    l.high = x == 0.0f ? as_float(0xff800000u) : x < as_float(0x7f800000) ? l.high : x;
    return l;
}

// 2^(high + low - less). `low` is significant only if `high` is in range.
float exp2_pair_f32(float high, float low, int less) {
    float x = clamp_f32(high, convert_float(less - 151), convert_float(less + 129));
    float t = x + 12583166.0f;
    float r = x - (t - 12583166.0f);
    r = x == high ? r + low : r;
    return scaled_f32(fma(r, pow_poly_f32(r), 1.0f), as_int(t) - less);
}

// |x|^(y + rest)
float magnitude_of_power_f32(float x, float y, float rest) {
    struct pair_f32 l = log2_pair_f32(fabs(x));
    float high = y * l.high;
    float low = fma(y, l.high, -high) + fma(y, l.low, rest * l.high);
    return exp2_pair_f32(high, low, 0);
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
    float p = exp2_pair_f32(high, low, 0);
    p = (n & 1) ? with_sign_of_f32(p, x) : p;
    bool none = n == 0 || (x < 0.0f && !(n & 1));
    return none || x != x ? as_float(0x7fc00000) : p;
}

// The same for doubles. Here f is smaller: m = (1 + f + lost) / c with a c from a table, so that the cube of
// f is almost negligible.
struct pair_f64 { double high, low; };

struct pair_f64 sum_f64(double a, double b) {
    struct pair_f64 s;
    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}

struct pair_f64 log2_pair_f64(double x) {
    bool is_small = x < 0x1p-1022;
    long i = as_long(is_small ? x * 0x1p52 : x);
    uint place = (uint)((ulong)(i - 0x3fe6800000000000) >> 32);  // of 0.703125
    int e = (int)place >> 20, row = (int)((place >> 15) & 31) * 3;
    double k = convert_double(is_small ? e - 52 : e);
    double m = as_double(i - ((long)e << 52)), c = power_table_f64[row];
    double product = m * c, lost = fma(m, c, -product), f = product - 1.0, square = f * f;
    struct pair_f64 l = sum_f64(f, -0.5 * square);
    l.low += fma(square * f, pow_log_poly_f64(f), fma(-0.5, fma(f, f, -square), fma(-f, lost, lost)));
    l = sum_f64(l.high, l.low);
    double high = l.high * 0x1.71547652b82fep+0;
    double low = fma(l.high, 0x1.71547652b82fep+0, -high) +
                 fma(l.high, 0x1.777d0ffda0d24p-56, fma(l.low, 0x1.71547652b82fep+0, power_table_f64[row + 2]));
    l = sum_f64(k + power_table_f64[row + 1], high);
    l.low += low;
    l.high = x == 0.0 ? as_double(0xfff0000000000000) : x < as_double(0x7ff0000000000000) ? l.high : x;
    return l;
}

double exp2_pair_f64(double high, double low, int less) {
    double x = clamp_f64(high, convert_double(less - 1076), convert_double(less + 1025));
    double t = x + 6755399441057790.0;
    double r = x - (t - 6755399441057790.0);
    r = x == high ? r + low : r;
    return scaled_f64(fma(r, pow_poly_f64(r), 1.0), t - convert_double(less));
}

double magnitude_of_power_f64(double x, double y) {
    struct pair_f64 l = log2_pair_f64(fabs(x));
    double high = y * l.high;
    return exp2_pair_f64(high, fma(y, l.low, fma(y, l.high, -high)), 0);
}

double pow_f64(double x, double y) {
    double p = magnitude_of_power_f64(x, y), half_y = y * 0.5;
    bool whole = rint(y) == y;
    p = whole && rint(half_y) != half_y ? with_sign_of_f64(p, x) : p;
    p = x < 0.0 && -as_double(0x7ff0000000000000) < x && !whole ? as_double(0x7ff8000000000000) : p;
    p = x == -1.0 && fabs(y) == as_double(0x7ff0000000000000) ? 1.0 : p;
    p = x != x || y != y ? x + y : p;
    return x == 1.0 || y == 0.0 ? 1.0 : p;
}

double powr_f64(double x, double y) {
    double p = magnitude_of_power_f64(x, y);
    p = x == 1.0 && fabs(y) < as_double(0x7ff0000000000000) ? 1.0 : p;
    return 0.0 <= x && y == y ? p : as_double(0x7ff8000000000000);
}

double pown_f64(double x, int n) {
    double y = convert_double(n);
    double p = magnitude_of_power_f64(x, y);
    p = (n & 1) ? with_sign_of_f64(p, x) : p;
    p = x != x ? x : p;
    return n == 0 ? 1.0 : p;
}

double rootn_f64(double x, int n) {
    struct pair_f64 l = log2_pair_f64(fabs(x));
    double y = convert_double(n);
    double high = l.high / y;
    double low = (fma(-high, y, l.high) + l.low) / y;
    double p = exp2_pair_f64(high, low, 0);
    p = (n & 1) ? with_sign_of_f64(p, x) : p;
    bool none = n == 0 || (x < 0.0 && !(n & 1));
    return none || x != x ? as_double(0x7ff8000000000000) : p;
}
