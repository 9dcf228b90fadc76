// SPDX-License-Identifier: Apache-2.0
// Floating point of the x86-64 emulator: round to nearest even, denormals kept, no traps. NaN results follow
// the manuals: the first operand that is a NaN, made quiet; otherwise the default NaN, whose sign is set.
#include <bit>
#include <cmath>

#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

template <typename F>
using Bits = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;
template <typename F>
constexpr Bits<F> kQuiet = sizeof(F) == 4 ? Bits<F>{1} << 22 : static_cast<Bits<F>>(uint64_t{1} << 51);
template <typename F>
constexpr Bits<F> kDefaultNan = sizeof(F) == 4 ? static_cast<Bits<F>>(0xffc00000u)
                                               : static_cast<Bits<F>>(0xfff8000000000000u);

template <typename F>
F to_float(uint64_t v) {
  return std::bit_cast<F>(static_cast<Bits<F>>(v));
}
template <typename F>
uint64_t quiet(uint64_t v) {
  return v | kQuiet<F>;
}
template <typename F>
uint64_t finish(F r) {
  return std::isnan(r) ? kDefaultNan<F> : std::bit_cast<Bits<F>>(r);
}

template <typename F, char Op>
uint64_t arithmetic(const uint64_t* s, unsigned) {
  F a = to_float<F>(s[0]), b = to_float<F>(s[1]);
  if (std::isnan(a)) return quiet<F>(s[0]);
  if (std::isnan(b)) return quiet<F>(s[1]);
  return finish<F>(Op == '+' ? a + b : Op == '-' ? a - b : Op == '*' ? a * b : a / b);
}
// The second operand if either is NaN or both are equal.
template <typename F>
uint64_t minimum(const uint64_t* s, unsigned) {
  return to_float<F>(s[0]) < to_float<F>(s[1]) ? s[0] : s[1];
}
template <typename F>
uint64_t maximum(const uint64_t* s, unsigned) {
  return to_float<F>(s[0]) > to_float<F>(s[1]) ? s[0] : s[1];
}
// vrange with the sign of the compared operand: the smaller (operation 0) or larger (1) one, with -0 < +0. Of
// a quiet NaN and a number it returns the number.
template <typename F>
uint64_t range(const uint64_t* s, unsigned control) {
  F a = to_float<F>(s[0]), b = to_float<F>(s[1]);
  for (int k : {0, 1})
    if (std::isnan(to_float<F>(s[k])) && !(s[k] & kQuiet<F>)) return quiet<F>(s[k]);
  if (std::isnan(a)) return std::isnan(b) ? s[0] : s[1];
  if (std::isnan(b)) return s[0];
  const bool below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return below == ((control & 1) == 0) ? s[0] : s[1];
}
template <typename F>
uint64_t square_root(const uint64_t* s, unsigned) {
  F a = to_float<F>(s[0]);
  return std::isnan(a) ? quiet<F>(s[0]) : finish<F>(std::sqrt(a));
}

// s[0] is the destination. The digits of the name specify the operands of the product and the addend; NaNs
// take precedence in that order.
template <typename F, int Order, bool NegateProduct, bool NegateAddend>
uint64_t fused(const uint64_t* s, unsigned) {
  uint64_t x = Order == 132 ? s[0] : s[1], y = Order == 213 ? s[0] : s[2],
           z = Order == 132   ? s[1]
               : Order == 213 ? s[2]
                              : s[0];
  for (uint64_t v : {x, y, z})
    if (std::isnan(to_float<F>(v))) return quiet<F>(v);
  F a = to_float<F>(x), c = to_float<F>(z);
  return finish<F>(std::fma(NegateProduct ? -a : a, to_float<F>(y), NegateAddend ? -c : c));
}

// Bits 0 and 1 of the immediate select the direction unless bit 2 selects the current one. The upper four
// bits are the number of fraction bits to keep.
template <typename F>
uint64_t rounded(const uint64_t* s, unsigned imm) {
  F a = to_float<F>(s[0]);
  if (std::isnan(a)) return quiet<F>(s[0]);
  int scale = static_cast<int>(imm >> 4);
  if (std::isinf(a) || std::fabs(a) >= std::ldexp(F{1}, sizeof(F) == 4 ? 24 : 53)) return s[0];
  F x = std::ldexp(a, scale);
  unsigned mode = imm & 4 ? 0 : imm & 3;
  F r = mode == 0 ? std::nearbyint(x) : mode == 1 ? std::floor(x) : mode == 2 ? std::ceil(x) : std::trunc(x);
  return finish<F>(std::ldexp(r, -scale));
}

