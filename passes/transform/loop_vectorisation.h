// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// The innermost loops of a kernel: those that can be vectorised, and others.
struct VectorisableLoops {
  uint32_t loops = 0, others = 0;
  uint32_t bytes = 0;              // of the largest element that the former load or store
  uint32_t scattered = 0;          // their accesses that would be scattered if lanes were work-items along x
  bool all_scatter = true;         // each of them has such an access
  size_t inside = 0, outside = 0;  // instructions of the former, and all others
};

/// None where work-items do more than load, compute and store. The uniformity is that of lanes along x.
VectorisableLoops find_vectorisable_loops(const Function& f, AnalysisCache& analyses);

/// Rewrites the kernel so that `lanes` work-items along z, which run as one wave, do together what one
/// work-item did: they share the iterations of innermost loops, and do everything else alike. That is right
/// for launches with one work-item along z, of buffers below 2 GiB that do not overlap. `lanes`: at most 64.
/// Returns what it did; the function is as it was where there are no such loops.
VectorisableLoops vectorise_loops(Function& f, AnalysisCache& analyses, uint32_t lanes);

}  // namespace kc
