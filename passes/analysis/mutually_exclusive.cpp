// SPDX-License-Identifier: Apache-2.0
// By coinduction: two parameters of a block are mutually exclusive if the arguments of every edge are, where
// a pair under examination is assumed to be. A parameter and a value from a strict dominator of its block are
// mutually exclusive if the parameter's argument on every edge and that value are: the value cannot change
// without leaving the block through the dominator and entering it again. Values that branches on the path to
// an edge prove false are excluded, too.
#include "passes/analysis/mutually_exclusive.h"

#include <algorithm>

namespace kc {
namespace {

constexpr size_t kMaxBranches = 8;  // branches examined above a block

}  // namespace

bool MutuallyExclusive::never_both(Term a, Term b) {
  forget();
  return prove(a, b);
}

bool MutuallyExclusive::is_false_in(Term v, BlockId b) {
  forget();
  return ruled_out(v, b);
}

void MutuallyExclusive::forget() {
  if (steps_ > 0) slots_.fill(0);
  assumed_.clear(), steps_ = 0;
}

// The slot of the pair if it is assumed, or the empty one for it. Slots of pairs that are no longer assumed
// stay in use until the next query: one query fills few.
uint16_t& MutuallyExclusive::slot_of(const Pair& pair) {
  const auto number = [](Term t) { return uint64_t{t.value.index} << 1 | uint64_t{t.negated}; };
  const uint64_t hash =
      (number(pair.first) * 0x9e3779b97f4a7c15u ^ number(pair.second)) * 0xff51afd7ed558ccdu;
  for (size_t at = hash >> 32;; ++at) {
    uint16_t& slot = slots_[at % kSlots];
    if (slot == 0 || (slot <= assumed_.size() && assumed_[slot - 1u] == pair)) return slot;
  }
}

// Climbs the dominator tree along the branches that control b: a value from above such a branch is false
// after it if it excludes the branch's condition.
bool MutuallyExclusive::ruled_out(Term t, BlockId b) {
  t = plain(t);
  if (is_false(t)) return true;
  if (!t.value.valid() || f_.is_inline(t.value)) return false;
  const Value& v = f_.value(t.value);
  BlockId def = v.kind == ValueKind::Param ? BlockId(v.owner) : f_.inst(InstId(v.owner)).block;
  for (size_t n = 0; n < kMaxBranches && b != def && b != f_.entry(); ++n) {
    const BlockId up = tree_.idom[b.index];
    const Inst& end = f_.inst(f_.terminator(up));
    if (end.op == Op::br_if && cfg_.preds[b.index].size() == 1 &&
        prove({end.operands[0], end.targets[0].block != b}, t))
      return true;
    b = up;
  }
  return false;
}

MutuallyExclusive::Term MutuallyExclusive::plain(Term t) const {
  while (t.value.valid()) {
    InstId def = f_.def(t.value);
    if (!def.valid() || f_.inst(def).op != Op::xor_) return t;
    const auto& operands = f_.inst(def).operands;
    if (!f_.is_const(operands[1]) || f_.value(operands[1]).bits != 1) return t;
    t = {operands[0], !t.negated};
  }
  return t;
}

bool MutuallyExclusive::is_false(Term t) const {
  if (!t.value.valid()) return !t.negated;
  return f_.is_const(t.value) && (f_.value(t.value).bits != 0) == t.negated;
}

bool MutuallyExclusive::is_param_of(ValueId v, BlockId b) const {
  return f_.value(v).kind == ValueKind::Param && f_.value(v).owner == b.index;
}

bool MutuallyExclusive::prove(Term a, Term b) {
  const size_t mark = assumed_.size();
  if (excluded(a, b)) return true;
  assumed_.resize(mark);  // assumptions that depended on this one fail
  return false;
}

bool MutuallyExclusive::excluded(Term a, Term b) {
  a = plain(a), b = plain(b);
  if (is_false(a) || is_false(b)) return true;
  if (a.value == b.value) return a.negated != b.negated;
  for (Term t : {a, b})
    if (!t.value.valid() || f_.is_inline(t.value)) return false;
  if (b < a) std::swap(a, b);
  uint16_t& slot = slot_of({a, b});
  if (slot != 0) return true;
  if (++steps_ > kMaxPairs) return false;
  assumed_.emplace_back(a, b);
  slot = static_cast<uint16_t>(assumed_.size());
  for (Term t : {a, b}) {
    if (f_.value(t.value).kind != ValueKind::Param) continue;
    BlockId block(f_.value(t.value).owner);
    if (block == f_.entry()) continue;
    Term other = t == a ? b : a;
    if (is_param_of(other.value, block)) return on_all_edges(block, t, other);
    const Value& v = f_.value(other.value);
    BlockId def = v.kind == ValueKind::Param ? BlockId(v.owner) : f_.inst(InstId(v.owner)).block;
    // A value of the block itself is that of a later iteration than when the edge was taken.
    if (def != block && tree_.dominates(def, block)) return on_all_edges(block, t, other);
  }
  return false;
}

bool MutuallyExclusive::on_all_edges(BlockId block, Term a, Term b) {
  auto argument = [&](const Target& t, Term x) {
    if (!is_param_of(x.value, block)) return x;
    ValueId v = t.args[f_.value(x.value).index];
    return Term{f_.is_undef(v) && flags_[x.value.index] ? ValueId() : v, x.negated};
  };
  return every_edge_into(f_, cfg_, block, [&](BlockId p, const Target& t) {
    return prove(argument(t, a), argument(t, b)) || ruled_out(argument(t, a), p) ||
           ruled_out(argument(t, b), p);
  });
}

}  // namespace kc
