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
  /// The term is not this constant: a case of a switch that took another way.
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
  // A comparison that is true for the values from `first` to `last` (see ValueSet), or for none.
  struct Range {
    Term of;
    uint64_t first, last;
    bool none = false;
  };
  std::optional<Range> range_of(Term t) const;
  // The same for all other values; not of one that is true for none.
  Range others(const Range& range) const;
  std::optional<bool> decided(const Range& range) const;
  void remove(const Range& range);
  Term simplified(Term t, unsigned depth);

  TermTable& terms_;
  std::unordered_map<Term, Term> known_, memo_;
  std::unordered_map<Term, ValueSet> possible_;
  bool contradiction_ = false;
};

}  // namespace kc::proof
