// SPDX-License-Identifier: Apache-2.0
// Keeps convergent operations on loop exit paths inside the iteration they belong to.
//
// An exit path that contains a convergent operation (`if (c) { sub_group_any(x); break; }`) is outside the
// natural loop, so work-items that leave in later iterations would join those that left earlier. An anchor,
// which is an edge back into the loop that is never taken, keeps the path inside.
#pragma once

#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::front {

class ConvergenceAnchors {
 public:
  /// Counts a convergent operation of a sub-group in the code being lowered.
  void convergent_operation() { ++convergent_operations_; }
  /// Starts a loop body. The next iteration begins at `next`; `blocks` blocks were started before the body.
  void enter(BlockId next, size_t blocks) {
    open_.push_back(loops_.size());
    loops_.push_back({.next = next, .convergent_operations = convergent_operations_, .first = blocks});
  }
  void leave(size_t blocks) {
    loops_[open_.back()].end = blocks;
    open_.pop_back();
  }

  /// Called before a jump that may leave loops. Ends the builder's block with an anchor edge to the next
  /// iteration, once for each enclosing loop in which a convergent operation was lowered. Returns the new
  /// blocks; lowering continues in the last one.
  std::vector<BlockId> anchor(Builder& b);
  /// Removes the anchor edges of exit paths without a convergent operation, and of jumps that leave no loop.
  /// `begun`: all blocks in order.
  void remove_unused(Function& f, std::span<const BlockId> begun) const;

 private:
  struct Loop {
    BlockId next;
    uint64_t convergent_operations = 0;  // lowered before its body
    size_t first = 0, end = 0;           // range of the blocks started in it
  };
  struct Anchor {
    BlockId from;
    size_t loop;
  };
  std::vector<Loop> loops_;
  std::vector<size_t> open_;  // the loops around the code being lowered
  std::vector<Anchor> anchors_;
  uint64_t convergent_operations_ = 0;
};

}  // namespace kc::front
