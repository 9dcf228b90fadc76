// SPDX-License-Identifier: Apache-2.0
// Thread functions with a given control-flow graph. Their runs terminate, and their result identifies the
// path taken.
#pragma once

#include "ir/function.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// kernel(out: i32 per work-item, steer: i64). Each node adds its number to a hash and counts its visits. A
/// divergent node branches on the hash and the work-item's id until the work-item's fuel is spent, then
/// towards the exit. Another node branches on its visit count and two bits of `steer` (four for a switch).
/// The visit counts are uniform wherever the graph permits. The function still has variables: run `mem2reg`
/// on it. Nodes may have any number of successors; each must have a path of increasing numbers to the last
/// node.
Function graph_function(const Graph& g, const std::vector<bool>& divergent);

/// Runs 32 work-items and returns their sums; empty if the run fails.
std::vector<uint32_t> run_graph_function(const Function& f, uint64_t steer);

}  // namespace kc::test
