// SPDX-License-Identifier: Apache-2.0
// The prelude's functions on floats, conversions and atomics.
#pragma once

#define ORACLE_FLOAT_1(name)                                    \
  inline float name(float x) { return __builtin_##name##f(x); } \
  inline double name(double x) { return __builtin_##name(x); }  \
  template <typename T>                                         \
  float name(T x) {                                             \
    return __builtin_##name##f(static_cast<float>(x));          \
  }
ORACLE_FLOAT_1(fabs)
ORACLE_FLOAT_1(sqrt)
ORACLE_FLOAT_1(floor)
ORACLE_FLOAT_1(ceil)
ORACLE_FLOAT_1(trunc)
ORACLE_FLOAT_1(rint)
ORACLE_FLOAT_1(round)
inline float native_sqrt(float x) { return __builtin_sqrtf(x); }

#define ORACLE_FLOAT_2(name)                                                \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); } \
  inline double name(double x, double y) { return __builtin_##name(x, y); }
ORACLE_FLOAT_2(fmin)
ORACLE_FLOAT_2(fmax)
ORACLE_FLOAT_2(fmod)
ORACLE_FLOAT_2(copysign)
ORACLE_FLOAT_2(fdim)

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float mad(float a, float b, float c) { return fma(a, b, c); }
inline double mad(double a, double b, double c) { return fma(a, b, c); }
template <typename T>
int isnan(T x) {
  return x != x;
}
template <typename T>
int isinf(T x) {
  return __builtin_isinf(x) != 0;
}
template <typename T>
int signbit(T x) {
  return __builtin_signbit(x) != 0;
}

#define ORACLE_CONVERT(type)                  \
  template <typename T>                       \
  type convert_##type(T x) {                  \
    return static_cast<type>(x);              \
  }                                           \
  template <typename T>                       \
  type as_##type(T x) {                       \
    static_assert(sizeof(T) == sizeof(type)); \
    return __builtin_bit_cast(type, x);       \
  }
ORACLE_CONVERT(char)
ORACLE_CONVERT(uchar)
ORACLE_CONVERT(short)
ORACLE_CONVERT(ushort)
ORACLE_CONVERT(int)
ORACLE_CONVERT(uint)
ORACLE_CONVERT(long)
ORACLE_CONVERT(ulong)
ORACLE_CONVERT(float)
ORACLE_CONVERT(double)

// Work-items run one at a time.
#define ORACLE_ATOMIC(name, result)          \
  template <typename P, typename V>          \
  P atomic_##name(volatile P* p, V v) {      \
    P old = *p, operand = static_cast<P>(v); \
    *p = result;                             \
    return old;                              \
  }                                          \
  template <typename P, typename V>          \
  P atom_##name(volatile P* p, V v) {        \
    return atomic_##name(p, v);              \
  }
ORACLE_ATOMIC(add, old + operand)
ORACLE_ATOMIC(sub, old - operand)
ORACLE_ATOMIC(and, old& operand)
ORACLE_ATOMIC(or, old | operand)
ORACLE_ATOMIC(xor, old ^ operand)
ORACLE_ATOMIC(min, old < operand ? old : operand)
ORACLE_ATOMIC(max, old > operand ? old : operand)
ORACLE_ATOMIC(xchg, operand)
template <typename P>
P atomic_inc(volatile P* p) {
  return atomic_add(p, 1);
}
template <typename P>
P atomic_dec(volatile P* p) {
  return atomic_sub(p, 1);
}
template <typename P>
P atom_inc(volatile P* p) {
  return atomic_add(p, 1);
}
template <typename P>
P atom_dec(volatile P* p) {
  return atomic_sub(p, 1);
}
template <typename P, typename V, typename W>
P atomic_cmpxchg(volatile P* p, V expected, W desired) {
  P old = *p;
  if (old == static_cast<P>(expected)) *p = static_cast<P>(desired);
  return old;
}
template <typename P, typename V, typename W>
P atom_cmpxchg(volatile P* p, V expected, W desired) {
  return atomic_cmpxchg(p, expected, desired);
}
