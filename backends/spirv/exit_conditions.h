// SPDX-License-Identifier: Apache-2.0
// Loops whose exits can be asked again behind them: who came out says by the same conditions that he left,
// and was not taken out by a driver that cuts loops. Nothing has to be done for that in the loop.
//
// In such a loop the exits stand in a row at the start of a round, in front of everything that others see.
// Their conditions are made of what the loop's head takes and of what does not change in the loop, and so is
// all that leaves it. Drivers keep what a head takes for those who have left; so it does not matter whether
// somebody left or was cut who would have left next.
#pragma once

#include <vector>

#include "backends/structured/region_tree.h"

namespace kc::spirv {

using namespace structured;

struct LoopExit {
  ValueId condition;
  bool when = true;  // it leaves
};

struct ExitConditions {
  std::vector<LoopExit> exits;  // none: the loop cannot be asked
  std::vector<InstId> slice;    // of the conditions, inside the loop, in order
};

/// Of a loop region with one target.
ExitConditions askable_exits(const Function& f, const RegionTree& tree, const Region& loop);

/// Whether drivers keep by themselves what leaves the loop: it has several exits to one target, and each of
/// its parameters gets from one of them what the loop's head takes or what does not change in the loop. So
/// they have a phi, unless all exits bring just that. Nothing else is used behind the loop.
bool exits_differ(const Function& f, const RegionTree& tree, const Region& loop);

}  // namespace kc::spirv
