// SPDX-License-Identifier: Apache-2.0
// Finds loops whose exit conditions can be re-evaluated after the loop. If one of them holds, the work-item
// left through an exit; if none holds, the driver's loop limit cut it off. The loop itself needs no extra
// code.
//
// In such a loop all exits are at the start of an iteration, before any side effect. Their conditions and all
// live-out values are computed from header parameters and loop-invariant values. Drivers keep the header
// parameters of work-items that have left. So a work-item that was cut off just before it would have left
// needs no distinction.
#pragma once

#include <vector>

#include "backends/structured/region_tree.h"

namespace kc::spirv {

using namespace structured;

struct LoopExit {
  ValueId condition;
  bool when = true;  // the condition value for which the loop is left
};

struct ExitConditions {
  std::vector<LoopExit> exits;  // empty: the conditions cannot be re-evaluated
  std::vector<InstId> slice;    // of the conditions, inside the loop, in order
};

/// For a loop region with one target.
ExitConditions askable_exits(const Function& f, const RegionTree& tree, const Region& loop);

/// Whether drivers preserve the live-out values without help: the loop has several exits to one target, and
/// for each parameter of the target at least one exit passes a header parameter or a loop-invariant value.
/// The parameters then have a phi, unless all exits pass only such values. No other value of the loop is used
/// after it.
bool exits_differ(const Function& f, const RegionTree& tree, const Region& loop);

}  // namespace kc::spirv
