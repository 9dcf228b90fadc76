// SPDX-License-Identifier: Apache-2.0
// Orders in which `reconverge` can take the blocks of a graph, those of the poster "Reconverging control flow
// graphs" (Universität Mainz and AMD).
#pragma once

#include "passes/analysis/cycles.h"

namespace kc {

enum class BlockOrder : uint8_t {
  CycleContiguous,          // reverse post-order with the nodes of every cycle adjacent
  DepthFirst,               // a node, then everything reachable from its first successor, then the rest
  DepthFirstPostDominance,  // the same, but the reconvergence point of a branch comes after its arms
  BreadthFirst,             // in order of discovery, nodes whose predecessors are all taken first
};

/// The reachable nodes, the entry first, the one node without successors last. Every node must reach that
/// one.
std::vector<uint32_t> block_order(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  BlockOrder order);

/// Reverse post-order in which the nodes of every cycle are adjacent, its header first.
std::vector<uint32_t> cycle_contiguous_order(const SuccessorLists& succs, uint32_t entry,
                                             const Cycles& cycles);

}  // namespace kc
