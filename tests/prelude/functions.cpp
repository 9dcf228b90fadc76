// SPDX-License-Identifier: Apache-2.0
#include "tests/prelude/functions.h"

#include <quadmath.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace kc::test {
namespace {

using Quad = __float128;

// One name for the C library's double function and libquadmath's.
#define ONE(name)                                \
  double name(double x) { return std::name(x); } \
  Quad name(Quad x) { return name##q(x); }
#define TWO(name)                                             \
  double name(double x, double y) { return std::name(x, y); } \
  Quad name(Quad x, Quad y) { return name##q(x, y); }
namespace wide {
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(cbrt)
ONE(sqrt)
ONE(erf)
ONE(erfc)
ONE(tgamma)
ONE(lgamma)
ONE(fabs)
ONE(rint)
ONE(logb)
TWO(pow)
TWO(atan2)
TWO(hypot)
TWO(fmod)
TWO(remainder)
TWO(copysign)
ONE(ceil)
ONE(floor)
ONE(trunc)
ONE(round)
TWO(fdim)
}  // namespace wide
#undef ONE
#undef TWO

template <class W>
const W kPi = 4 * wide::atan(W(1));
template <class W>
const W kNan = static_cast<W>(NAN);
template <class W>
const W kInfinity = static_cast<W>(INFINITY);

// x modulo whole turns, of 2.
template <class W>
W turned(W x) {
  return wide::fmod(x, W(2));
}
template <class W>
W sinpi(W x, W) {
  W r = turned(x);
  return r == wide::rint(r) ? wide::copysign(W(0), x) : wide::sin(kPi<W> * r);
}
template <class W>
W cospi(W x, W) {
  W r = turned(x);
  return r + W(0.5) == wide::rint(r + W(0.5)) ? W(0) : wide::cos(kPi<W> * r);
}
template <class W>
W tanpi(W x, W) {
  W r = turned(x);  // exactly within (-2, 2)
  bool odd = wide::fabs(r) == 1 || wide::fabs(r) == W(1.5);
  if (r == wide::rint(r)) return wide::copysign(W(0), odd ? -x : x);
  if (r + W(0.5) == wide::rint(r + W(0.5)))
    return wide::copysign(kInfinity<W>, (wide::fabs(r) == W(1.5)) ? -x : x);
  return wide::tan(kPi<W> * r);
}
template <class W>
W powr(W x, W y) {
  if (x < 0 || x != x || y != y) return kNan<W>;
  if (y == 0 && (x == 0 || x == kInfinity<W>)) return kNan<W>;
  if (x == 1 && wide::fabs(y) == kInfinity<W>) return kNan<W>;
  return wide::pow(wide::fabs(x), y);
}
template <class W>
W rootn(W x, W n) {
  bool odd = wide::fmod(wide::fabs(n), W(2)) == 1;
  if (n == 0 || x != x || (x < 0 && !odd)) return kNan<W>;
  W r = wide::pow(wide::fabs(x), W(1) / n);
  return odd ? wide::copysign(r, x) : r;
}

// The type whose functions have W as reference type.
template <class W>
using Narrow = std::conditional_t<sizeof(W) == 16, double, float>;

template <class W>
W greatest(W x, W y) {
  if (x != x || y != y) return x != x ? y : x;
  return x > y || (x == y && wide::copysign(W(1), x) > 0) ? x : y;
}
template <class W>
W least(W x, W y) {
  return -greatest(-x, -y);
}
template <class W>
W maxmag(W x, W y) {
  W a = wide::fabs(x), b = wide::fabs(y);
  return a > b ? x : b > a ? y : greatest(x, y);
}
template <class W>
W minmag(W x, W y) {
  W a = wide::fabs(x), b = wide::fabs(y);
  return a < b ? x : b < a ? y : least(x, y);
}
// The fractional part, with rounding towards minus infinity or towards zero.
template <class W>
W fract(W x) {
  if (x != x) return x;
  if (x == 0 || wide::fabs(x) == kInfinity<W>) return wide::copysign(W(0), x);
  W below_one = W(1) - W(std::numeric_limits<Narrow<W>>::epsilon()) / 2;
  return least(x - wide::floor(x), below_one);
}
template <class W>
W modf(W x) {
  return wide::copysign(wide::fabs(x) == kInfinity<W> ? W(0) : x - wide::trunc(x), x);
}
// The exponent of frexp; 0 where it is unspecified.
template <class W>
int exponent(W x) {
  int e = 0;
  if (x - x == 0) std::frexp(static_cast<double>(x), &e);
  return e;
}
template <class W>
W mantissa(W x) {
  return x - x == 0 ? static_cast<W>(std::ldexp(static_cast<double>(x), -exponent(x))) : x;
}
template <class W>
W scaled(W x, W n) {
  int e = static_cast<int>(std::clamp<double>(static_cast<double>(n), -5000, 5000));
  if constexpr (sizeof(W) == 16)
    return ldexpq(x, e);
  else
    return std::ldexp(x, e);
}
// Computed with the narrow type's own functions, which round once.
template <class W>
W fused(W x, W y) {
  using T = Narrow<W>;
  return std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(x));
}
template <class W>
W nextafter(W x, W y) {
  using T = Narrow<W>;
  return std::nextafter(static_cast<T>(x), static_cast<T>(y));
}

#define OF(expression) []<class W>(W x, [[maybe_unused]] W y) -> W { return expression; }

// The same for both types.
template <class Both>
MathFunction row(std::string name, Arguments arguments, double ulp, double low, double high, Both reference) {
  return {std::move(name), arguments, ulp, low, high, reference, reference};
}

std::vector<MathFunction> table() {
  using enum Arguments;
  std::vector<MathFunction> t{
      row("exp", One, 3, -800, 720, OF(wide::exp(x))),
      row("exp2", One, 3, -1100, 1030, OF(wide::exp2(x))),
      row("exp10", One, 3, -340, 310, OF(wide::pow(W(10), x))),
      row("expm1", One, 3, -50, 720, OF(wide::expm1(x))),
      row("log", One, 3, 0, 4, OF(wide::log(x))),
      row("log2", One, 3, 0, 4, OF(wide::log2(x))),
      row("log10", One, 3, 0, 4, OF(wide::log10(x))),
      row("log1p", One, 2, -1, 3, OF(wide::log1p(x))),
      row("pow", Two, 16, 0, 30, OF(wide::pow(x, y))),
      row("powr", Two, 16, 0, 30, OF(powr<W>(x, y))),
      row("pown", Int, 16, -20, 20, OF(wide::pow(x, y))),
      row("rootn", Int, 16, -20, 20, OF(rootn<W>(x, y))),
      row("sin", One, 4, -10, 10, OF(wide::sin(x))),
      row("cos", One, 4, -10, 10, OF(wide::cos(x))),
      row("tan", One, 5, -10, 10, OF(wide::tan(x))),
      row("sinpi", One, 4, -3, 3, OF(sinpi<W>(x, y))),
      row("cospi", One, 4, -3, 3, OF(cospi<W>(x, y))),
      row("tanpi", One, 6, -3, 3, OF(tanpi<W>(x, y))),
      row("asin", One, 4, -1, 1, OF(wide::asin(x))),
      row("acos", One, 4, -1, 1, OF(wide::acos(x))),
      row("atan", One, 5, -5, 5, OF(wide::atan(x))),
      row("atan2", Two, 6, -10, 10, OF(wide::atan2(x, y))),
      row("asinpi", One, 5, -1, 1, OF(wide::asin(x) / kPi<W>)),
      row("acospi", One, 5, -1, 1, OF(wide::acos(x) / kPi<W>)),
      row("atanpi", One, 5, -5, 5, OF(wide::atan(x) / kPi<W>)),
      row("atan2pi", Two, 6, -10, 10, OF(wide::atan2(x, y) / kPi<W>)),
      row("sinh", One, 4, -720, 720, OF(wide::sinh(x))),
      row("cosh", One, 4, -720, 720, OF(wide::cosh(x))),
      row("tanh", One, 5, -25, 25, OF(wide::tanh(x))),
      row("asinh", One, 4, -20, 20, OF(wide::asinh(x))),
      row("acosh", One, 4, 1, 20, OF(wide::acosh(x))),
      row("atanh", One, 5, -1, 1, OF(wide::atanh(x))),
      row("cbrt", One, 2, -20, 20, OF(wide::cbrt(x))),
      row("rsqrt", One, 2, 0, 20, OF(1 / wide::sqrt(x))),
      row("hypot", Two, 4, -20, 20, OF(wide::hypot(x, y))),
      row("fmod", Two, 0, -100, 100, OF(wide::fmod(x, y))),
      row("remainder", Two, 0, -100, 100, OF(wide::remainder(x, y))),
      row("logb", One, 0, -20, 20, OF(wide::logb(x))),
      row("erf", One, 16, -6, 6, OF(wide::erf(x))),
      row("erfc", One, 16, -6, 28, OF(wide::erfc(x))),
      row("tgamma", One, 16, -35, 172, OF(wide::tgamma(x))),
      row("lgamma", One, 1e9, -30, 100, OF(wide::lgamma(x))),
  };
  return t;
}

// Operations that IEEE-754 rounds correctly or defines exactly, and functions with two results.
std::vector<MathFunction> exact_table() {
  using enum Arguments;
  std::vector<MathFunction> t{
      row("x + y", Two, 0, -100, 100, OF(x + y)),
      row("x * y", Two, 0, -100, 100, OF(x * y)),
      row("x / y", Two, 0, -100, 100, OF(x / y)),
      row("sqrt", One, 0, 0, 100, OF(wide::sqrt(x))),
      row("fma", Two, 0, -100, 100, OF(fused(x, y))),
      row("ceil", One, 0, -100, 100, OF(wide::ceil(x))),
      row("floor", One, 0, -100, 100, OF(wide::floor(x))),
      row("trunc", One, 0, -100, 100, OF(wide::trunc(x))),
      row("rint", One, 0, -100, 100, OF(wide::rint(x))),
      row("round", One, 0, -100, 100, OF(wide::round(x))),
      row("fabs", One, 0, -100, 100, OF(wide::fabs(x))),
      row("fdim", Two, 0, -100, 100, OF(wide::fdim(x, y))),
      row("fmax", Two, 0, -100, 100, OF(greatest(x, y))),
      row("fmin", Two, 0, -100, 100, OF(least(x, y))),
      row("maxmag", Two, 0, -100, 100, OF(maxmag(x, y))),
      row("minmag", Two, 0, -100, 100, OF(minmag(x, y))),
      row("copysign", Two, 0, -100, 100, OF(wide::copysign(x, y))),
      row("nextafter", Two, 0, -100, 100, OF(nextafter(x, y))),
      row("ldexp", Int, 0, -100, 100, OF(scaled(x, y))),
      row("ilogb", One, 0, -100, 100, OF(x != 0 && x - x == 0 ? W(exponent(x) - 1) : W(0))),
      row("frexp", One, 0, -100, 100, OF(mantissa(x))),
      row("frexp (exponent)", One, 0, -100, 100, OF(W(exponent(x)))),
      row("fract", One, 0, -100, 100, OF(fract(x))),
      row("modf", One, 0, -100, 100, OF(modf(x))),
      row("modf (integer)", One, 0, -100, 100, OF(wide::trunc(x))),
      row("remquo", Two, 0, -100, 100, OF(wide::remainder(x, y))),
      row("sincos", One, 4, -10, 10, OF(wide::sin(x))),
      row("sincos (cosine)", One, 4, -10, 10, OF(wide::cos(x))),
      row("lgamma_r", One, 1e9, -30, 100, OF(wide::lgamma(x))),
  };
  const std::map<std::string, std::string> calls{
      {"x + y", "x + y"},
      {"x * y", "x * y"},
      {"x / y", "x / y"},
      {"fma", "fma(x, y, x)"},
      {"ilogb", "isfinite(x) && x != 0 ? (T)ilogb(x) : 0"},
      {"frexp", "({ int e; frexp(x, &e); })"},
      {"frexp (exponent)", "isfinite(x) ? ({ int e; (void)frexp(x, &e); (T)e; }) : 0"},
      {"fract", "({ T whole; fract(x, &whole); })"},
      {"modf", "({ T whole; modf(x, &whole); })"},
      {"modf (integer)", "({ T whole; (void)modf(x, &whole); whole; })"},
      {"remquo", "({ int q; remquo(x, y, &q); })"},
      {"sincos", "({ T c; sincos(x, &c); })"},
      {"sincos (cosine)", "({ T c; (void)sincos(x, &c); c; })"},
      {"lgamma_r", "({ int sign_of; lgamma_r(x, &sign_of); })"},
  };
  for (MathFunction& f : t)
    if (auto found = calls.find(f.name); found != calls.end()) f.call = found->second;
  return t;
}

}  // namespace

const std::vector<MathFunction>& math_functions() {
  static const std::vector<MathFunction> all = [] {
    std::vector<MathFunction> t = table();
    std::ranges::copy(exact_table(), std::back_inserter(t));
    return t;
  }();
  return all;
}

}  // namespace kc::test
