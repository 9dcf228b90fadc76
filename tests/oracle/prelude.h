// SPDX-License-Identifier: Apache-2.0
// Makes kernel source without barriers and local memory valid C++20, so that g++ serves as an oracle:
// keywords of the language, ids of the work-item, and the built-in functions that are exact or correctly
// rounded. Written from the OpenCL C 1.2 specification; shares nothing with the compiler under test.
#pragma once

#include <utility>

#include "harness.h"

#define kernel
#define __kernel
#define global
#define __global
#define constant
#define __constant
#define private
#define __private
#define restrict __restrict
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define CHAR_BIT 8
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1p-1022
#define DBL_EPSILON 0x1p-52
#define M_PI_F 3.14159274101257f
#define M_PI 3.141592653589793115998
#define cl_khr_fp64 1

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

namespace oracle {

inline thread_local const Item* item;

struct FailedAssert {};

template <typename A, typename B>
struct Same {
  static constexpr bool value = false;
};
template <typename A>
struct Same<A, A> {
  static constexpr bool value = true;
};
// Narrow types stay narrow if all agree; otherwise the usual arithmetic conversions apply.
template <typename A, typename B>
struct CommonOf {
  using Type = decltype(A() + B());
};
template <typename A>
struct CommonOf<A, A> {
  using Type = A;
};
template <typename A, typename B>
using Common = typename CommonOf<A, B>::Type;

template <typename T>
struct Unsigned {
  using Type = T;
};
template <>
struct Unsigned<char> {
  using Type = uchar;
};
template <>
struct Unsigned<short> {
  using Type = ushort;
};
template <>
struct Unsigned<int> {
  using Type = uint;
};
template <>
struct Unsigned<long> {
  using Type = ulong;
};

}  // namespace oracle

#define ORACLE_POSITION(name, field, otherwise) \
  inline ulong name(uint d) { return d < 3 ? oracle::item->field[d] : otherwise; }
ORACLE_POSITION(get_global_id, global_id, 0)
ORACLE_POSITION(get_local_id, local_id, 0)
ORACLE_POSITION(get_group_id, group_id, 0)
ORACLE_POSITION(get_global_size, global_size, 1)
ORACLE_POSITION(get_local_size, local_size, 1)
ORACLE_POSITION(get_global_offset, offset, 0)
inline ulong get_num_groups(uint d) { return get_global_size(d) / get_local_size(d); }
inline uint get_work_dim() { return oracle::item->dims; }

#define assert(condition) ((condition) ? void() : throw oracle::FailedAssert{})

// --- integers

template <typename A, typename B>
oracle::Common<A, B> min(A a, B b) {
  oracle::Common<A, B> x = a, y = b;
  return y < x ? y : x;
}
template <typename A, typename B>
oracle::Common<A, B> max(A a, B b) {
  oracle::Common<A, B> x = a, y = b;
  return x < y ? y : x;
}
template <typename A, typename B, typename C>
oracle::Common<oracle::Common<A, B>, C> clamp(A x, B low, C high) {
  return min(max(x, low), high);
}
template <typename T>
typename oracle::Unsigned<T>::Type abs(T x) {
  using U = typename oracle::Unsigned<T>::Type;
  return x < 0 ? static_cast<U>(0) - static_cast<U>(x) : static_cast<U>(x);
}
template <typename A, typename B>
typename oracle::Unsigned<oracle::Common<A, B>>::Type abs_diff(A a, B b) {
  using U = typename oracle::Unsigned<oracle::Common<A, B>>::Type;
  oracle::Common<A, B> x = a, y = b;
  return x < y ? static_cast<U>(y) - static_cast<U>(x) : static_cast<U>(x) - static_cast<U>(y);
}
template <typename T>
T clz(T x) {
  constexpr int kBits = sizeof(T) * 8;
  auto u = static_cast<typename oracle::Unsigned<T>::Type>(x);
  return u ? __builtin_clzl(u) - (64 - kBits) : kBits;
}
template <typename T>
T popcount(T x) {
  return __builtin_popcountl(static_cast<typename oracle::Unsigned<T>::Type>(x));
}
template <typename A, typename B>
auto mul24(A a, B b) {
  return a * b;
}
template <typename A, typename B, typename C>
auto mad24(A a, B b, C c) {
  return a * b + c;
}
template <typename A, typename B>
A rotate(A x, B by) {
  constexpr uint kBits = sizeof(A) * 8;
  using U = typename oracle::Unsigned<A>::Type;
  uint n = static_cast<uint>(by) % kBits;
  U u = x;
  return n ? static_cast<A>(static_cast<U>(u << n) | static_cast<U>(u >> (kBits - n))) : x;
}
template <typename A, typename B>
oracle::Common<A, B> mul_hi(A a, B b) {
  using T = oracle::Common<A, B>;
  constexpr int kBits = sizeof(T) * 8;
  if constexpr (T(-1) < T(0)) return static_cast<T>((static_cast<__int128>(T(a)) * T(b)) >> kBits);
  return static_cast<T>((static_cast<unsigned __int128>(T(a)) * T(b)) >> kBits);
}
template <typename A, typename B>
oracle::Common<A, B> hadd(A a, B b) {
  using T = oracle::Common<A, B>;
  return static_cast<T>((static_cast<__int128>(T(a)) + T(b)) >> 1);
}
template <typename A, typename B>
oracle::Common<A, B> rhadd(A a, B b) {
  using T = oracle::Common<A, B>;
  return static_cast<T>((static_cast<__int128>(T(a)) + T(b) + 1) >> 1);
}
namespace oracle {
template <typename T>
T saturate(__int128 x) {
  constexpr int kBits = sizeof(T) * 8;
  constexpr bool kSigned = T(-1) < T(0);
  __int128 high = (static_cast<__int128>(1) << (kBits - kSigned)) - 1, low = kSigned ? -high - 1 : 0;
  return static_cast<T>(x < low ? low : x > high ? high : x);
}
}  // namespace oracle
template <typename A, typename B>
oracle::Common<A, B> add_sat(A a, B b) {
  using T = oracle::Common<A, B>;
  return oracle::saturate<T>(static_cast<__int128>(T(a)) + T(b));
}
template <typename A, typename B>
oracle::Common<A, B> sub_sat(A a, B b) {
  using T = oracle::Common<A, B>;
  return oracle::saturate<T>(static_cast<__int128>(T(a)) - T(b));
}

#include "call.h"
#include "float.h"
#include "more.h"
