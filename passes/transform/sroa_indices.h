// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Replaces arrays of up to 8 elements by variables that are accessed at indices, of which some differ
/// between lanes, where selections among the elements cost less than lanes that take turns in memory. Needs
/// SSA form; run `mem2reg` afterwards. Returns whether f changed.
bool sroa_indices(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
