// SPDX-License-Identifier: Apache-2.0
// The other way of planning for `reconverge`: the OpenTree of the poster "Reconverging control flow graphs"
// (Universität Mainz and AMD), for any order of the nodes.
#pragma once

#include <optional>

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// The branches for which there is no meeting point behind them, because both their successors come earlier
/// in the order and no latch behind a cycle stands for one. Such a node must be divided: the branch goes to a
/// node of its own, which stands at the front of the order.
std::vector<uint32_t> branches_backward(const SuccessorLists& succs, const Cycles& cycles,
                                        const std::vector<uint32_t>& order,
                                        const std::vector<bool>& divergent);

/// Like plan_reconvergence, with nodes taken in this order, which holds every reachable node once and ends
/// with the exit. The cycles need not know nodes that were divided. Not every order gives every graph the
/// property: it must be checked. Nothing when the tree takes more work than is reasonable.
std::optional<ReconvergePlan> plan_by_open_tree(const SuccessorLists& succs, uint32_t entry,
                                                const Cycles& cycles, std::vector<uint32_t> order,
                                                const std::vector<bool>& divergent);

}  // namespace kc
