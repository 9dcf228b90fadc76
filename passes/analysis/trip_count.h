// SPDX-License-Identifier: Apache-2.0
// How often a loop goes round, found by running what its exit depends on.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc {

/// The exit that a loop certainly takes, and in which round, counted from 0.
struct TripCount {
  BlockId exit;        // the block with the branch
  size_t leaving = 0;  // which of its targets leaves
  uint32_t rounds = 0;
};

/// Evaluates instructions of one reducible cycle round by round, as far as they depend on constants only.
class RoundEvaluator {
 public:
  RoundEvaluator(const Function& function, const Cfg& cfg, const Cycles& cycles, uint32_t cycle);
  /// The value in the current round, when it is known.
  std::optional<uint64_t> value(ValueId v) { return value(v, kMaxDepth); }
  void next_round();

 private:
  static constexpr int kMaxDepth = 32;
  std::optional<uint64_t> value(ValueId v, int depth);

  const Function& f;
  const Cycles& cycles_;
  uint32_t cycle_;
  BlockId header_;
  std::vector<const Target*> latches_;
  std::vector<std::optional<uint64_t>> params_;  // of the header
  std::unordered_map<uint32_t, std::optional<uint64_t>> known_;
};

/// Finds an exit that is taken after at most `most` rounds.
std::optional<TripCount> find_trip_count(const Function& f, const Cfg& cfg, const DominatorTree& tree,
                                         const Cycles& cycles, uint32_t cycle, uint32_t most);

}  // namespace kc
