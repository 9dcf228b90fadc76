// SPDX-License-Identifier: Apache-2.0
// The guards in front of blocks in a row, and which values of the variable arrive at each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// Positions are those of blocks in the row; the position behind the last is where everybody goes at the end.
class PredicateChain {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;

  /// `succs` by block: positions of its successors. `entries`: where those go who come from outside.
  /// An edge to the same or an earlier position leads back; `back_targets`, if not empty, says how far at
  /// least. `late`: of those that lead back equally far only the last has a back guard, for all.
  PredicateChain(const SuccessorLists& succs, const std::vector<uint32_t>& entries,
                 const std::vector<uint32_t>& back_targets, bool late);

  /// Who is not let in at a guard goes past those behind it that only its block leads to.
  void nest();
  /// Who cannot want the block at a guard goes past it, where one way in only brings those who do.
  void skip();
  /// A way to the guard that brings nobody who wants its block, if all others do; else kNone.
  uint32_t dead_incoming(uint32_t guard) const;
  /// Leads such a way past the guard.
  void bypass(uint32_t way, uint32_t guard);

  struct Guard {
    bool back = false;               // asks whether to go round, behind the block
    uint32_t block = 0, low = 0;     // a back guard leads values low..block to the guard of `low`
    std::vector<uint32_t> values{};  // that arrive
    uint32_t ways_in = 0;            // from which something arrives
    bool from_block_only = false;    // the one way in is from a block with two edges, or from outside
  };
  const std::vector<Guard>& guards() const { return guards_; }
  /// The guard where an edge of block b arrives; those from outside arrive at `entry_guard`.
  uint32_t after_block(uint32_t b) const { return flows_[block_flow_[b]].to; }
  uint32_t entry_guard() const { return flows_[0].to; }
  /// Where those go for whom a guard answers no (for a back guard: who goes on).
  uint32_t if_no(uint32_t guard) const { return flows_[no_flow_[guard]].to; }
  /// Where a back guard leads those for whom it answers yes.
  uint32_t if_yes(uint32_t guard) const { return flows_[yes_flow_[guard]].to; }
  /// The guard of a block.
  uint32_t guard_of(uint32_t b) const { return guard_[b]; }
  uint32_t end() const { return static_cast<uint32_t>(guards_.size()); }
  uint32_t blocks() const { return count_; }
  /// Whether so many values would arrive that nobody looked: then only the plain row is right.
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

  uint32_t count_;  // of blocks
  std::vector<Guard> guards_;
  std::vector<Flow> flows_;  // from outside, of blocks, of guards
  std::vector<uint32_t> block_flow_, no_flow_, yes_flow_, guard_;
  bool unknown_ = false;
};

}  // namespace kc
