// SPDX-License-Identifier: Apache-2.0
// Keeps convergent operations on loop exit paths inside the iteration they belong to.
//
// An exit path that contains a convergent operation (`if (c) { sub_group_any(x); break; }`) is outside the
// natural loop, so work-items that leave in later iterations would join those that left earlier. An anchor,
// which is an edge back into the loop that is never taken, keeps the path inside.
//
// Passes may find out that work-items which execute an operation always leave the loop after it, and remove
// the edge that was the operation's way back: `if (c) { sub_group_any(x); done = true; } ... while (!done)`.
// So each exit behind a sub-group operation has an anchor, unless every way round the loop has the operation.
#pragma once

#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::front {

class ConvergenceAnchors {
 public:
  /// Counts a convergent operation in the code being lowered: of a sub-group, or a barrier of the group.
  void convergent_operation(bool of_sub_group) {
    ++convergent_operations_;
    sub_group_operations_ += of_sub_group;
  }
  /// Starts a loop at its head, which comes next. A `continue` leads to `next`; `blocks` blocks were started
  /// before the head.
  void enter(BlockId head, BlockId next, size_t blocks) {
    open_.push_back(loops_.size());
    loops_.push_back({.head = head,
                      .next = next,
                      .convergent_operations = convergent_operations_,
                      .sub_group_operations = sub_group_operations_,
                      .first = blocks});
  }
  /// Whether an operation of a sub-group was lowered in the innermost loop.
  bool has_sub_group_operations() const {
    return loops_[open_.back()].sub_group_operations != sub_group_operations_;
  }
  void leave(size_t blocks) {
    loops_[open_.back()].end = blocks;
    open_.pop_back();
  }

  /// Called before a jump that may leave loops. Ends the builder's block with an anchor edge to the next
  /// iteration, once for each enclosing loop in which a convergent operation was lowered. Returns the new
  /// blocks; lowering continues in the last one.
  std::vector<BlockId> anchor(Builder& b);
  /// Ends the builder's block, to which the condition of the innermost loop leads when it ends, with an
  /// anchor edge to the head and one to the loop's exit.
  void anchor_condition(Builder& b, BlockId exit);
  /// Removes the anchor edges of exit paths without a convergent operation, and of jumps that leave no loop.
  /// `begun`: all blocks in order.
  void remove_unused(Function& f, std::span<const BlockId> begun) const;

 private:
  struct Loop {
    BlockId head, next;
    uint64_t convergent_operations = 0, sub_group_operations = 0;  // lowered before it
    size_t first = 0, end = 0;                                     // range of the blocks started in it
  };
  struct Anchor {
    BlockId from;
    size_t loop = 0;
    BlockId jump{};  // the block that ends with the jump; none for the end of the loop's condition
  };
  std::vector<Loop> loops_;
  std::vector<size_t> open_;  // the loops around the code being lowered
  std::vector<Anchor> anchors_;
  uint64_t convergent_operations_ = 0, sub_group_operations_ = 0;
};

}  // namespace kc::front
