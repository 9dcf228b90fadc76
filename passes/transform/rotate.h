// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Rotates loops that test at their header; those with divergent exits only if `divergent_exits`, because it
/// does not pay there. Returns whether f changed.
bool rotate(Function& f, AnalysisCache& analyses, bool divergent_exits = false, Remarks* remarks = nullptr);

}  // namespace kc
