// SPDX-License-Identifier: Apache-2.0
// Block priorities and thread frontiers: in which order a warp runs blocks so that work-items which part meet
// again as early as they can, and where the others may wait while a block runs.
//
// The frontier of a block is the smallest family of sets with
//   t, u in S(b) + succ(b), t before u   =>   u in S(t)
// ("SIMD re-convergence at thread frontiers", 2011, has one pass over divergent branches in its place, which
// loses those who wait behind unconditional jumps and around loops.) In priority order the blocks whose
// frontier holds u are those from some block, `since`, to the last one before u; so the sets are never built.
// (Where barriers decide the order a set may hold a block more than that, which costs a look.)
#pragma once

#include "passes/analysis/cycles.h"

namespace kc {

/// The reachable nodes, highest priority first: reverse post-order with the nodes of every cycle adjacent.
/// `barrier[n]`: work-items of a group meet in n. Such a node comes after every node from which it can be
/// reached without passing another meeting, so that nobody is left behind when a warp gets there; for that,
/// cycles with a barrier begin behind it.
std::vector<uint32_t> priority_order(const SuccessorLists& succs, uint32_t entry,
                                     const std::vector<bool>& barrier);

class Frontiers {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;
  /// `order` holds every reachable node once. Work-items may part at all branches, or at those that are
  /// `divergent`.
  Frontiers(const SuccessorLists& succs, std::vector<uint32_t> order,
            const std::vector<bool>& divergent = {});
  explicit Frontiers(const Function& f);

  std::vector<uint32_t> order;     // highest priority first
  std::vector<uint32_t> position;  // by node: place in the order, or kNone
  /// By node: the first place in the order whose frontier holds the node; its own place when none does.
  std::vector<uint32_t> since;
  /// By node: the one of highest priority in its frontier, or kNone.
  std::vector<uint32_t> top;

  /// Whether work-items may wait at `waiting` while `running` runs.
  bool waits(uint32_t waiting, uint32_t running) const {
    return since[waiting] <= position[running] && position[running] < position[waiting];
  }
  /// Whether the edge leads to where others may wait: there a warp must look for them.
  bool checks(uint32_t from, uint32_t to) const { return waits(to, from); }
  /// The nodes of b's frontier, highest priority first. Looks at all nodes behind b.
  std::vector<uint32_t> frontier(uint32_t b) const;
};

}  // namespace kc
