// SPDX-License-Identifier: Apache-2.0
// Trip counts of loops, found by evaluating their exit conditions.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc {

/// The exit that a loop certainly takes, and its iteration, counted from 0.
struct TripCount {
  BlockId exit;        // the block with the exit branch
  size_t leaving = 0;  // index of the exit target
  uint32_t rounds = 0;
};

/// Evaluates the instructions of one reducible cycle, iteration by iteration, that depend on constants only.
class RoundEvaluator {
 public:
  RoundEvaluator(const Function& function, const Cfg& cfg, const Cycles& cycles, uint32_t cycle);
  /// The value in the current iteration, if known.
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

/// Finds an exit that is taken after at most `most` iterations.
std::optional<TripCount> find_trip_count(const Function& f, const Cfg& cfg, const DominatorTree& tree,
                                         const Cycles& cycles, uint32_t cycle, uint32_t most);

}  // namespace kc
