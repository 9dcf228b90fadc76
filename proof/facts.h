// SPDX-License-Identifier: Apache-2.0
// What is known on one path of the walk: terms that are constants there, because a branch was taken.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "proof/terms.h"

namespace kc::proof {

class Facts {
 public:
  explicit Facts(TermTable& terms) : terms_(terms) {}
  bool empty() const { return known_.empty(); }
  void clear() { known_.clear(), memo_.clear(), excludes_ = false; }
  /// The term is this constant from here on.
  void learn(Term t, Term constant);
  /// The value of a switch is none of its cases.
  void learn_not(Term t, Term constant);
  /// Whether the term is known to be none of so many values from the first one on.
  bool is_none_of(Term t, uint64_t first, uint64_t count);
  /// The term with all that is known put in.
  Term simplified(Term t) { return known_.empty() || terms_.is_literal(t) ? t : simplified(t, 0); }

 private:
  Term simplified(Term t, unsigned depth);
  std::optional<Term> decided_range(Term t);

  TermTable& terms_;
  std::unordered_map<Term, Term> known_, memo_;
  bool excludes_ = false;  // since learn_not
};

}  // namespace kc::proof
