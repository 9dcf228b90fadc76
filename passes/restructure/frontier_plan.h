// SPDX-License-Identifier: Apache-2.0
// Planning for `reconverge` by thread frontiers: each node where work-items may wait has a boolean (in waves
// a mask) of the items that wait there, and blocks run in the order of their priorities.
#pragma once

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// Like plan_reconvergence. In acyclic graphs a wave runs every node at most once.
ReconvergePlan plan_by_frontiers(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                 const std::vector<bool>& divergent);

}  // namespace kc
