// SPDX-License-Identifier: Apache-2.0
// Thread functions with a given control-flow graph whose runs end and tell which way they went.
#pragma once

#include "ir/function.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// kernel(out: i32 per work-item, steer: i64). Each node folds its number into a sum and counts its visits. A
/// divergent node branches on the sum and the work-item's id until the work-item's fuel is spent, then
/// towards the exit. Another node branches on its visit count and two bits of `steer` (four where it is a
/// switch). The visit counts are uniform wherever the graph allows it. The function still has variables: run
/// `mem2reg` on it. Nodes may have any number of successors; each must have a path to the last node by rising
/// numbers.
Function graph_function(const Graph& g, const std::vector<bool>& divergent);

/// Runs 32 work-items and gives their sums; empty when the run fails.
std::vector<uint32_t> run_graph_function(const Function& f, uint64_t steer);

}  // namespace kc::test
