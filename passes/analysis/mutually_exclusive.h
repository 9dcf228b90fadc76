// SPDX-License-Identifier: Apache-2.0
// Booleans proved mutually exclusive by constants on flow-block edges: no work-item has both true.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/cfg.h"

namespace kc {

class MutuallyExclusive {
 public:
  /// `flags`, by value id: parameters whose undef arguments count as false.
  MutuallyExclusive(const Function& f, const Cfg& cfg, const DominatorTree& dominators,
                    std::vector<bool> flags)
      : f_(f), cfg_(cfg), tree_(dominators), flags_(std::move(flags)) {}

  /// A boolean value, or its negation. An invalid value means false.
  struct Term {
    ValueId value;
    bool negated = false;
    auto operator<=>(const Term&) const = default;
  };
  /// Whether a and b, both defined at the point of the query, are never both true.
  bool never_both(Term a, Term b);
  /// Whether v, defined in block b or a dominator of it, is false at the end of b because of the branches
  /// that lead there.
  bool is_false_in(Term v, BlockId b);

 private:
  using Pair = std::pair<Term, Term>;
  bool prove(Term a, Term b);
  bool excluded(Term a, Term b);
  bool on_all_edges(BlockId block, Term a, Term b);
  bool ruled_out(Term t, BlockId b);
  Term plain(Term t) const;
  bool is_false(Term t) const;
  bool is_param_of(ValueId v, BlockId b) const;
  void forget();
  uint16_t& slot_of(const Pair& pair);

  const Function& f_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  std::vector<bool> flags_;
  static constexpr size_t kMaxPairs = 256, kSlots = 4 * kMaxPairs;
  std::vector<Pair> assumed_;             // assumed unless another pair fails
  std::array<uint16_t, kSlots> slots_{};  // hash table: 1 + the index of a pair, if still assumed
  size_t steps_ = 0;                      // pairs examined for one query
};

}  // namespace kc
