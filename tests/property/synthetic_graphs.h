// SPDX-License-Identifier: Apache-2.0
// All small unstructured acyclic graphs, and properties computed by models independent of the passes.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc::test {

/// Successors by node; node 0 is the entry, the last node the exit.
using Graph = SuccessorLists;

/// Every graph of n nodes (n >= 2) in which each node except the last has one or two different successors
/// with higher numbers, all nodes are reachable, no node is the only successor of its only predecessor, and
/// sequences, if-then and if-then-else do not reduce the graph to one node. For n = 4 to 7 there are 1, 11,
/// 119 and 1470.
std::vector<Graph> synthetic_graphs(uint32_t n);
/// Those of 4 to 7 nodes: 1601.
std::vector<Graph> all_synthetic_graphs();

/// Block executions if work-items take every path, diverge at branches and reconverge at immediate
/// post-dominators.
uint64_t ipdom_executions(const Graph& g);

/// A graph of n nodes with back edges, irreducible cycles included; every node reaches the last one.
Graph random_cyclic_graph(std::mt19937& random, uint32_t n);

/// Gives some of the branching nodes more successors.
void add_switches(std::mt19937& random, Graph& g);

/// a_i, b_i -> a_{i+1}, b_{i+1}: k levels, 2k + 2 nodes.
Graph ladder_graph(uint32_t k);

}  // namespace kc::test
