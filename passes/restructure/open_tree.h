// SPDX-License-Identifier: Apache-2.0
// The second planner of `reconverge`: the OpenTree of the poster "Reconverging control flow graphs"
// (Universität Mainz and AMD), for any order of the nodes.
#pragma once

#include <optional>

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// The branches without a later reconvergence point: both successors come earlier in the order, and no latch
/// after a cycle replaces one. Such a node must be divided: the branch moves to a node of its own at the
/// front of the order.
std::vector<uint32_t> branches_backward(const SuccessorLists& succs, const Cycles& cycles,
                                        const std::vector<uint32_t>& order,
                                        const std::vector<bool>& divergent);

/// Like plan_reconvergence, with nodes taken in this order; it holds every reachable node once and ends with
/// the exit. The cycles may lack nodes that were divided. Some orders of some graphs give plans without the
/// property: check the result. Nothing if the tree takes too much work.
std::optional<ReconvergePlan> plan_by_open_tree(const SuccessorLists& succs, uint32_t entry,
                                                const Cycles& cycles, std::vector<uint32_t> order,
                                                const std::vector<bool>& divergent);

}  // namespace kc
