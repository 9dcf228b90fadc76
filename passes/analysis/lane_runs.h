// SPDX-License-Identifier: Apache-2.0
// Runs of memory that lanes walk along side by side, each its own: rows of a matrix, one for each work-item.
//
//   for (k = 0; k < n; k++) sum += a[id * n + k] * b[k];       a: one run for each lane;  b: one for all
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Whether a loop that all lanes leave together reads such runs whose distance from lane to lane is at least
/// half a kilobyte, or unknown. A wave then keeps a cache line for each lane, and lines whose distance is a
/// power of two compete for the few places of one set (8 to 16 in first-level caches). Needs thread IR in SSA
/// form.
bool reads_runs_of_lanes(const Function& thread, AnalysisCache& analyses);

}  // namespace kc
