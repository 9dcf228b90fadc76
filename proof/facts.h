// SPDX-License-Identifier: Apache-2.0
// What is known on one path of the walk: terms that are constants there, because a branch was taken, and the
// values that others may have.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "proof/terms.h"
#include "proof/value_set.h"

namespace kc::proof {

class Facts {
 public:
  explicit Facts(TermTable& terms) : terms_(terms) {}
  bool empty() const { return known_.empty() && possible_.empty(); }
  void clear() { known_.clear(), possible_.clear(), memo_.clear(), contradiction_ = false; }
  /// The term is this constant from here on.
  void learn(Term t, Term constant);
  /// The value of a switch is none of its cases.
  void learn_not(Term t, Term constant);
  /// The values that the term may have; null if nothing is known.
  const ValueSet* possible(Term t) const;
  /// What a comparison with constants is about; other terms are about themselves.
  Term compared(Term t) const {
    const auto range = range_of(t);
    return range ? range->of : t;
  }
  /// Whether what was learnt cannot be: no work-item comes this way.
  bool contradiction() const { return contradiction_; }
  /// The term with all that is known put in.
  Term simplified(Term t) { return empty() || terms_.is_literal(t) ? t : simplified(t, 0); }

 private:
  // A comparison that is true for `count` values from the first one on, which may pass the largest.
  struct Range {
    Term of;
    uint64_t first, count;
  };
  std::optional<Range> range_of(Term t) const;
  std::optional<bool> decided(const Range& range) const;
  void remove(const Range& range);
  Range others(const Range& range) const;
  Term simplified(Term t, unsigned depth);

  TermTable& terms_;
  std::unordered_map<Term, Term> known_, memo_;
  std::unordered_map<Term, ValueSet> possible_;
  bool contradiction_ = false;
};

}  // namespace kc::proof
