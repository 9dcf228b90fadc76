// SPDX-License-Identifier: Apache-2.0
// The guards before the blocks of a predicate chain, and which values of the variable arrive at each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// Positions are those of blocks in the chain; the position after the last block is the exit of the chain.
class PredicateChain {
 public:
  /// `succs`: by block, the positions of its successors. `entries`: positions of the targets of edges from
  /// outside. An edge to the same or an earlier position is a back edge; `back_targets`, if not empty, holds
  /// by block an upper bound of the position to go back to. `late`: of several back guards with one target
  /// only the last remains and serves all.
  PredicateChain(const SuccessorLists& succs, const std::vector<uint32_t>& entries,
                 const std::vector<uint32_t>& back_targets, bool late);

  /// o2: a false guard skips later guards reachable only through its block.
  void nest();
  /// o1: an edge bypasses a guard whose block none of its values selects, where only one incoming edge
  /// carries values that do.
  void skip();
  /// The one incoming edge whose values never select this block, if the values of all others do; else kNone.
  uint32_t dead_incoming(uint32_t guard) const;
  /// Redirects such an edge past the guard.
  void bypass(uint32_t edge, uint32_t guard);

  struct Guard {
    bool back = false;               // after the block: tests whether to go back
    uint32_t block = 0, low = 0;     // a back guard sends the values low..block to the guard of `low`
    std::vector<uint32_t> values{};  // values that arrive
    uint32_t incoming = 0;           // number of incoming edges that carry values
    bool from_block_only = false;    // the one incoming edge is from a block with two edges, or from outside
  };
  const std::vector<Guard>& guards() const { return guards_; }
  /// The guard where an edge of block b arrives; edges from outside arrive at `entry_guard`.
  uint32_t after_block(uint32_t b) const { return flows_[block_flow_[b]].to; }
  uint32_t entry_guard() const { return flows_[0].to; }
  /// The successor for values that the guard rejects (of a back guard: that leave the loop).
  uint32_t if_no(uint32_t guard) const { return flows_[no_flow_[guard]].to; }
  /// The successor of a back guard for values that go back.
  uint32_t if_yes(uint32_t guard) const { return flows_[yes_flow_[guard]].to; }
  /// The guard of a block.
  uint32_t guard_of(uint32_t b) const { return guard_[b]; }
  uint32_t end() const { return static_cast<uint32_t>(guards_.size()); }
  uint32_t blocks() const { return count_; }
  /// Whether analysis stopped because too many values arrive: then only the unoptimised chain is correct.
  bool unknown() const { return unknown_; }

 private:
  struct Flow {
    bool from_block = false;
    uint32_t to = 0;
    std::vector<uint32_t> values{};
    size_t edges = 0;
  };
  std::vector<uint32_t> ways_back(const SuccessorLists& succs, const std::vector<uint32_t>& back_targets,
                                  bool late) const;
  void place(const SuccessorLists& succs, const std::vector<uint32_t>& backs);
  uint32_t end_of_nest(uint32_t guard, const std::vector<uint32_t>& backs) const;
  void settle();
  void settle_again();
  void arrive();

  uint32_t count_;  // number of blocks
  std::vector<Guard> guards_;
  std::vector<Flow> flows_;  // flows from outside, then of blocks, then of guards
  std::vector<uint32_t> block_flow_, no_flow_, yes_flow_, guard_;
  bool unknown_ = false;
};

}  // namespace kc
