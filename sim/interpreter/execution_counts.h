// SPDX-License-Identifier: Apache-2.0
// Costs of a lockstep launch in blocks and memory transactions, counted by the same rules in the warp
// simulator and the wave interpreter. docs/simulator.md defines the terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kc {

struct ExecutionCounts {
  uint64_t block_executions = 0;
  uint64_t empty_executions = 0;   // those without active lanes
  uint64_t needed_executions = 0;  // per warp and block: maximal number of visits by one lane
  uint64_t memory_instructions = 0;
  uint64_t memory_transactions = 0;  // segments of 128 bytes accessed
  uint64_t address_runs = 0;         // runs of lanes with equal or consecutive addresses

  uint64_t redundant_executions() const { return block_executions - needed_executions; }
  double memory_efficiency() const {
    return memory_transactions
               ? static_cast<double>(memory_instructions) / static_cast<double>(memory_transactions)
               : 1;
  }
};

/// Number of visits of each block by the lanes of one warp.
class BlockVisits {
 public:
  BlockVisits() = default;
  BlockVisits(size_t blocks, size_t lanes) : lanes_(lanes), visits_(blocks), most_(blocks, 0) {}
  /// Counts the issue of a block; each_lane(visit) calls visit(lane) for its lanes.
  template <typename EachLane>
  void issue(uint32_t block, ExecutionCounts& counts, EachLane each_lane) {
    auto& visits = visits_[block];
    if (visits.empty()) visits.assign(lanes_, 0);
    uint32_t& most = most_[block];
    bool empty = true;
    each_lane([&](uint32_t lane) {
      empty = false;
      if (++visits[lane] > most) ++most, ++counts.needed_executions;
    });
    ++counts.block_executions;
    counts.empty_executions += empty;
  }

 private:
  size_t lanes_ = 0;
  std::vector<std::vector<uint32_t>> visits_;  // by block, then lane
  std::vector<uint32_t> most_;                 // by block: maximum over lanes
};

/// The addresses of one access, lane by lane.
class AccessCounter {
 public:
  /// Buffers start at a segment boundary, independent of their address in this process: `offset` is relative
  /// to buffer `range`.
  void lane(size_t range, uint64_t offset, uint32_t bytes);
  /// Ends one instruction; nothing is counted if no lane was active.
  void finish(ExecutionCounts& counts);

 private:
  std::vector<std::pair<size_t, uint64_t>> segments_;  // range, and number of the segment in it
  std::pair<size_t, uint64_t> before_;
  uint64_t lanes_ = 0, runs_ = 0;
};

}  // namespace kc
