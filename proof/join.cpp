// SPDX-License-Identifier: Apache-2.0
#include "proof/join.h"

#include <vector>

namespace kc::proof {
namespace {

constexpr unsigned kDeepestJoin = 100;

uint64_t pair_of(Term a, Term b) { return uint64_t{a} << 32 | b; }

}  // namespace

Term Join::of(Term was, Term incoming) {
  // A choice has its condition without negations, so that is what must be known.
  bool was_positive = true, incoming_positive = true;
  const Term was_base = terms_.base(was, was_positive),
             incoming_base = terms_.base(incoming, incoming_positive);
  if (!was_positive && !incoming_positive) return terms_.negated(of(was_base, incoming_base));
  const auto [at, fresh] = classes_.try_emplace(pair_of(was, incoming), kNone);
  if (!fresh) return at->second;
  Term now = kept(was, incoming, 0);
  if (now == kNone)
    now =
        own(was) && continued_.try_emplace(was, incoming).second ? was : terms_.fresh(terms_.type(was), tag_);
  classes_[pair_of(was, incoming)] = now;
  return now;
}

// A term that both have without a new join, or kNone.
Term Join::kept(Term was, Term incoming, unsigned depth) {
  if (depth > 0)
    if (auto c = classes_.find(pair_of(was, incoming)); c != classes_.end() && c->second != kNone)
      return c->second;
  if (was == incoming && !has_own(was, depth)) return was;
  if (!terms_.same_operation(was, incoming) || depth > kDeepestJoin) return kNone;
  if (auto m = memo_.find(pair_of(was, incoming)); m != memo_.end()) return m->second;
  std::vector<Term> operands;
  for (size_t i = 0; i < terms_.operands(was).size(); ++i) {
    operands.push_back(kept(terms_.operands(was)[i], terms_.operands(incoming)[i], depth + 1));
    if (operands.back() == kNone) return memo_[pair_of(was, incoming)] = kNone;
  }
  return memo_[pair_of(was, incoming)] = terms_.with_operands(was, operands);
}

// Joins of this state stand for other values at the next visit. Too deep to see counts as yes.
bool Join::has_own(Term t, unsigned depth) {
  if (!terms_.may_have_tag(t, tag_)) return false;
  if (own(t) || depth > kDeepestJoin) return true;
  if (auto known = own_.find(t); known != own_.end()) return known->second;
  bool has = false;
  for (size_t i = 0; i < terms_.operands(t).size() && !has; ++i)
    has = has_own(terms_.operands(t)[i], depth + 1);
  return own_[t] = has;
}

}  // namespace kc::proof
