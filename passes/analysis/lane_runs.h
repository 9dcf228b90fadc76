// SPDX-License-Identifier: Apache-2.0
// Runs of memory that lanes walk along side by side, each its own: rows of a matrix, one for each work-item.
//
//   for (k = 0; k < n; k++) sum += a[id * n + k] * b[k];       a: one run for each lane;  b: one for all
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// For most_lanes_for_runs: there are no such runs.
inline constexpr unsigned kAnyLanes = 64;

/// How many lanes a wave should have at most because a loop reads or writes such runs. Their distance from
/// lane to lane is at least half a kilobyte, or unknown. A wave then keeps a cache line for each lane, and
/// lines whose distance is a power of two compete for the few places of one set (8 to 16 in first-level
/// caches). Not where loads move on by less than a word from iteration to iteration, and use a line for
/// long. Nor where lanes leave the loop one by one and a load said where their runs start. Nor where an
/// address depends on what the loop computed before, as in a hash by table: there the latency of the loads
/// counts, which more lanes hide. Nor where the loop computes much for each access, or has another loop
/// inside. Needs thread IR in SSA form.
unsigned most_lanes_for_runs(const Function& thread, AnalysisCache& analyses);

}  // namespace kc
