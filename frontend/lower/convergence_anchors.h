// SPDX-License-Identifier: Apache-2.0
// What keeps those together who are in one round of a loop.
//
// A way out of a loop that has a convergent_operation on it (`if (c) { sub_group_any(x); break; }`) is
// outside the loop as graphs see it, and work-items that leave in later rounds would join those in front of
// it. An edge back into the loop that is never taken holds it inside.
#pragma once

#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::front {

class ConvergenceAnchors {
 public:
  /// Of a sub-group, in what is being lowered.
  void convergent_operation() { ++convergent_operations_; }
  /// The body of a loop begins whose next round begins at `next`; so many blocks were begun before.
  void enter(BlockId next, size_t blocks) {
    open_.push_back(loops_.size());
    loops_.push_back({.next = next, .convergent_operations = convergent_operations_, .first = blocks});
  }
  void leave(size_t blocks) {
    loops_[open_.back()].end = blocks;
    open_.pop_back();
  }

  /// In front of a jump that may leave loops: ends the builder's block, once for each loop around it in which
  /// somebody may have met, with an edge to the next round. Gives the blocks in which lowering went on.
  std::vector<BlockId> hold(Builder& b);
  /// Takes away the edges of those ways out that have no convergent_operation, and of jumps that leave no
  /// loop after all. `begun`: all blocks in order.
  void drop_idle(Function& f, std::span<const BlockId> begun) const;

 private:
  struct Loop {
    BlockId next;
    uint64_t convergent_operations = 0;  // in front of its body
    size_t first = 0, end = 0;           // of the blocks begun in it
  };
  struct Held {
    BlockId from;
    size_t loop;
  };
  std::vector<Loop> loops_;
  std::vector<size_t> open_;  // around what is being lowered
  std::vector<Held> held_;
  uint64_t convergent_operations_ = 0;
};

}  // namespace kc::front
