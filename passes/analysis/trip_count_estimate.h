// SPDX-License-Identifier: Apache-2.0
// How often loops iterate, where constants tell it. Estimates ask; nothing is changed by the answer.
//
//   for (int i = 0; i < 25; i++)                25
//   for (int i = start; i < 25; i++)            12.5, as if all starts were equally frequent; 25 at most
//   for (int k = 0; k < 32 && k < n; k++)       32, but something else may end the loop earlier
#pragma once

#include <optional>

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/cycles.h"

namespace kc {

struct TripCountEstimate {
  double iterations = 0, most = 0;
  bool ends_earlier = true;  // or may, for another reason
};

/// The least limit that a comparison of a counter of the cycle with a constant gives, of those that every
/// iteration comes to; none if there is none.
std::optional<TripCountEstimate> estimate_trip_count(const Function& thread, const Cfg& cfg,
                                                     const DominatorTree& tree, const Cycles& cycles,
                                                     uint32_t cycle);

}  // namespace kc
