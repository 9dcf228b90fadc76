// SPDX-License-Identifier: Apache-2.0
// Runs a thread function as the hardware of the literature does: warps of work-items in lockstep, under one
// of the schemes of warp_scheduler.h, and counts what that costs. docs/simulator.md says what is counted.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/thread_interpreter.h"
#include "sim/warp_scheduler.h"

namespace kc {

/// What a launch cost.
struct WarpStatistics {
  uint64_t warps = 0;
  uint64_t dynamic_instructions = 0;  // issued for a warp, those for no lane included
  uint64_t active_lanes = 0;          // lanes that they were for, summed
  uint64_t lane_slots = 0;            // lanes of a full warp, summed
  uint64_t block_executions = 0;
  uint64_t empty_executions = 0;   // of them, for no lane
  uint64_t needed_executions = 0;  // for each warp and block: visits of the lane that visits it most often
  uint64_t memory_instructions = 0;
  uint64_t memory_transactions = 0;  // segments of 128 bytes that they touched
  uint64_t address_runs = 0;         // runs of lanes with equal or consecutive addresses
  uint64_t max_stack = 0;
  uint64_t merges = 0;

  uint64_t redundant_executions() const { return block_executions - needed_executions; }
  double activity_factor() const {
    return lane_slots ? static_cast<double>(active_lanes) / static_cast<double>(lane_slots) : 1;
  }
  double memory_efficiency() const {
    return memory_transactions
               ? static_cast<double>(memory_instructions) / static_cast<double>(memory_transactions)
               : 1;
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
  /// local ids of a group. At a barrier the group's warps meet; a warp of which only some lanes arrive goes
  /// on with them, but when others of its lanes come to a barrier later, that is a divergent barrier, which
  /// is reported as a trap: the machines would wait for ever.
  WarpRunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                    const WarpRunOptions& options) const;

 private:
  struct Decoded;
  std::unique_ptr<Decoded> decoded_;
};

}  // namespace kc
