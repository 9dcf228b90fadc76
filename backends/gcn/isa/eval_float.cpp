// SPDX-License-Identifier: Apache-2.0
// Floating-point instructions of GCN, following AMD's "Vega Instruction Set Architecture"; where its pseudo
// code for the division helpers cannot be correct, a comment says what is done instead.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/gcn/isa/eval.h"

namespace kc::gcn_eval {
namespace {

using U = uint64_t;

template <typename F>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kScale = 64, kNear = 96, kTiny = 23, kUnderflow = -150, kTop = 255;
  static constexpr Bits kQuiet = 0x7fc00000;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kScale = 128, kNear = 768, kTiny = 53, kUnderflow = -1075, kTop = 2047;
  static constexpr Bits kQuiet = 0x7ff8000000000000;
};

template <typename F>
F get(U bits) {
  return std::bit_cast<F>(static_cast<typename Format<F>::Bits>(bits));
}
template <typename F>
U put(F x) {
  return std::bit_cast<typename Format<F>::Bits>(x);
}
template <typename F>
F quiet_nan() {
  return std::bit_cast<F>(Format<F>::kQuiet);
}
template <typename F>
F quieted(F x) {
  constexpr auto kQuietBit = Format<F>::kQuiet & (Format<F>::kQuiet >> 1) & ~(Format<F>::kQuiet << 1);
  return std::bit_cast<F>(
      static_cast<typename Format<F>::Bits>(std::bit_cast<typename Format<F>::Bits>(x) | kQuietBit));
}
template <typename F>
bool signalling(F x) {
  return std::isnan(x) && put(x) != put(quieted(x));
}
// A NaN operand is propagated, quieted; any other NaN is the default one.
template <typename F>
U result(F r, F a) {
  return put(!std::isnan(r) ? r : std::isnan(a) ? quieted(a) : quiet_nan<F>());
}
template <typename F>
U result(F r, F a, F b) {
  return std::isnan(a) ? result(r, a) : result(r, b);
}
template <typename F>
U result(F r, F a, F b, F c) {
  return std::isnan(a) ? result(r, a) : result(r, b, c);
}

// The exponent field.
template <typename F>
int exponent(F x) {
  constexpr int kMantissa = std::numeric_limits<F>::digits - 1;
  return static_cast<int>(put(x) >> kMantissa) & Format<F>::kTop;
}

template <typename F>
F minimum(F a, F b) {
  if (signalling(a)) return quieted(a);
  if (signalling(b)) return quieted(b);
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename F>
F maximum(F a, F b) {
  if (signalling(a)) return quieted(a);
  if (signalling(b)) return quieted(b);
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

// Sign of the exact a*b + c minus its rounded value r (after Boldo and Muller's error of an fma).
template <typename F>
int fma_error_sign(F a, F b, F c, F r) {
  if constexpr (std::is_same_v<F, float>) {
    double product = static_cast<double>(a) * b, sum = product + c, t = sum - product;
    double error = (product - (sum - t)) + (c - t), rest = (sum - r) + error;
    return rest > 0 ? 1 : rest < 0 ? -1 : 0;
  }
  F u1 = a * b, u2 = std::fma(a, b, -u1);
  auto two_sum = [](F x, F y, F& error) {
    F s = x + y, t = s - x;
    error = (x - (s - t)) + (y - t);
    return s;
  };
  F alpha2, beta2;
  F alpha1 = two_sum(c, u2, alpha2), beta1 = two_sum(u1, alpha1, beta2);
  F rest = ((beta1 - r) + beta2) + alpha2;
  return rest > 0 ? 1 : rest < 0 ? -1 : 0;
}

// 2^n * (a*b + c), rounded once. Only a result below the normal range could be rounded twice.
template <typename F>
F scaled_fma(F a, F b, F c, int n) {
  F r = std::fma(a, b, c);
  F scaled = std::ldexp(r, n);
  if (n > 0 || !std::isfinite(r) || std::fabs(scaled) > std::numeric_limits<F>::min()) return scaled;
  F lost = r - std::ldexp(scaled, -n);  // exact
  F half = std::ldexp(std::numeric_limits<F>::denorm_min(), -n - 1);
  int error = fma_error_sign(a, b, c, r);
  if (std::fabs(lost) != half || error == 0) return scaled;
  // No exact tie: round to the side of the exact value.
  F other = lost > 0 ? std::nextafter(scaled, std::numeric_limits<F>::infinity())
                     : std::nextafter(scaled, -std::numeric_limits<F>::infinity());
  F low = std::min(scaled, other), high = std::max(scaled, other);
  return error > 0 ? high : low;
}

// Whether |n / d| is below the normal range; both are finite and not zero.
template <typename F>
bool quotient_is_tiny(F n, F d) {
  int en, ed;
  F mn = std::fabs(std::frexp(n, &en)), md = std::fabs(std::frexp(d, &ed));
  int least = std::numeric_limits<F>::min_exponent - 1;
  return en - ed < least || (en - ed == least && mn < md);
}

template <typename F>
struct Scaled {
  F value;
  bool flag;
};
// Operands: the value to scale (numerator or denominator), denominator, numerator. The document scales a huge
// denominator of a tiny quotient by 2^64, which overflows; here it is scaled down.
template <typename F>
Scaled<F> scale(F s, F d, F n) {
  constexpr int k = Format<F>::kScale;
  if (std::isnan(s) || n == 0 || d == 0) return {quiet_nan<F>(), false};
  if (!std::isfinite(n) || !std::isfinite(d)) return {s, false};  // repaired by the fix-up
  bool is_d = s == d, is_n = s == n;
  bool d_huge = quotient_is_tiny(F{1}, d), q_tiny = quotient_is_tiny(n, d);
  if (exponent(n) - exponent(d) >= Format<F>::kNear) return {is_d ? std::ldexp(s, k) : s, true};
  if (std::fpclassify(d) == FP_SUBNORMAL) return {std::ldexp(s, k), false};
  if (d_huge && q_tiny) return {is_d ? std::ldexp(s, -k) : s, true};
  if (d_huge) return {std::ldexp(s, -k), false};
  if (q_tiny) return {is_n ? std::ldexp(s, k) : s, true};
  if (exponent(n) <= Format<F>::kTiny) return {std::ldexp(s, k), false};
  return {s, false};
}

// Operands: quotient, denominator, numerator. A NaN quotient of ordinary numbers means that a step
// overflowed, so the result is infinite.
template <typename F>
F fixup(F q, F d, F n) {
  const F inf = std::numeric_limits<F>::infinity();
  F sign = std::signbit(d) != std::signbit(n) ? F{-1} : F{1};
  if (std::isnan(n)) return quieted(n);
  if (std::isnan(d)) return quieted(d);
  if ((n == 0 && d == 0) || (std::isinf(n) && std::isinf(d))) return -quiet_nan<F>();
  if (d == 0 || std::isinf(n)) return std::copysign(inf, sign);
  if (n == 0 || std::isinf(d)) return std::copysign(F{0}, sign);
  if (exponent(n) - exponent(d) < Format<F>::kUnderflow) return std::copysign(F{0}, sign);
  return std::copysign(std::isnan(q) ? inf : q, sign);
}

template <typename F>
unsigned class_of(F x) {
  bool minus = std::signbit(x);
  switch (std::fpclassify(x)) {
    case FP_NAN:
      return signalling(x) ? 0 : 1;
    case FP_INFINITE:
      return minus ? 2 : 9;
    case FP_NORMAL:
      return minus ? 3 : 8;
    case FP_SUBNORMAL:
      return minus ? 4 : 7;
    default:
      return minus ? 5 : 6;
  }
}

int clamp_exponent(U bits) {
  // Beyond this every finite number becomes zero or infinite.
  auto n = static_cast<int32_t>(bits);
  return n < -5000 ? -5000 : n > 5000 ? 5000 : n;
}

template <typename F>
F turns(F x, double (*fn)(double), F out_of_range) {
  if (!std::isfinite(x)) return quiet_nan<F>();
  if (std::fabs(x) > 256) return out_of_range;
  constexpr double kTwoPi = 6.283185307179586;
  return static_cast<F>(fn(kTwoPi * (static_cast<double>(x) - std::nearbyint(static_cast<double>(x)))));
}

int32_t saturated(double x) {
  if (std::isnan(x)) return 0;
  return x >= 2147483647.0 ? INT32_MAX : x <= -2147483648.0 ? INT32_MIN : static_cast<int32_t>(x);
}

}  // namespace

#define FLOAT(name, ...)                            \
  namespace {                                       \
  template <typename F>                             \
  U name##_fn([[maybe_unused]] const U* operands) { \
    F a = get<F>(operands[0]);                      \
    __VA_ARGS__                                     \
  }                                                 \
  }                                                 \
  EvalFn name(Elem e, Elem) { return e == Elem::F64 ? &name##_fn<double> : &name##_fn<float>; }
#define FLOAT2(name, ...) FLOAT(name, F b = get<F>(operands[1]); __VA_ARGS__)
#define FLOAT3(name, ...) FLOAT2(name, F c = get<F>(operands[2]); __VA_ARGS__)

FLOAT2(fadd, return result(a + b, a, b);)
FLOAT2(fsub, return result(a - b, a, b);)
FLOAT2(fsubrev, return result(b - a, a, b);)
FLOAT2(fmul, return result(a * b, a, b);)
FLOAT2(fmul_legacy, if (a == 0 || b == 0) return 0; return result(a * b, a, b);)
FLOAT3(ffma, return result(std::fma(a, b, c), a, b, c);)
FLOAT3(fmad, F product = a * b; return result(product + c, a, b, c);)
FLOAT2(fmin, return put(minimum(a, b));)
FLOAT2(fmax, return put(maximum(a, b));)
FLOAT3(fmin3, return put(minimum(minimum(a, b), c));)
FLOAT3(fmax3, return put(maximum(maximum(a, b), c));)
FLOAT3(fmed3, if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return put(minimum(minimum(a, b), c));
       return put(maximum(minimum(a, b), minimum(maximum(a, b), c)));)
FLOAT(ftrunc, return result(std::trunc(a), a);)
FLOAT(fceil, return result(std::ceil(a), a);)
FLOAT(ffloor, return result(std::floor(a), a);)
FLOAT(frint, return result(std::nearbyint(a), a);)
FLOAT(fract, F below_one = std::nextafter(F{1}, F{0}); F r = a - std::floor(a);
      return std::isnan(r) ? result(r, a) : put(r < below_one ? r : below_one);)
FLOAT(rcp, return result(F{1} / a, a);)
FLOAT(rsq, return result(static_cast<F>(1.0 / std::sqrt(static_cast<double>(a))), a);)
FLOAT(fsqrt, return result(std::sqrt(a), a);)
FLOAT(exp2, return result(static_cast<F>(std::exp2(static_cast<double>(a))), a);)
FLOAT(log2, return result(static_cast<F>(std::log2(static_cast<double>(a))), a);)
FLOAT(sin, return result(turns(a, std::sin, F{0}), a);)
FLOAT(cos, return result(turns(a, std::cos, F{1}), a);)
FLOAT(frexp_mant, if (!std::isfinite(a)) return result(a, a); int n; return put(std::frexp(a, &n));)
FLOAT(frexp_exp, if (!std::isfinite(a)) return 0; int n = 0; std::frexp(a, &n);
      return static_cast<uint32_t>(n);)
FLOAT(ldexp, return result(std::ldexp(a, clamp_exponent(operands[1])), a);)
FLOAT(fclass, return (operands[1] >> class_of(a)) & 1;)
FLOAT(cvt_rpi, return static_cast<uint32_t>(saturated(std::floor(static_cast<double>(a) + 0.5)));)
FLOAT(cvt_flr, return static_cast<uint32_t>(saturated(std::floor(static_cast<double>(a))));)
FLOAT(cvt_pk_u8, F r = std::isnan(a) ? F{0} : std::nearbyint(a); U byte = r <= 0     ? 0
                                                                          : r >= 255 ? 255
                                                                                     : static_cast<U>(r);
      U shift = 8 * (operands[1] & 3); return (operands[2] & ~(U{255} << shift)) | byte << shift;)
FLOAT3(div_scale, return put(scale(a, b, c).value);)
FLOAT3(div_scale_flag, return scale(a, b, c).flag;)
// The document multiplies by 2^32 in one direction; the scales above need 2^64 (2^128) up or down, selected
// by the size of the quotient.
FLOAT3(div_fmas, if ((operands[3] & 1) == 0) return result(std::fma(a, b, c), a, b, c);
       int k = exponent(c) > Format<F>::kTop / 2 ? Format<F>::kScale : -Format<F>::kScale;
       return result(scaled_fma(a, b, c, k), a, b, c);)
FLOAT3(div_fixup, return put(fixup(a, b, c));)

EvalFn f32_to_f16(Elem, Elem) {
  return [](const U* a) -> U {
    auto x = get<float>(a[0]);
    U sign = (a[0] >> 16) & 0x8000;
    if (std::isnan(x)) return sign | 0x7e00 | ((a[0] >> 13) & 0x3ff);
    float magnitude = std::fabs(x);
    if (magnitude >= 65520.0f) return sign | 0x7c00;
    // Counts units in the last place; a carry raises the exponent.
    int n = std::max(std::ilogb(magnitude == 0 ? 1e-30f : magnitude), -14) - 10;
    auto units = static_cast<U>(std::nearbyint(std::ldexp(static_cast<double>(magnitude), -n)));
    return sign | (units + (static_cast<U>(n + 24) << 10));
  };
}
EvalFn f16_to_f32(Elem, Elem) {
  return [](const U* a) -> U {
    U sign = (a[0] & 0x8000) << 16, exponent = (a[0] >> 10) & 31, fraction = a[0] & 0x3ff;
    if (exponent == 31) return sign | 0x7f800000 | fraction << 13 | (fraction ? 0x400000 : 0);
    int n = exponent ? static_cast<int>(exponent) - 25 : -24;
    return sign | put(std::ldexp(static_cast<float>(exponent ? fraction | 0x400 : fraction), n));
  };
}

template <unsigned Byte>
EvalFn cvt_ubyte(Elem, Elem) {
  return [](const U* a) { return put(static_cast<float>((a[0] >> (8 * Byte)) & 255)); };
}
template EvalFn cvt_ubyte<0>(Elem, Elem);
template EvalFn cvt_ubyte<1>(Elem, Elem);
template EvalFn cvt_ubyte<2>(Elem, Elem);
template EvalFn cvt_ubyte<3>(Elem, Elem);

namespace {
template <typename F, unsigned Outcomes>
U compare(const U* operands) {
  F a = get<F>(operands[0]), b = get<F>(operands[1]);
  return (Outcomes >> (a < b ? 0 : a == b ? 1 : a > b ? 2 : 3)) & 1;
}
}  // namespace
template <unsigned Outcomes>
EvalFn fcmp(Elem e, Elem) {
  return e == Elem::F64 ? &compare<double, Outcomes> : &compare<float, Outcomes>;
}
#define MAKE(n) template EvalFn fcmp<n>(Elem, Elem);
MAKE(0)
MAKE(1)
MAKE(2)
MAKE(3) MAKE(4) MAKE(5) MAKE(6) MAKE(7) MAKE(8) MAKE(9) MAKE(10) MAKE(11) MAKE(12) MAKE(13) MAKE(14) MAKE(15)
#undef FLOAT3
#undef FLOAT2
#undef FLOAT
#undef MAKE

}  // namespace kc::gcn_eval