// Predicates 16 to 31 differ only in exceptions.
template <typename F>
uint64_t compare(const uint64_t* s, unsigned imm) {
  F a = to_float<F>(s[0]), b = to_float<F>(s[1]);
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (imm & 15) {
    case 0:
      return a == b;
    case 1:
      return a < b;
    case 2:
      return a <= b;
    case 3:
      return unordered;
    case 4:
      return !(a == b);
    case 5:
      return !(a < b);
    case 6:
      return !(a <= b);
    case 7:
      return !unordered;
    case 8:
      return unordered || a == b;
    case 9:
      return !(a >= b);
    case 10:
      return !(a > b);
    case 11:
      return 0;
    case 12:
      return !unordered && a != b;
    case 13:
      return a >= b;
    case 14:
      return a > b;
    default:
      return 1;
  }
}

template <typename F>
void exec_ucomis(Machine& m, const Inst& in) {
  const Operand& o = in.operands[1];
  unsigned bits = in.row->src_bits;
  F a = to_float<F>(m.vec(in.operands[0].reg).get(bits, 0));
  F b = to_float<F>(o.is_mem() ? m.load(m.address(o), bits / 8) : m.vec(o.reg).get(bits, 0));
  uint8_t f = std::isnan(a) || std::isnan(b) ? Zero | Parity | Carry : a < b ? Carry : a == b ? Zero : 0;
  m.set_flags(AllFlags, f);
}

#define L(name, form, bits, fn, flags) \
  Row { name, form, X64Class::Vector, exec_lanes, bits, bits, fn, flags, 0 }
#define S(name, bits, fn, flags) \
  Row { name, "v v vm", X64Class::Vector, exec_scalar, bits, bits, fn, flags, 0 }
#define FOUR(name, fn)                                                                 \
  L(name "ps", "v v vm", 32, fn<float>, 0), L(name "pd", "v v vm", 64, fn<double>, 0), \
      S(name "ss", 32, fn<float>, 0), S(name "sd", 64, fn<double>, 0)
#define ARITHMETIC(name, op)                                                                                 \
  L(name "ps", "v v vm", 32, (arithmetic<float, op>), 0),                                                    \
      L(name "pd", "v v vm", 64, (arithmetic<double, op>), 0), S(name "ss", 32, (arithmetic<float, op>), 0), \
      S(name "sd", 64, (arithmetic<double, op>), 0)
#define FUSED_ORDER(name, order, p, a)                                           \
  L(name #order "ps", "v v vm", 32, (fused<float, order, p, a>), ReadsDst),      \
      L(name #order "pd", "v v vm", 64, (fused<double, order, p, a>), ReadsDst), \
      S(name #order "ss", 32, (fused<float, order, p, a>), ReadsDst),            \
      S(name #order "sd", 64, (fused<double, order, p, a>), ReadsDst)
#define FUSED(name, p, a) \
  FUSED_ORDER(name, 132, p, a), FUSED_ORDER(name, 213, p, a), FUSED_ORDER(name, 231, p, a)

constexpr Row kFloatRows[] = {
    ARITHMETIC("vadd", '+'),
    ARITHMETIC("vsub", '-'),
    ARITHMETIC("vmul", '*'),
    ARITHMETIC("vdiv", '/'),
    FOUR("vmin", minimum),
    FOUR("vmax", maximum),
    L("vsqrtps", "v vm", 32, square_root<float>, 0),
    L("vsqrtpd", "v vm", 64, square_root<double>, 0),
    S("vsqrtss", 32, square_root<float>, LowOnly),
    S("vsqrtsd", 64, square_root<double>, LowOnly),
    FUSED("vfmadd", false, false),
    FUSED("vfmsub", false, true),
    FUSED("vfnmadd", true, false),
    FUSED("vfnmsub", true, true),
    L("vroundps", "v vm i", 32, rounded<float>, 0),
    L("vroundpd", "v vm i", 64, rounded<double>, 0),
    L("vrndscaleps", "v vm i", 32, rounded<float>, 0),
    L("vrndscalepd", "v vm i", 64, rounded<double>, 0),
    L("vrangeps", "v v vm i", 32, range<float>, 0),
    L("vrangepd", "v v vm i", 64, range<double>, 0),
    L("vcmpps", "vk v vm i", 32, compare<float>, Compares),
    L("vcmppd", "vk v vm i", 64, compare<double>, Compares),
    Row{"vucomiss", "v vm", X64Class::Vector, exec_ucomis<float>, 32, 32},
    Row{"vucomisd", "v vm", X64Class::Vector, exec_ucomis<double>, 64, 64},
};
#undef L
#undef S
#undef FOUR
#undef ARITHMETIC
#undef FUSED_ORDER
#undef FUSED

}  // namespace

std::span<const Row> float_rows() { return kFloatRows; }

}  // namespace kc::x64sim
