// SPDX-License-Identifier: Apache-2.0
#include "ir/eval.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace kc::eval {
namespace {

template <typename T>
T get(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}
template <typename T>
uint64_t put(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else
    return static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
}

// A functor F has F::run<U>(...) for unsigned U and interprets signed values itself.
template <typename F, typename T, size_t N>
uint64_t apply(const uint64_t* a) {
  if constexpr (N == 1)
    return put(F::template run<T>(get<T>(a[0])));
  else if constexpr (N == 2)
    return put(F::template run<T>(get<T>(a[0]), get<T>(a[1])));
  else
    return put(F::template run<T>(get<T>(a[0]), get<T>(a[1]), get<T>(a[2])));
}

template <typename F, size_t N>
EvalFn for_int(Elem e) {
  switch (e) {
    case Elem::I8:
      return &apply<F, uint8_t, N>;
    case Elem::I16:
      return &apply<F, uint16_t, N>;
    case Elem::I32:
    case Elem::PtrLocal:
    case Elem::PtrPrivate:
      return &apply<F, uint32_t, N>;
    case Elem::I64:
    case Elem::PtrGlobal:
    case Elem::PtrConstant:
      return &apply<F, uint64_t, N>;
    case Elem::I1:
      return &apply<F, bool, N>;
    default:
      return nullptr;
  }
}
template <typename F, size_t N>
EvalFn for_float(Elem e) {
  return e == Elem::F32 ? &apply<F, float, N> : e == Elem::F64 ? &apply<F, double, N> : nullptr;
}

template <typename T>
using Signed = std::make_signed_t<T>;
template <typename T>
constexpr bool kBool = std::is_same_v<T, bool>;
template <typename T>
constexpr unsigned kWidth = std::numeric_limits<T>::digits;

struct Add {
  template <typename T>
  static T run(T a, T b) {
    if constexpr (kBool<T>)
      return a != b;
    else
      return static_cast<T>(a + b);
  }
};
struct Sub {
  template <typename T>
  static T run(T a, T b) {
    if constexpr (kBool<T>)
      return a != b;
    else
      return static_cast<T>(a - b);
  }
};
struct Mul {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(uint64_t{a} * uint64_t{b});
  }
};
struct Popcount {
  template <typename T>
  static T run(T a) {
    return static_cast<T>(std::popcount(uint64_t{a}));
  }
};
struct Clz {
  template <typename T>
  static T run(T a) {
    return static_cast<T>(std::countl_zero(uint64_t{a}) - 64 + static_cast<int>(kWidth<T>));
  }
};
struct Udiv {
  template <typename T>
  static T run(T a, T b) {
    return b == 0 ? static_cast<T>(~uint64_t{0}) : static_cast<T>(a / b);
  }
};
struct Urem {
  template <typename T>
  static T run(T a, T b) {
    return b == 0 ? a : static_cast<T>(a % b);
  }
};
struct Sdiv {
  template <typename T>
  static T run(T a, T b) {
    if constexpr (kBool<T>)
      return a;
    else {
      auto x = static_cast<Signed<T>>(a), y = static_cast<Signed<T>>(b);
      if (y == 0) return static_cast<T>(~uint64_t{0});
      if (y == -1) return static_cast<T>(uint64_t{0} - a);
      return static_cast<T>(x / y);
    }
  }
};
struct Srem {
  template <typename T>
  static T run(T a, T b) {
    if constexpr (kBool<T>)
      return false;
    else {
      auto x = static_cast<Signed<T>>(a), y = static_cast<Signed<T>>(b);
      if (y == 0) return a;
      if (y == -1) return 0;
      return static_cast<T>(x % y);
    }
  }
};
struct And {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Shl {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(uint64_t{a} << (b & (kWidth<T> - 1)));
  }
};
struct Lshr {
  template <typename T>
  static T run(T a, T b) {
    return static_cast<T>(uint64_t{a} >> (b & (kWidth<T> - 1)));
  }
};
struct Ashr {
  template <typename T>
  static T run(T a, T b) {
    if constexpr (kBool<T>)
      return a;
    else
      return static_cast<T>(static_cast<Signed<T>>(a) >> (b & (kWidth<T> - 1)));
  }
};
struct Umin {
  template <typename T>
  static T run(T a, T b) {
    return a < b ? a : b;
  }
};
struct Umax {
  template <typename T>
  static T run(T a, T b) {
    return a > b ? a : b;
  }
};
template <typename T>
bool signed_less(T a, T b) {
  if constexpr (kBool<T>)
    return a && !b;
  else
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b);
}
struct Smin {
  template <typename T>
  static T run(T a, T b) {
    return signed_less(a, b) ? a : b;
  }
};
struct Smax {
  template <typename T>
  static T run(T a, T b) {
    return signed_less(b, a) ? a : b;
  }
};
struct Eq {
  template <typename T>
  static bool run(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <typename T>
  static bool run(T a, T b) {
    return a != b;
  }
};
struct Lt {
  template <typename T>
  static bool run(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <typename T>
  static bool run(T a, T b) {
    return a <= b;
  }
};
struct Slt {
  template <typename T>
  static bool run(T a, T b) {
    return signed_less(a, b);
  }
};
struct Sle {
  template <typename T>
  static bool run(T a, T b) {
    return !signed_less(b, a);
  }
};

struct Fadd {
  template <typename T>
  static T run(T a, T b) {
    return a + b;
  }
};
struct Fsub {
  template <typename T>
  static T run(T a, T b) {
    return a - b;
  }
};
struct Fmul {
  template <typename T>
  static T run(T a, T b) {
    return a * b;
  }
};
struct Fdiv {
  template <typename T>
  static T run(T a, T b) {
    return a / b;
  }
};
struct Ffma {
  template <typename T>
  static T run(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct Fneg {
  template <typename T>
  static T run(T a) {
    return -a;
  }
};
struct Fabs {
  template <typename T>
  static T run(T a) {
    return std::fabs(a);
  }
};
struct Fsqrt {
  template <typename T>
  static T run(T a) {
    return std::sqrt(a);
  }
};
struct Ffloor {
  template <typename T>
  static T run(T a) {
    return std::floor(a);
  }
};
struct Fceil {
  template <typename T>
  static T run(T a) {
    return std::ceil(a);
  }
};
struct Ftrunc {
  template <typename T>
  static T run(T a) {
    return std::trunc(a);
  }
};
struct Frint {
  template <typename T>
  static T run(T a) {
    return std::nearbyint(a);
  }
};
// If one operand is NaN the result is the other, and -0 < +0, which std::fmin leaves open.
struct Fmin {
  template <typename T>
  static T run(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
};
struct Fmax {
  template <typename T>
  static T run(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
};

unsigned width_of(Elem e) { return Type{e}.bits(); }
uint64_t keep(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

// Conversions are selected by two element types; each lambda is instantiated for its widths.
template <unsigned From>
uint64_t sign_extend(uint64_t bits) {
  return static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - From)) >> (64 - From));
}
template <unsigned From, unsigned To>
uint64_t sext_bits(const uint64_t* a) {
  return keep(sign_extend<From>(a[0]), To);
}
template <unsigned From>
EvalFn sext_to(Elem to) {
  switch (width_of(to)) {
    case 8:
      return &sext_bits<From, 8>;
    case 16:
      return &sext_bits<From, 16>;
    case 32:
      return &sext_bits<From, 32>;
    case 64:
      return &sext_bits<From, 64>;
    default:
      return nullptr;
  }
}

// Truncation toward zero with saturation; NaN gives 0.
template <typename F, typename I>
uint64_t float_to_int(const uint64_t* a) {
  F x = get<F>(a[0]);
  if (std::isnan(x)) return 0;
  // 2^N (or 2^(N-1) for signed) is exact in both float formats, so these compares are too.
  const F limit = std::ldexp(F{1}, std::numeric_limits<I>::digits);
  if (x >= limit) return put<I>(std::numeric_limits<I>::max());
  if constexpr (std::is_signed_v<I>) {
    if (x < -limit) return put<I>(std::numeric_limits<I>::min());
  } else if (x <= F{-1}) {
    return 0;
  }
  return put<I>(static_cast<I>(x));
}
template <typename F, bool IsSigned>
EvalFn float_to(Elem to) {
  switch (to) {
    case Elem::I8:
      return IsSigned ? &float_to_int<F, int8_t> : &float_to_int<F, uint8_t>;
    case Elem::I16:
      return IsSigned ? &float_to_int<F, int16_t> : &float_to_int<F, uint16_t>;
    case Elem::I32:
      return IsSigned ? &float_to_int<F, int32_t> : &float_to_int<F, uint32_t>;
    case Elem::I64:
      return IsSigned ? &float_to_int<F, int64_t> : &float_to_int<F, uint64_t>;
    default:
      return nullptr;
  }
}
template <typename I, typename F>
uint64_t int_to_float(const uint64_t* a) {
  return put<F>(static_cast<F>(static_cast<I>(a[0])));
}
template <typename F, bool IsSigned>
EvalFn int_to(Elem from) {
  switch (from) {
    case Elem::I8:
      return IsSigned ? &int_to_float<int8_t, F> : &int_to_float<uint8_t, F>;
    case Elem::I16:
      return IsSigned ? &int_to_float<int16_t, F> : &int_to_float<uint16_t, F>;
    case Elem::I32:
      return IsSigned ? &int_to_float<int32_t, F> : &int_to_float<uint32_t, F>;
    case Elem::I64:
      return IsSigned ? &int_to_float<int64_t, F> : &int_to_float<uint64_t, F>;
    default:
      return nullptr;
  }
}
uint64_t same_bits(const uint64_t* a) { return a[0]; }

}  // namespace

// One line for each family; clang-format would indent every line further than the one before.
// clang-format off
#define INT2(name, F) EvalFn name(Elem e, Elem) { return for_int<F, 2>(e); }
INT2(add, Add) INT2(sub, Sub) INT2(mul, Mul) INT2(sdiv, Sdiv) INT2(udiv, Udiv) INT2(srem, Srem) INT2(urem, Urem)
INT2(bit_and, And) INT2(bit_or, Or) INT2(bit_xor, Xor) INT2(shl, Shl) INT2(lshr, Lshr) INT2(ashr, Ashr)
INT2(smin, Smin) INT2(smax, Smax) INT2(umin, Umin) INT2(umax, Umax)
INT2(eq, Eq) INT2(ne, Ne) INT2(slt, Slt) INT2(sle, Sle) INT2(ult, Lt) INT2(ule, Le)
#undef INT2
#define INT1(name, F) EvalFn name(Elem e, Elem) { return for_int<F, 1>(e); }
INT1(popcount, Popcount)
INT1(clz, Clz)
#undef INT1
#define FLOAT(name, F, n) EvalFn name(Elem e, Elem) { return for_float<F, n>(e); }
FLOAT(feq, Eq, 2) FLOAT(fne, Ne, 2) FLOAT(flt, Lt, 2) FLOAT(fle, Le, 2)
FLOAT(fadd, Fadd, 2) FLOAT(fsub, Fsub, 2) FLOAT(fmul, Fmul, 2) FLOAT(fdiv, Fdiv, 2) FLOAT(ffma, Ffma, 3)
FLOAT(fneg, Fneg, 1) FLOAT(fabs, Fabs, 1) FLOAT(fsqrt, Fsqrt, 1) FLOAT(fmin, Fmin, 2) FLOAT(fmax, Fmax, 2)
FLOAT(ffloor, Ffloor, 1) FLOAT(fceil, Fceil, 1) FLOAT(ftrunc, Ftrunc, 1) FLOAT(frint, Frint, 1)
#undef FLOAT
    // clang-format on

