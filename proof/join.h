// SPDX-License-Identifier: Apache-2.0
// What remains of the terms of a state's values when another path leads to it.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "proof/terms.h"

namespace kc::proof {

/// One meeting of the terms that a state has with those of a path. Values that have equal terms on both sides
/// have equal terms afterwards:
///
///   state    path             after
///   x        x                x, unless it comes from an earlier visit of this state
///   a        b                j, a join of this state: the same for all values with a and b
///   add a 1  add b 1          add j 1
class Join {
 public:
  /// `tag`: of fresh terms that are joins of this state.
  Join(TermTable& terms, uint64_t tag) : terms_(terms), tag_(tag) {}
  /// Values must come in an order in which operands precede what is made of them.
  Term of(Term was, Term incoming);

 private:
  Term kept(Term was, Term incoming, unsigned depth);
  bool has_own(Term t, unsigned depth);
  bool own(Term t) const { return terms_.tag(t) == tag_; }

  TermTable& terms_;
  uint64_t tag_;
  std::unordered_map<uint64_t, Term> classes_;  // by both terms: of values
  std::unordered_map<uint64_t, Term> memo_;     // and of their operands; kNone: nothing is known
  std::unordered_map<Term, bool> own_;          // whether a term has a join of this state in it
  std::unordered_map<Term, Term> continued_;    // joins of this state, with what they go on
};

}  // namespace kc::proof
