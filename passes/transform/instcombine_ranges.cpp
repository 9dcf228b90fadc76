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

// Numbers from `first` on, `size` + 1 of them; none if it is negative.
struct Range {
  ValueId value;
  int64_t first = 0, size = 0;
};

// What two bounds include, or with `outside` what their negations do.
std::optional<Range> range_of(const RuleContext& r, ValueId a, ValueId b, bool outside) {
  auto low = bound_of(r, a, outside), high = bound_of(r, b, outside);
  if (!low || !high || low->value != high->value || low->is_signed != high->is_signed) return std::nullopt;
  if (!low->lower) std::swap(low, high);
  if (!low->lower || high->lower) return std::nullopt;
  return Range{low->value, low->limit, high->limit - low->limit};
}

// The operands of the comparison that says whether the value is in the range; with `outside` of `size <
// distance`, else of `distance <= size`.
std::pair<ValueId, ValueId> operands_of(RuleContext& r, const Range& range, bool outside) {
  const ValueId size = r.like(range.value, static_cast<uint64_t>(range.size));
  const ValueId distance =
      r.make(Op::add, Elem::I32,
             {range.value, r.like(range.value, uint64_t{0} - static_cast<uint64_t>(range.first))});
  return outside ? std::pair(size, distance) : std::pair(distance, size);
}

}  // namespace

bool compare_range(RuleContext& r) {
  if (r.type().elem != Elem::I1) return false;
  // Outside of a range is the negation of inside.
  const bool outside = r.inst().op == Op::or_;
  const Op compare = outside ? Op::ult : Op::ule;
  if (const auto range = range_of(r, r.operand(0), r.operand(1), outside)) {
    if (range->size < 0) return r.constant(outside);
    const auto [a, b] = operands_of(r, *range, outside);
    return r.become(compare, {a, b});
  }
  // x < 0 or (y < 0 or 5 <= x): the bounds of one value first.
  for (size_t k = 0; k < 2; ++k) {
    const Inst* others = r.defined_by(r.operand(k), r.inst().op);
    if (!others) continue;
    const ValueId one = r.operand(1 - k);
    for (size_t n = 0; n < 2; ++n) {
      const ValueId with = others->operands[n], rest = others->operands[1 - n];
      const auto range = range_of(r, one, with, outside);
      if (!range || range->size < 0) continue;
      const auto [a, b] = operands_of(r, *range, outside);
      return r.become(r.inst().op, {r.make(compare, Elem::I1, {a, b}), rest});
    }
  }
  return false;
}

}  // namespace kc
