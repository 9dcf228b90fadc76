// SPDX-License-Identifier: Apache-2.0
// Analyses of the control-flow graph, computed on request and never stored in the IR.
#pragma once

#include <vector>

#include "ir/function.h"
#include "ir/lists.h"

namespace kc {

struct Cfg {
  explicit Cfg(const Function& f);
  /// Indexed by block id. A block appears once for each edge from it.
  Lists<BlockId> preds;
  /// Blocks reachable from the entry, in reverse post-order.
  std::vector<BlockId> rpo;
  /// Position in rpo by block id, or kUnreached.
  std::vector<uint32_t> number;
  static constexpr uint32_t kUnreached = 0xffffffffu;
  bool reachable(BlockId b) const { return number[b.index] != kUnreached; }
};

/// Calls visit(p, target) once for every edge into b, until it returns false. Returns whether it never did.
template <typename Visit>
bool every_edge_into(const Function& f, const Cfg& cfg, BlockId b, Visit visit) {
  BlockId last;
  for (BlockId p : cfg.preds[b.index]) {
    if (p == last) continue;  // the edges of a block are consecutive
    last = p;
    for (const Target& t : f.successors(p))
      if (t.block == b && !visit(p, t)) return false;
  }
  return true;
}

/// Immediate dominators (semidominators, then nearest common ancestors), with intervals for `dominates` in
/// constant time.
struct DominatorTree {
  DominatorTree(const Function& f, const Cfg& cfg);
  std::vector<BlockId> idom;  // by block id; invalid for the entry and for unreachable blocks
  Lists<BlockId> children;
  bool dominates(BlockId a, BlockId b) const {
    return in_[a.index] <= in_[b.index] && out_[b.index] <= out_[a.index];
  }
  /// The nearest block that dominates both.
  BlockId nearest_common(BlockId a, BlockId b) const {
    while (!dominates(a, b)) a = idom[a.index];
    return a;
  }
  /// Sorts blocks so that each comes directly before all that it dominates.
  uint32_t order(BlockId b) const { return in_[b.index]; }

 private:
  std::vector<uint32_t> in_, out_;
};

/// Immediate post-dominators in the graph with one virtual exit after all blocks without successors. One
/// block of each endless cycle gets an edge to the virtual exit.
struct PostDominatorTree {
  PostDominatorTree(const Function& f, const Cfg& cfg);
  std::vector<BlockId> ipdom;  // by block id; invalid if only the virtual exit post-dominates
  bool post_dominates(BlockId a, BlockId b) const {
    return in_[a.index] <= in_[b.index] && out_[b.index] <= out_[a.index];
  }

 private:
  std::vector<uint32_t> in_, out_;
};

}  // namespace kc
