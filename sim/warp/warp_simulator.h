// SPDX-License-Identifier: Apache-2.0
// Runs a thread function on simulated SIMT hardware: warps of work-items in lockstep, under one of the
// schemes of warp_scheduler.h. Counts the costs, which docs/simulator.md defines.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/interpreter/execution_counts.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/warp/warp_scheduler.h"

namespace kc {

/// Costs of a launch.
struct WarpStatistics : ExecutionCounts {
  uint64_t warps = 0;
  uint64_t dynamic_instructions = 0;  // issued for a warp, including those without active lanes
  uint64_t active_lanes = 0;          // sum of active lanes over them
  uint64_t lane_slots = 0;            // sum of lanes of a full warp over them
  uint64_t max_stack = 0;
  uint64_t merges = 0;

  double activity_factor() const {
    return lane_slots ? static_cast<double>(active_lanes) / static_cast<double>(lane_slots) : 1;
  }
};

struct WarpRunResult : ThreadRunResult {
  WarpStatistics statistics;
};

/// A warp when a block is issued for it: the arguments of the edges into the block are in its parameters.
class WarpState {
 public:
  virtual ~WarpState() = default;
  /// Where its other lanes wait, as WarpScheduler::waiting says.
  virtual std::vector<WarpExit> waiting() const = 0;
  /// Raw bits of a value that the lane has computed, in this block or before it.
  virtual uint64_t value(uint32_t lane, ValueId value) const = 0;
};

struct WarpRunOptions {
  std::span<const MemoryRange> memory;     // every access must lie in one of these
  uint64_t max_steps = uint64_t{1} << 36;  // sum over all work-items
  const StopFlag* stop = nullptr;          // ends the launch as the limit does
  WarpScheme scheme = WarpScheme::Ipdom;
  uint32_t width = 32;  // lanes per warp; 0: the whole group
  bool rows = false;    // a warp contains work-items of one row of the group along x, as on CPUs
  /// Called when a block is issued; warps are numbered in start order.
  std::function<void(uint64_t warp, BlockId block, const LaneSet& lanes)> on_block{};
  /// The same, for who also wants to know what lanes hold and where the others wait.
  std::function<void(uint64_t warp, BlockId block, const LaneSet& lanes, const WarpState& state)> on_state{};
};

/// A function decoded once, to be run any number of times. The function must outlive it.
class WarpSimulator {
 public:
  WarpSimulator(const Function& f, BlockPriorities priorities);
  ~WarpSimulator();
  WarpSimulator(WarpSimulator&&) noexcept;

  /// The final memory equals that of the thread interpreter, unless work-items race. Warps cover consecutive
  /// linear local ids of a group, and are its sub-groups. Barriers synchronise the warps of a group. A warp
  /// of which only some lanes arrive continues with them; if its other lanes reach a barrier later, that is a
  /// divergent barrier, which is reported as a trap: hardware would wait forever.
  WarpRunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                    const WarpRunOptions& options) const;

 private:
  struct Decoded;
  std::unique_ptr<Decoded> decoded_;
};

}  // namespace kc
