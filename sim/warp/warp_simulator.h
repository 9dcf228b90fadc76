// SPDX-License-Identifier: Apache-2.0
// Runs a thread function as the hardware of the literature does: warps of work-items in lockstep, under one
// of the schemes of warp_scheduler.h, and counts what that costs. docs/simulator.md says what is counted.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/interpreter/execution_counts.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/warp/warp_scheduler.h"

namespace kc {

/// What a launch cost.
struct WarpStatistics : ExecutionCounts {
  uint64_t warps = 0;
  uint64_t dynamic_instructions = 0;  // issued for a warp, those for no lane included
  uint64_t active_lanes = 0;          // lanes that they were for, summed
  uint64_t lane_slots = 0;            // lanes of a full warp, summed
  uint64_t max_stack = 0;
  uint64_t merges = 0;

  double activity_factor() const {
    return lane_slots ? static_cast<double>(active_lanes) / static_cast<double>(lane_slots) : 1;
  }
};

struct WarpRunResult : ThreadRunResult {
  WarpStatistics statistics;
};

struct WarpRunOptions {
  std::span<const MemoryRange> memory;     // every access must lie in one of these
  uint64_t max_steps = uint64_t{1} << 36;  // of all work-items together
  WarpScheme scheme = WarpScheme::Ipdom;
  uint32_t width = 32;  // lanes of a warp; 0: all of the group
  bool rows = false;    // a warp has work-items of one row of the group along x, as on CPUs
  /// Called when a block is issued; warps are numbered in the order in which they start.
  std::function<void(uint64_t warp, BlockId block, const LaneSet& lanes)> on_block;
};

/// A function decoded once, to be run any number of times. The function must outlive it.
class WarpSimulator {
 public:
  WarpSimulator(const Function& f, BlockPriorities priorities);
  ~WarpSimulator();
  WarpSimulator(WarpSimulator&&) noexcept;

  /// Memory is afterwards as the thread interpreter leaves it, unless work-items race. Warps cover the linear
  /// local ids of a group, and are its sub-groups. At a barrier the group's warps meet; a warp of which only
  /// some lanes arrive goes on with them, but when others of its lanes come to a barrier later, that is a
  /// divergent barrier, which is reported as a trap: the machines would wait for ever.
  WarpRunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                    const WarpRunOptions& options) const;

 private:
  struct Decoded;
  std::unique_ptr<Decoded> decoded_;
};

}  // namespace kc
