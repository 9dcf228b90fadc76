// SPDX-License-Identifier: Apache-2.0
// The graph side of `reconverge`: where flow nodes go and which edges pass through them. Works on plain
// graphs, knows nothing of instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

struct ReconvergePlan {
  enum Kind : uint8_t {
    Original,
    Latch,  // gathers the edges of a cycle that go back to one node
    Flow,   // sends each work-item to the first target, or on to the second successor
  };
  /// A place on an edge's way. Original edges are (node, position in succs).
  struct Node {
    Kind kind = Original;
    /// Where each edge of the node leads now. A flow node has two: the node behind it in the order, and the
    /// rest.
    NodeList succs;
    /// Where the edge of an original node led, latches in between included.
    NodeList goals;
  };
  std::vector<Node> nodes;      // original nodes first, with their numbers
  std::vector<uint32_t> order;  // reachable nodes, the entry first; latches that serve nothing are left out
  uint32_t flow_nodes = 0, latch_nodes = 0;
  bool dominators_first = true;  // the order has each node behind those that dominate it

  /// The node that follows `at` on the way of an edge to `goal`; `at` is a flow or a latch node.
  uint32_t next(uint32_t at, uint32_t goal) const {
    const Node& n = nodes[at];
    return n.kind == Latch || n.succs[0] == goal ? n.succs[0] : n.succs[1];
  }
};

/// Every node must reach the one node without successors. Nodes whose flag is set in `divergent` are branches
/// at which work-items part. In the planned graph each of them has at most two different successors, one of
/// which post-dominates it and comes later in the order.
ReconvergePlan plan_reconvergence(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  const std::vector<bool>& divergent);

}  // namespace kc
