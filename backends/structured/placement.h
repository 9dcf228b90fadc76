// SPDX-License-Identifier: Apache-2.0
// Decides the placement of every block: inline at its only incoming edge, after the selection of its
// immediate dominator, or after a loop. Analysis only; the region builder acts on the result. Of reducible
// graphs, whose cycles are natural loops.
#pragma once

#include <vector>

#include "passes/analysis/cycles.h"

namespace kc::structured {

class Placement {
 public:
  explicit Placement(const Function& function);
  const Function& f;
  Cfg cfg;
  DominatorTree dom;
  Cycles loops;

  bool is_header(BlockId b) const { return loop_of(b) == b; }
  /// Whether this is the target's only edge, so that the target is placed at its end.
  bool is_inline(BlockId from, BlockId to) const {
    // excludes the back edge of a loop with a single entry edge
    return inline_[to.index] && !dom.dominates(to, from);
  }
  /// Blocks with several incoming edges whose immediate dominator is b, unless a loop owns them.
  const std::vector<BlockId>& selection_owned(BlockId b) const { return selection_owned_[b.index]; }
  /// Blocks placed after the loop of this header.
  const std::vector<BlockId>& loop_owned(BlockId header) const { return loop_owned_[header.index]; }
  /// Whether control that enters `arm`, inline after `b`, reaches neither an enclosing selection nor b's own.
  bool never_returns(BlockId b, BlockId arm) const;
  /// The block that begins a case of the switch at the end of `b`, if `into`, which begins another one, is
  /// entered only from the switch and by fall-through from that case; otherwise none.
  BlockId falls_into(BlockId b, BlockId into) const;
  /// Whether all edges out of the blocks dominated by `b` lead to the header of the innermost loop, or leave
  /// it.
  bool only_continues(BlockId b) const { return only_continues_[b.index]; }
  /// The header of the innermost loop, or none.
  BlockId loop_of(BlockId b) const { return header_of(loops.innermost[b.index]); }
  /// The edges of a block, grouped by identical block and arguments.
  const std::vector<std::vector<size_t>>& edge_groups(BlockId b) const { return groups_[b.index]; }

 private:
  BlockId header_of(uint32_t loop) const {
    return loop == kNone ? BlockId() : BlockId(loops.cycles[loop].header);
  }
  void find_owners();
  void find_escapes();
  void find_continues();
  void choose_exits(BlockId header);
  /// The header of the outermost loop that contains `from` but not `to`, or none.
  BlockId outermost_left(BlockId from, BlockId to) const {
    return header_of(loops.largest_between(from.index, to.index));
  }
  void group_edges();

  std::vector<std::vector<std::vector<size_t>>> groups_;
  std::vector<uint32_t> forward_edges_;  // into a block, identical ones once
  std::vector<char> inline_, only_continues_;
  std::vector<char> escapes_;  // some edge leaves the blocks dominated by this block
  std::vector<uint32_t> tree_size_;
  std::vector<std::vector<BlockId>> selection_owned_, loop_owned_, exit_candidates_;
  // of a header: an edge of the loop leads to a block that the header does not dominate
  std::vector<char> leaves_further_;
};

}  // namespace kc::structured
