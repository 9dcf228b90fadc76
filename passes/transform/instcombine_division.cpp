// SPDX-License-Identifier: Apache-2.0
// The rules of `instcombine` for division by powers of two, divisibility, and shift counts.
#include <bit>

#include "passes/ir_util.h"
#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

std::optional<uint64_t> exponent(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  if (!c || !std::has_single_bit(*c)) return std::nullopt;
  return static_cast<uint64_t>(std::countr_zero(*c));
}

// x + (x < 0 ? 2^k - 1 : 0), which rounds toward zero once k bits are shifted out.
ValueId biased(RuleContext& r, uint64_t k) {
  ValueId x = r.operand(0);
  const Elem e = r.type().elem;
  const unsigned width = r.type().bits();
  ValueId sign = r.make(Op::ashr, e, {x, r.like(x, width - 1)});
  ValueId bias = r.make(Op::lshr, e, {sign, r.like(x, width - k)});
  return r.make(Op::add, e, {x, bias});
}

// 1 < 2^k < 2^(width-1): 2^(width-1) is the most negative number.
bool is_positive_power(RuleContext& r, std::optional<uint64_t> k) {
  return k && *k > 0 && *k + 1 < r.type().bits();
}

}  // namespace

bool udiv_power(RuleContext& r) {
  auto k = exponent(r);
  return k && r.become(Op::lshr, {r.operand(0), r.like(r.operand(0), *k)});
}
bool urem_power(RuleContext& r) {
  auto k = exponent(r);
  return k && r.become(Op::and_, {r.operand(0), r.like(r.operand(0), (uint64_t{1} << *k) - 1)});
}
// By 1 << k. Counts are taken modulo the width, so this is a power of two for every k, and never zero.
bool udiv_shifted_one(RuleContext& r) {
  const ValueId k = shifts_one_by(r.f, r.operand(1));
  return k && r.become(Op::lshr, {r.operand(0), k});
}
bool urem_shifted_one(RuleContext& r) {
  const ValueId divisor = r.operand(1);
  if (!shifts_one_by(r.f, divisor)) return false;
  ValueId low = r.make(Op::add, r.type().elem, {divisor, r.like(divisor, RuleContext::ones(r.type()))});
  return r.become(Op::and_, {r.operand(0), low});
}
bool sdiv_power(RuleContext& r) {
  auto k = exponent(r);
  if (!is_positive_power(r, k) || r.bits(r.operand(0))) return false;
  return r.become(Op::ashr, {biased(r, *k), r.like(r.operand(0), *k)});
}
bool srem_power(RuleContext& r) {
  auto k = exponent(r);
  if (!is_positive_power(r, k) || r.bits(r.operand(0))) return false;
  ValueId x = r.operand(0), all = biased(r, *k);
  ValueId whole = r.make(Op::and_, r.type().elem, {all, r.like(x, ~uint64_t{0} << *k)});
  return r.become(Op::sub, {x, whole});
}

// x % (d 2^k) == 0 with an odd d: multiplied by the inverse of d modulo 2^width, multiples of d become their
// quotients, the lowest numbers, and nothing else does; rotated by k, numbers with one of the lowest k bits
// become large. Signed quotients are moved up to be counted from 0 (Hacker's Delight, 10-17).
bool divisible(RuleContext& r) {
  if (!r.is(r.operand(1), 0)) return false;
  const Inst* rest = r.defined_by(r.operand(0), Op::urem);
  const bool is_signed = rest == nullptr;
  if (is_signed) rest = r.defined_by(r.operand(0), Op::srem);
  if (!rest) return false;
  const ValueId x = rest->operands[0];
  const auto divisor = r.bits(rest->operands[1]);
  const unsigned width = r.type(x).bits();
  const uint64_t all = ~uint64_t{0} >> (64 - width), most = is_signed ? all >> 1 : all;
  if (r.bits(x) || !divisor || *divisor < 3 || *divisor > most || std::has_single_bit(*divisor)) return false;
  const auto k = static_cast<unsigned>(std::countr_zero(*divisor));
  const uint64_t odd = *divisor >> k;
  uint64_t inverse = odd;  // right in its three lowest bits, and in twice as many after each step
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  const Elem e = r.type(x).elem;
  ValueId quotient = r.make(Op::mul, e, {x, r.like(x, inverse & all)});
  uint64_t largest = all / *divisor;
  if (is_signed) {
    const uint64_t below = most / odd & (~uint64_t{0} << k);
    quotient = r.make(Op::add, e, {quotient, r.like(x, below)});
    largest = 2 * below >> k;
  }
  if (k) {
    ValueId low = r.make(Op::lshr, e, {quotient, r.like(x, k)});
    quotient = r.make(Op::or_, e, {low, r.make(Op::shl, e, {quotient, r.like(x, width - k)})});
  }
  if (r.is_equality()) return r.become(Op::ule, {quotient, r.like(x, largest)});
  return r.become(Op::ult, {r.like(x, largest), quotient});
}

// Counts are taken modulo the width, so a mask that keeps all bits of the width is redundant.
bool shift_count_masked(RuleContext& r) {
  const Inst* masked = r.defined_by(r.operand(1), Op::and_);
  if (!masked) return false;
  auto mask = r.bits(masked->operands[1]);
  const uint64_t counts = r.type().bits() - 1;
  return mask && (*mask & counts) == counts && r.become(r.inst().op, {r.operand(0), masked->operands[0]});
}

}  // namespace kc
