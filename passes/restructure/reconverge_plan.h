// SPDX-License-Identifier: Apache-2.0
// The graph part of `reconverge`: where flow nodes go and which edges pass them. Works on plain graphs,
// without instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

struct ReconvergePlan {
  enum Kind : uint8_t {
    Original,
    Latch,  // merges the edges of a cycle that go back to one node
    Flow,   // sends each work-item to the first successor or on to the second
  };
  /// A step on an edge's path. Original edges are (node, index in succs).
  struct Node {
    Kind kind = Original;
    /// Where each edge of the node leads now. A flow node has two: to the node after it in the order, and to
    /// the next stop.
    NodeList succs;
    /// The original target of each edge of an original node, latches on the path included.
    NodeList goals;
  };
  std::vector<Node> nodes;      // original nodes first, with their numbers
  std::vector<uint32_t> order;  // reachable nodes, the entry first; useless latches are absent
  uint32_t flow_nodes = 0, latch_nodes = 0;
  bool dominators_first = true;  // in the order each node comes after its dominators

  /// The node that follows `at` on the path of an edge to `goal`; `at` is a flow node or a latch.
  uint32_t next(uint32_t at, uint32_t goal) const {
    const Node& n = nodes[at];
    return n.kind == Latch || n.succs[0] == goal ? n.succs[0] : n.succs[1];
  }
};

/// Every node must reach the one node without successors. `divergent`: the nodes that end in divergent
/// branches. In the planned graph each of them has at most two different successors, one of which
/// post-dominates it and comes later in the order.
ReconvergePlan plan_reconvergence(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  const std::vector<bool>& divergent);

}  // namespace kc
