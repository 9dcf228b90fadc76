// SPDX-License-Identifier: Apache-2.0
#include "proof/facts.h"

#include <array>
#include <vector>

namespace kc::proof {
namespace {

// Deeper terms are left as they are; the recursion stays within the stack.
constexpr unsigned kDeepest = 500;

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
  if (!terms_.is_literal(equal)) known_[equal] = terms_.constant(kI1, 0);
}

Term Facts::simplified(Term t, unsigned depth) {
  if (auto k = known_.find(t); k != known_.end()) return k->second;
  if (!terms_.conditional(t) || depth > kDeepest) return t;
  if (auto m = memo_.find(t); m != memo_.end()) return m->second;
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
