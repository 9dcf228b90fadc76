// SPDX-License-Identifier: Apache-2.0
// The prelude's less common functions.
#pragma once

// --- integers

template <typename A, typename B, typename C>
auto mad_hi(A a, B b, C c) {
  return mul_hi(a, b) + c;
}
template <typename T>
T mad_sat(T a, T b, T c) {
  return oracle::saturate<T>(static_cast<__int128>(a) * b + c);
}
template <typename T>
T ctz(T x) {
  return x ? __builtin_ctzl(x) : sizeof(T) * 8;
}
inline ushort upsample(uchar high, uchar low) { return high << 8 | low; }
inline short upsample(char high, uchar low) { return high << 8 | low; }
inline uint upsample(ushort high, ushort low) { return uint{high} << 16 | low; }
inline int upsample(short high, ushort low) { return high << 16 | low; }
inline ulong upsample(uint high, uint low) { return ulong{high} << 32 | low; }
inline long upsample(int high, uint low) { return long{high} << 32 | low; }
template <typename T>
T bitselect(T a, T b, T c) {
  return (a & ~c) | (b & c);
}
inline float bitselect(float a, float b, float c) {
  uint x = __builtin_bit_cast(uint, a), y = __builtin_bit_cast(uint, b), m = __builtin_bit_cast(uint, c);
  return __builtin_bit_cast(float, bitselect(x, y, m));
}
template <typename T, typename C>
T select(T no, T yes, C c) {
  return c ? yes : no;
}

// --- floats

inline float nextafter(float x, float y) { return __builtin_nextafterf(x, y); }
inline double nextafter(double x, double y) { return __builtin_nextafter(x, y); }
inline float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
inline double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
inline float frexp(float x, int* e) { return __builtin_frexpf(x, e); }
inline float modf(float x, float* whole) { return __builtin_modff(x, whole); }
inline float fract(float x, float* whole) {
  *whole = __builtin_floorf(x);
  return __builtin_fminf(x - *whole, 0x1.fffffep-1f);
}
inline float sign(float x) { return x != x ? 0 : x > 0 ? 1 : x < 0 ? -1 : x; }
inline float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
inline float mix(float x, float y, float a) { return __builtin_fmaf(y - x, a, x); }
inline float maxmag(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  return a > b ? x : b > a ? y : __builtin_fmaxf(x, y);
}
inline float minmag(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  return a < b ? x : b < a ? y : __builtin_fminf(x, y);
}
inline int isfinite(float x) { return __builtin_isfinite(x); }
inline int isnormal(float x) { return __builtin_isnormal(x); }
inline int isordered(float x, float y) { return x == x && y == y; }
inline int isunordered(float x, float y) { return x != x || y != y; }
inline int isequal(float x, float y) { return x == y; }
inline int isnotequal(float x, float y) { return x != y; }
inline int isless(float x, float y) { return x < y; }
inline int islessequal(float x, float y) { return x <= y; }
inline int isgreater(float x, float y) { return x > y; }
inline int isgreaterequal(float x, float y) { return x >= y; }

// --- conversions with a mode

namespace oracle {

// An integral float, or an integer.
template <typename To, typename From>
To clamped(From x) {
  if constexpr (From(0.5) == From(0)) return saturate<To>(static_cast<__int128>(x));
  if (x != x) return 0;
  if (x >= 0x1p100) return saturate<To>(static_cast<__int128>(1) << 100);
  if (x <= -0x1p100) return saturate<To>(-(static_cast<__int128>(1) << 100));
  return saturate<To>(static_cast<__int128>(x));
}

// The nearest float to an integer in a direction: -1 down, 1 up, 0 towards zero.
inline float directed(long x, int direction) {
  float f = static_cast<float>(x);
  if (direction == 0) direction = x < 0 ? 1 : -1;
  if (direction < 0 && static_cast<__int128>(f) > x) return __builtin_nextafterf(f, -INFINITY);
  if (direction > 0 && static_cast<__int128>(f) < x) return __builtin_nextafterf(f, INFINITY);
  return f;
}

}  // namespace oracle

#define ORACLE_CONVERT_SAT(type)                                            \
  template <typename T>                                                     \
  type convert_##type##_sat(T x) {                                          \
    return oracle::clamped<type>(x);                                        \
  }                                                                         \
  inline type convert_##type##_rte(float x) { return __builtin_rintf(x); }  \
  inline type convert_##type##_rtz(float x) { return __builtin_truncf(x); } \
  inline type convert_##type##_rtp(float x) { return __builtin_ceilf(x); }  \
  inline type convert_##type##_rtn(float x) { return __builtin_floorf(x); }
ORACLE_CONVERT_SAT(char)
ORACLE_CONVERT_SAT(uchar)
ORACLE_CONVERT_SAT(short)
ORACLE_CONVERT_SAT(ushort)
ORACLE_CONVERT_SAT(int)
ORACLE_CONVERT_SAT(uint)
ORACLE_CONVERT_SAT(long)
inline float convert_float_rte(int x) { return static_cast<float>(x); }
inline float convert_float_rtz(int x) { return oracle::directed(x, 0); }
inline float convert_float_rtp(int x) { return oracle::directed(x, 1); }
inline float convert_float_rtn(int x) { return oracle::directed(x, -1); }