    EvalFn zext(Elem, Elem) {
  return &same_bits;
}
EvalFn bitcast(Elem, Elem) { return &same_bits; }
EvalFn trunc(Elem, Elem to) {
  switch (width_of(to)) {
    case 1:
      return [](const uint64_t* a) { return keep(a[0], 1); };
    case 8:
      return [](const uint64_t* a) { return keep(a[0], 8); };
    case 16:
      return [](const uint64_t* a) { return keep(a[0], 16); };
    case 32:
      return [](const uint64_t* a) { return keep(a[0], 32); };
    default:
      return &same_bits;
  }
}
EvalFn sext(Elem from, Elem to) {
  switch (width_of(from)) {
    case 1:
      return sext_to<1>(to);
    case 8:
      return sext_to<8>(to);
    case 16:
      return sext_to<16>(to);
    case 32:
      return sext_to<32>(to);
    default:
      return nullptr;
  }
}
EvalFn fptosi(Elem from, Elem to) {
  return from == Elem::F32 ? float_to<float, true>(to) : float_to<double, true>(to);
}
EvalFn fptoui(Elem from, Elem to) {
  return from == Elem::F32 ? float_to<float, false>(to) : float_to<double, false>(to);
}
EvalFn sitofp(Elem from, Elem to) {
  return to == Elem::F32 ? int_to<float, true>(from) : int_to<double, true>(from);
}
EvalFn uitofp(Elem from, Elem to) {
  return to == Elem::F32 ? int_to<float, false>(from) : int_to<double, false>(from);
}
EvalFn fpext(Elem, Elem) {
  return [](const uint64_t* a) { return put<double>(static_cast<double>(get<float>(a[0]))); };
}
EvalFn fptrunc(Elem, Elem) {
  return [](const uint64_t* a) { return put<float>(static_cast<float>(get<double>(a[0]))); };
}
EvalFn atomic_xchg(Elem, Elem) {
  return [](const uint64_t* a) { return a[1]; };
}
EvalFn atomic_cmpxchg(Elem, Elem) {
  return [](const uint64_t* a) { return a[0] == a[1] ? a[2] : a[0]; };
}
EvalFn select(Elem, Elem) {
  return [](const uint64_t* a) { return a[0] & 1 ? a[1] : a[2]; };
}

}  // namespace kc::eval
