// SPDX-License-Identifier: Apache-2.0
// Decides for every block whether it is placed where its only edge comes from, behind the selection of
// its immediate dominator, or behind a loop. KnownBits only; the region builder acts on them.
#pragma once

#include <vector>

#include "ir/cfg.h"

namespace kc::structured {

class Placement {
 public:
  explicit Placement(const Function& function);
  const Function& f;
  Cfg cfg;
  DominatorTree dom;

  bool is_header(BlockId b) const { return loop_[b.index].header == b; }
  /// Whether the edge is the target's only one, so that the target is placed at its end.
  bool is_inline(BlockId from, BlockId to) const {
    return inline_[to.index] && !dom.dominates(to, from);  // a back edge to a loop entered once is not
  }
  /// Blocks with several edges whose immediate dominator is b, unless a loop owns them.
  const std::vector<BlockId>& selection_owned(BlockId b) const { return selection_owned_[b.index]; }
  /// Blocks that follow the loop of this header.
  const std::vector<BlockId>& loop_owned(BlockId header) const { return loop_owned_[header.index]; }
  /// Whether control that enters `arm`, inline behind `b`, neither reaches a selection around b nor b's own.
  bool never_returns(BlockId b, BlockId arm) const;
  /// Whether a case of the switch that ends `b` is entered by that and from the case that begins with `from`
  /// only.
  bool falls(BlockId b, BlockId from, BlockId into) const;
  /// Whether all ways out of the blocks that `b` dominates lead to the head of the innermost loop, or out of
  /// it.
  bool only_continues(BlockId b) const { return only_continues_[b.index]; }
  BlockId loop_of(BlockId b) const { return loop_[b.index].header; }
  /// The terminator's edges, those with the same block and arguments together.
  std::vector<std::vector<size_t>> edge_groups(InstId terminator) const;

 private:
  struct LoopFact {
    BlockId header;  // the block's innermost loop
    BlockId parent;  // of a header: the loop around its own
  };
  void find_loops();
  void find_owners();
  void find_escapes();
  void find_continues();
  void choose_exits(BlockId header);
  bool in_loop(BlockId header, BlockId b) const;
  /// The outermost loop that holds `from` but not `to`, or none.
  BlockId outermost_left(BlockId from, BlockId to) const;
  size_t forward_edges(BlockId b) const;

  std::vector<LoopFact> loop_;
  std::vector<char> inline_, only_continues_;
  std::vector<char> escapes_;  // some edge leaves the blocks that this block dominates
  std::vector<uint32_t> tree_size_;
  std::vector<std::vector<BlockId>> selection_owned_, loop_owned_, exit_candidates_;
  std::vector<char> leaves_further_;  // of a header: an edge from the loop to a block it does not dominate
};

}  // namespace kc::structured
