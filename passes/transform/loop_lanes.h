// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// What `loop_lanes` did, of the innermost loops of a kernel.
struct LoopLanes {
  uint32_t loops = 0;  // whose iterations are lanes now
  uint32_t left = 0;   // others
  uint32_t bytes = 0;  // the largest element that the former load or store
  /// Each of the former has an access that the lanes of work-items along x would scatter.
  bool scattered = true;
  uint32_t accesses = 0;           // so many
  size_t inside = 0, outside = 0;  // instructions of the former, and all others
};

/// What `loop_lanes` would do: nothing where work-items do more than load, compute and store. The uniformity
/// is that of lanes along x.
LoopLanes find_loop_lanes(const Function& f, AnalysisCache& analyses);

/// Rewrites the kernel so that `lanes` work-items along z, which run as one wave, do together what one
/// work-item did: they share the iterations of innermost loops, and do everything else alike. That is right
/// for launches with one work-item along z, of buffers below 2 GiB that do not overlap. `lanes`: at most 64.
/// Returns what it did; the function is as it was where there are no such loops.
LoopLanes loop_lanes(Function& f, AnalysisCache& analyses, uint32_t lanes);

}  // namespace kc
