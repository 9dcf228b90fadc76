// SPDX-License-Identifier: Apache-2.0
// Orders in which `reconverge` can take the blocks of a graph, those of the poster "Reconverging control flow
// graphs" (Universität Mainz and AMD).
#pragma once

#include "passes/analysis/cycles.h"

namespace kc {

enum class BlockOrder : uint8_t {
  CycleContiguous,          // reverse post-order with the nodes of every cycle adjacent
  DepthFirst,               // a node, then all behind its first successor, then the rest
  DepthFirstPostDominance,  // the same, but the successor at which all meet comes behind the other sides
  BreadthFirst,             // in order of discovery, those first whose predecessors are all taken
};

/// The reachable nodes, the entry first and the one node without successors last. Every node must reach that.
std::vector<uint32_t> block_order(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  BlockOrder order);

/// Reverse post-order in which the nodes of every cycle are adjacent and its header is first.
std::vector<uint32_t> cycle_contiguous_order(const SuccessorLists& succs, uint32_t entry,
                                             const Cycles& cycles);

}  // namespace kc
