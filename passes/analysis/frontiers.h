// SPDX-License-Identifier: Apache-2.0
// Block priorities and thread frontiers: the order in which a warp runs blocks so that diverged work-items
// reconverge as early as possible, and where the others may wait while a block runs.
//
// The frontiers S(b) are the smallest family of sets with
//   t, u in S(b) + succ(b), t before u   =>   u in S(t)
// ("SIMD re-convergence at thread frontiers", 2011, uses one pass over divergent branches instead, which
// misses items that wait after unconditional jumps and around loops.) In priority order, the blocks whose
// frontier contains u are those from some position `since` to the last before u; so the sets are never built.
// (Where barriers decide the order, a set may contain additional blocks, at the cost of a check.)
#pragma once

#include "passes/analysis/cycles.h"

namespace kc {

/// The reachable nodes, highest priority first: reverse post-order with the nodes of every cycle adjacent.
/// `barrier[n]`: n contains a barrier. Such a node comes after every node that reaches it without passing
/// another barrier, so that all items have arrived when a warp gets there; to that end a cycle with a barrier
/// begins after the barrier.
std::vector<uint32_t> priority_order(const SuccessorLists& succs, uint32_t entry,
                                     const std::vector<bool>& barrier);

class Frontiers {
 public:
  /// `order` contains every reachable node once. Work-items may diverge at all branches, or only at those in
  /// `divergent`.
  Frontiers(const SuccessorLists& succs, std::vector<uint32_t> order,
            const std::vector<bool>& divergent = {});
  explicit Frontiers(const Function& f);

  std::vector<uint32_t> order;     // highest priority first
  std::vector<uint32_t> position;  // by node: position in the order, or kNone
  /// By node: the first position whose frontier contains the node; its own position if there is none.
  std::vector<uint32_t> since;
  /// By node: the node of highest priority in its frontier, or kNone.
  std::vector<uint32_t> top;

  /// Whether work-items may wait at `waiting` while `running` runs.
  bool waits(uint32_t waiting, uint32_t running) const {
    return since[waiting] <= position[running] && position[running] < position[waiting];
  }
  /// Whether others may wait at the target of the edge: a warp must check for them there.
  bool checks(uint32_t from, uint32_t to) const { return waits(to, from); }
  /// The nodes of b's frontier, highest priority first. Takes time linear in the nodes after b.
  std::vector<uint32_t> frontier(uint32_t b) const;
};

}  // namespace kc
