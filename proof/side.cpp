// SPDX-License-Identifier: Apache-2.0
#include "proof/side.h"

#include <algorithm>
#include <numeric>

#include "ir/check.h"
#include "ir/op.h"
#include "ir/text.h"

namespace kc::proof {
namespace {

constexpr int64_t kForeign = int64_t{1} << 40;  // added to numbers that the other function does not have
constexpr size_t kFewBlocks = 16;
constexpr size_t kLongStretch = 128;  // blocks
constexpr size_t kMostTurns = 64;

std::vector<int64_t> own_numbers(size_t n) {
  std::vector<int64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

template <typename Items, typename Same>
std::vector<int64_t> numbers_in(const Items& items, const Items& others, Same same) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < items.size(); ++i)
    numbers.push_back(static_cast<int64_t>(i) +
                      (i < others.size() && same(items[i], others[i]) ? 0 : kForeign));
  return numbers;
}

}  // namespace

Numbering Numbering::same(const Function& f) {
  return {own_numbers(f.objects.size()), own_numbers(f.vars.size()), own_numbers(f.traps.size())};
}

Numbering Numbering::in(const Function& f, const Function& other) {
  return {numbers_in(f.objects, other.objects,
                     [](const MemoryObject& a, const MemoryObject& b) {
                       return a.name == b.name && a.type == b.type && a.size == b.size && a.init == b.init;
                     }),
          numbers_in(f.vars, other.vars,
                     [](const Var& a, const Var& b) { return a.name == b.name && a.type == b.type; }),
          numbers_in(f.traps, other.traps, std::equal_to<>())};
}

std::vector<int64_t> Side::attrs(const Inst& inst) const {
  const OpInfo& row = info(inst.op);
  std::vector<int64_t> attrs(inst.attrs.begin(),
                             inst.attrs.begin() + static_cast<ptrdiff_t>(row.attr_count()));
  for (size_t i = 0; i < attrs.size(); ++i) {
    const auto n = static_cast<size_t>(attrs[i]);
    const auto renumber = [&](const std::vector<int64_t>& numbers) {
      if (n < numbers.size()) attrs[i] = numbers[n];
    };
    switch (row.attrs[i].kind) {
      case AttrKind::Object:
        renumber(numbering_.objects);
        break;
      case AttrKind::Var:
        renumber(numbering_.vars);
        break;
      case AttrKind::Site:
        renumber(numbering_.sites);
        break;
      default:
        break;
    }
  }
  return attrs;
}

Term Side::term(ValueId v) const {
  if (f.is_const(v)) return terms_.constant(f.type(v), f.value(v).bits);
  if (f.is_undef(v)) return terms_.undef(f.type(v));
  KC_CHECK(values_[v.index] != kNone, "the walk uses {} before it has a value", print_operand(f, v));
  return values_[v.index];
}

void Side::compute(const Inst& inst) {
  const ValueId result = inst.results[0];
  // A name for `false` that passes do not look through.
  if (inst.op == Op::opaque_false) return set(result, terms_.constant(kI1, 0));
  std::vector<Term> operands;
  for (ValueId v : inst.operands) operands.push_back(facts_.simplified(term(v)));
  set(result, terms_.pure(inst.op, f.type(result), attrs(inst), operands));
}

const Target& Side::target(uint64_t bits) const {
  const Inst& end = inst();
  if (end.op == Op::br_if) return end.targets[bits ? 0 : 1];
  for (size_t k = 1; k < end.targets.size(); ++k)
    if (f.value(end.operands[k]).bits == bits) return end.targets[k];
  return end.targets[0];
}

void Side::go(const Target& target) {
  const Block& block = f.block(target.block);
  std::vector<Term> args;
  for (ValueId v : target.args) args.push_back(facts_.simplified(term(v)));
  for (size_t i = 0; i < args.size(); ++i) set(block.params[i], args[i]);
  at = {target.block, 0};
  entered_ = true;
}

// Whether silent steps that come back to a block after many others will do so forever: all that they decide
// comes from constants, and those are as they were.
bool Side::repeats(BlockId b, size_t crossings) {
  if (crossings == f.layout.size() + kFewBlocks) turning_ = b, turns_ = 0, turn_.clear();
  if (b != turning_) return false;
  // The block's own operations have not run in this turn, but in the one before.
  std::vector<Term> now;
  std::vector<ValueId> storage;
  for (ValueId v : live.at({b, 0}, storage)) now.push_back(facts_.simplified(term(v)));
  const bool same =
      now.size() == turn_.size() && turns_ > 0 && std::ranges::equal(now, turn_, [&](Term x, Term y) {
        if (x == y) return true;
        return facts_.empty() && !terms_.is_const(x) && !terms_.is_const(y);
      });
  turn_ = std::move(now);
  ++turns_;
  return same;
}

// Many paths may lead through one chain of blocks. They share its stretches from one resting place to the
// next.
bool Side::rests(size_t crossings) {
  const uint64_t before = std::exchange(visited_[at.block.index], runs_);
  return crossings > kLongStretch && at.block.index % (2 * kLongStretch) == 0 && before != runs_;
}

// The only edge that can be taken, if that is known.
const Target* Side::decided(const Inst& branch) {
  const Term t = facts_.simplified(term(branch.operands[0]));
  if (terms_.is_const(t)) return &target(terms_.bits(t));
  const ValueSet* possible = branch.op == Op::switch_ ? facts_.possible(t) : nullptr;
  if (!possible) return nullptr;
  ValueSet others = *possible;  // than the cases
  const Target* common = nullptr;
  for (size_t k = 1; k < branch.operands.size(); ++k) {
    const uint64_t value = f.value(branch.operands[k]).bits;
    if (!possible->meets(value, value)) continue;
    const Target& target = branch.targets[k];
    if (common && *common != target) return nullptr;
    common = &target;
    others.remove(value, value);
  }
  if (!common) return &branch.targets[0];
  return others.empty() || *common == branch.targets[0] ? common : nullptr;
}

Stop Side::run() {
  size_t crossings = 0;
  bool resting = false;
  ++runs_;
  for (;; ++steps_) {
    const Inst& i = inst();
    const OpInfo& row = info(i.op);
    if (row.has(Terminator)) {
      if (resting && i.op != Op::ret && i.op != Op::trap) return Stop::Rest;
      if (i.op == Op::br) {
        go(i.targets[0]);
      } else if (i.op == Op::br_if || i.op == Op::switch_) {
        const Target* target = decided(i);
        if (!target) return Stop::Branch;
        go(*target);
      } else {
        return Stop::End;
      }
      resting = rests(++crossings);
      if (crossings < f.layout.size() + kFewBlocks) continue;
      if (repeats(at.block, crossings)) return Stop::Diverges;
      if (turns_ > kMostTurns || crossings > 4 * kMostTurns * (f.layout.size() + kFewBlocks))
        return Stop::GaveUp;
    } else if (is_silent(i)) {
      compute(i);
      step();
    } else {
      return Stop::Effect;
    }
  }
}

void Side::undo(const Mark& mark) {
  while (log_.size() > mark.log) {
    values_[log_.back().first.index] = log_.back().second;
    log_.pop_back();
  }
  at = mark.at;
  entered_ = false;
}

}  // namespace kc::proof
