// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Keeps in values what loops load and store at one place of memory. Returns whether f changed.
bool scalar_promotion(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

/// Whether a loop stores to a place that is the same in all its iterations: without one, the pass changes
/// nothing but unreachable blocks, whatever is known of buffers.
bool has_invariant_store(const Function& f, AnalysisCache& analyses);

}  // namespace kc
