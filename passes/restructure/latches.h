// SPDX-License-Identifier: Apache-2.0
// Latches of plans for `reconverge`: work-items that go back to the start of a cycle wait behind its last
// node for those that take longer. Uniformity analysis rests on that: in a cycle all are in the same round.
#pragma once

#include "passes/restructure/reconverge_plan.h"

namespace kc {

/// Which edges against the order pass a latch.
enum class LatchedEdges : uint8_t { All, ToHeaders };

/// Leads edges of the original nodes that go back in the order and stay in a cycle through latches, which
/// come behind the last node of the smallest cycle with both ends; one for each cycle and target. Gives the
/// latches.
std::vector<uint32_t> add_latches(ReconvergePlan& plan, std::vector<uint32_t>& order, const Cycles& cycles,
                                  LatchedEdges edges);

/// Takes out those at which no branch meets.
void drop_latches(ReconvergePlan& plan, const std::vector<uint32_t>& latches,
                  const std::vector<bool>& divergent);

}  // namespace kc
