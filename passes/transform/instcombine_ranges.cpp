// SPDX-License-Identifier: Apache-2.0
// The rule of `instcombine` that merges two comparisons with constants into one.
#include <utility>

#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

// An inclusive bound of a range of 32-bit numbers; it may be one beyond them.
struct Bound {
  ValueId value;
  bool is_signed = false, lower = false;
  int64_t limit = 0;
};

// The bound that a comparison with a constant, or its negation, sets for a value.
std::optional<Bound> bound_of(const RuleContext& r, ValueId condition, bool opposite) {
  for (Op op : {Op::slt, Op::sle, Op::ult, Op::ule}) {
    const Inst* c = r.defined_by(condition, op);
    if (!c) continue;
    auto left = r.bits(c->operands[0]), right = r.bits(c->operands[1]);
    if (left.has_value() == right.has_value() || r.type(c->operands[0]).elem != Elem::I32)
      return std::nullopt;
    bool is_signed = op == Op::slt || op == Op::sle, strict = op == Op::slt || op == Op::ult;
    auto bits = static_cast<uint32_t>(left ? *left : *right);
    Bound b{c->operands[left ? 1 : 0], is_signed, left.has_value(), bits};
    if (is_signed) b.limit = static_cast<int32_t>(bits);
    if (strict) b.limit += b.lower ? 1 : -1;
    if (opposite) {
      b.limit += b.lower ? -1 : 1;
      b.lower = !b.lower;
    }
    return b;
  }
  return std::nullopt;
}

}  // namespace

bool compare_range(RuleContext& r) {
  if (r.type().elem != Elem::I1) return false;
  // Outside of a range is the negation of inside.
  bool outside = r.inst().op == Op::or_;
  auto low = bound_of(r, r.operand(0), outside), high = bound_of(r, r.operand(1), outside);
  if (!low || !high || low->value != high->value || low->is_signed != high->is_signed) return false;
  if (!low->lower) std::swap(low, high);
  if (!low->lower || high->lower) return false;
  if (low->limit > high->limit) return r.constant(outside);
  ValueId x = low->value;
  auto first = static_cast<uint64_t>(low->limit), size = static_cast<uint64_t>(high->limit - low->limit);
  ValueId distance = r.make(Op::add, Elem::I32, {x, r.like(x, uint64_t{0} - first)});
  return outside ? r.become(Op::ult, {r.like(x, size), distance})
                 : r.become(Op::ule, {distance, r.like(x, size)});
}

}  // namespace kc
