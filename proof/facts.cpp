// SPDX-License-Identifier: Apache-2.0
#include "proof/facts.h"

#include <array>
#include <vector>

#include "ir/known_bits.h"

namespace kc::proof {
namespace {

// Deeper terms are left as they are; the recursion stays within the stack.
constexpr unsigned kDeepest = 500;

}  // namespace

void Facts::learn(Term t, Term constant) {
  std::vector<std::pair<Term, bool>> work;
  memo_.clear();
  if (terms_.type(t) != kI1) {
    const ValueSet* set = possible(t);
    contradiction_ |= set && !set->meets(terms_.bits(constant), terms_.bits(constant));
    known_[t] = constant;
    return;
  }
  work.emplace_back(t, terms_.bits(constant) != 0);
  while (!work.empty()) {
    auto [of, is] = work.back();
    work.pop_back();
    bool positive = true;
    of = terms_.base(of, positive);
    if (!positive) is = !is;
    if (terms_.is_literal(of)) continue;
    known_[of] = terms_.constant(kI1, is);
    const Op op = terms_.op(of);
    const auto parts = terms_.operands(of);
    // Both parts of a conjunction that holds, of a disjunction that does not.
    if ((op == Op::and_ && is) || (op == Op::or_ && !is))
      work.insert(work.end(), {{parts[0], is}, {parts[1], is}});
    if (op == Op::eq && is && terms_.is_const(parts[1]) && !terms_.is_literal(parts[0]))
      known_[parts[0]] = parts[1];  // of pointers, too
    const auto range = range_of(of);
    if (!range) continue;
    if (range->none)
      contradiction_ |= is;
    else
      remove(is ? others(*range) : *range);
  }
}

void Facts::learn_not(Term t, Term constant) {
  memo_.clear();
  remove({t, terms_.bits(constant), terms_.bits(constant)});
}

const ValueSet* Facts::possible(Term t) const {
  const auto found = possible_.find(t);
  return found == possible_.end() ? nullptr : &found->second;
}

Facts::Range Facts::others(const Range& range) const {
  const uint64_t all = low_ones(terms_.type(range.of).bits());
  return {range.of, (range.last + 1) & all, (range.first - 1) & all};
}

void Facts::remove(const Range& range) {
  const Type type = terms_.type(range.of);
  ValueSet& set = possible_.try_emplace(range.of, type.bits()).first->second;
  set.remove(range.first, range.last);
  contradiction_ |= set.empty();
  if (const auto value = set.only()) known_[range.of] = terms_.constant(type, *value);
}

// What a test of a case is, or of adjacent cases of a switch: `x == 3`, `x < 5`, `x - 3 < 5`, `4 < x - 3`.
std::optional<Facts::Range> Facts::range_of(Term t) const {
  const Op op = terms_.op(t);
  if (op != Op::ult && op != Op::eq) return std::nullopt;
  const auto sides = terms_.operands(t);
  if (!terms_.type(sides[0]).is_int() || terms_.type(sides[0]) == kI1) return std::nullopt;
  const bool above = terms_.is_const(sides[0]);  // the values above a number, or below one
  if (above == terms_.is_const(sides[1])) return std::nullopt;
  Term x = sides[above ? 1 : 0];
  const uint64_t all = low_ones(terms_.type(x).bits()), limit = terms_.bits(sides[above ? 0 : 1]);
  if (op == Op::eq) return Range{x, limit, limit};
  if (limit == (above ? all : 0)) return Range{x, 0, 0, true};
  uint64_t low = 0;
  if (terms_.op(x) == Op::sub && terms_.is_const(terms_.operands(x)[1])) {
    low = terms_.bits(terms_.operands(x)[1]);
    x = terms_.operands(x)[0];
  }
  const uint64_t first = above ? limit + 1 : 0, last = above ? all : limit - 1;
  return Range{x, (first + low) & all, (last + low) & all};
}

std::optional<bool> Facts::decided(const Range& range) const {
  if (range.none) return false;
  const uint64_t all = low_ones(terms_.type(range.of).bits());
  if (const auto k = known_.find(range.of); k != known_.end() && terms_.is_const(k->second))
    return ((terms_.bits(k->second) - range.first) & all) <= ((range.last - range.first) & all);
  const ValueSet* set = possible(range.of);
  if (!set) return std::nullopt;
  if (!set->meets(range.first, range.last)) return false;
  const Range rest = others(range);
  if (!set->meets(rest.first, rest.last)) return true;
  return std::nullopt;
}

Term Facts::simplified(Term t, unsigned depth) {
  if (auto k = known_.find(t); k != known_.end()) return k->second;
  if (!terms_.conditional(t) || depth > kDeepest) return t;
  if (auto m = memo_.find(t); m != memo_.end()) return m->second;
  if (const auto range = range_of(t))
    if (const auto holds = decided(*range)) return memo_[t] = terms_.constant(kI1, *holds);
  const auto operands = terms_.operands(t);
  std::vector<Term> now(operands.begin(), operands.end());
  bool changed = false;
  for (Term& o : now) {
    const Term old = o;
    if (!terms_.is_literal(o)) o = simplified(o, depth + 1);
    changed |= o != old;
  }
  Term result = t;
  if (changed) {
    result = terms_.with_operands(t, now);
    if (auto k = known_.find(result); k != known_.end()) result = k->second;
  }
  memo_[t] = result;
  return result;
}

}  // namespace kc::proof
