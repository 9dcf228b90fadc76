// SPDX-License-Identifier: Apache-2.0
// Latches of plans for `reconverge`: work-items that go back in a cycle wait after its last node for items
// that take longer paths. Uniformity analysis relies on that: in a cycle all items are in the same iteration.
#pragma once

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// Which back edges (against the order) get a latch.
enum class LatchedEdges : uint8_t { All, ToHeaders };

/// Redirects back edges of original nodes within a cycle through latches. A latch comes after the last node
/// of the smallest cycle with both ends of the edge; there is one per cycle and target. Returns the latches.
std::vector<uint32_t> add_latches(ReconvergePlan& plan, std::vector<uint32_t>& order, const Cycles& cycles,
                                  LatchedEdges edges);

/// Removes latches at which no divergent branch reconverges.
void drop_latches(ReconvergePlan& plan, const std::vector<uint32_t>& latches,
                  const std::vector<bool>& divergent);

}  // namespace kc
