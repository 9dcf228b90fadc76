// SPDX-License-Identifier: Apache-2.0
// The rules of `instcombine` for division by powers of two, and for shift counts.
#include <bit>

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

// Counts are taken modulo the width, so a mask that keeps all bits of the width is redundant.
bool shift_count_masked(RuleContext& r) {
  const Inst* masked = r.defined_by(r.operand(1), Op::and_);
  if (!masked) return false;
  auto mask = r.bits(masked->operands[1]);
  const uint64_t counts = r.type().bits() - 1;
  return mask && (*mask & counts) == counts && r.become(r.inst().op, {r.operand(0), masked->operands[0]});
}

}  // namespace kc
