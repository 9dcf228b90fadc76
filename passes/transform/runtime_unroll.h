// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Unrolls loops in which each lane reads bytes or shorts of its own (lane_walks.h), with a remainder loop.
/// For waves of several lanes, and buffers below 4 GiB. Returns whether f changed.
bool runtime_unroll(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
