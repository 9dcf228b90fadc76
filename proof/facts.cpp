// SPDX-License-Identifier: Apache-2.0
#include "proof/facts.h"

#include <array>
#include <vector>

#include "ir/known_bits.h"

namespace kc::proof {
namespace {

// Deeper terms are left as they are; the recursion stays within the stack.
constexpr unsigned kDeepest = 500;
// Longer ranges are not looked through: a switch of the front end has fewer cases.
constexpr uint64_t kLongestRange = 256;

}  // namespace

void Facts::learn(Term t, Term constant) {
  std::vector<std::pair<Term, bool>> work;
  memo_.clear();
  if (terms_.type(t) != kI1) {
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
      known_[parts[0]] = parts[1];
  }
}

void Facts::learn_not(Term t, Term constant) {
  memo_.clear();
  const Term equal = terms_.pure(Op::eq, kI1, {}, std::array{t, constant});
  if (terms_.is_literal(equal)) return;
  known_[equal] = terms_.constant(kI1, 0);
  excludes_ = true;
}

bool Facts::is_none_of(Term t, uint64_t first, uint64_t count) {
  const Type type = terms_.type(t);
  const uint64_t all = low_ones(type.bits());
  if (!excludes_ || count > kLongestRange) return false;
  for (uint64_t k = 0; k < count; ++k) {
    const auto known =
        known_.find(terms_.pure(Op::eq, kI1, {}, std::array{t, terms_.constant(type, (first + k) & all)}));
    if (known == known_.end() || terms_.bits(known->second) != 0) return false;
  }
  return true;
}

// A comparison that stands for adjacent cases of a switch, `x - 3 < 5` or `4 < x - 3`, where x or what it is
// not is known.
std::optional<Term> Facts::decided_range(Term t) {
  if (terms_.op(t) != Op::ult) return std::nullopt;
  const auto sides = terms_.operands(t);
  const bool above = terms_.is_const(sides[0]);  // the values above a number, or below one
  if (above == terms_.is_const(sides[1])) return std::nullopt;
  Term x = sides[above ? 1 : 0];
  const uint64_t all = low_ones(terms_.type(x).bits()), limit = terms_.bits(sides[above ? 0 : 1]);
  uint64_t first = above ? limit + 1 : 0;
  const uint64_t count = above ? all - limit : limit;  // of the values for which it is true
  if (terms_.op(x) == Op::sub && terms_.is_const(terms_.operands(x)[1])) {
    first += terms_.bits(terms_.operands(x)[1]);
    x = terms_.operands(x)[0];
  }
  if (const auto k = known_.find(x); k != known_.end() && terms_.is_const(k->second))
    return terms_.constant(kI1, ((terms_.bits(k->second) - first) & all) < count);
  if (is_none_of(x, first, count)) return terms_.constant(kI1, 0);
  if (is_none_of(x, first + count, all - count + 1)) return terms_.constant(kI1, 1);
  return std::nullopt;
}

Term Facts::simplified(Term t, unsigned depth) {
  if (auto k = known_.find(t); k != known_.end()) return k->second;
  if (!terms_.conditional(t) || depth > kDeepest) return t;
  if (auto m = memo_.find(t); m != memo_.end()) return m->second;
  if (const auto range = decided_range(t)) return memo_[t] = *range;
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
