// SPDX-License-Identifier: Apache-2.0
// Planning for `reconverge` by thread frontiers: wherever work-items may wait while others run, there is a
// boolean, in waves a mask, of those who wait there, and the blocks are passed in the order of their
// priorities.
#pragma once

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// Like plan_reconvergence. In graphs without cycles a wave runs every node at most once.
ReconvergePlan plan_by_frontiers(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                 const std::vector<bool>& divergent);

}  // namespace kc
