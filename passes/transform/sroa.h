// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Replaces private objects whose accesses all have constant offsets in disjoint slots by one variable per
/// slot; objects without accesses are removed. Needs SSA form so that addresses are visible; run `mem2reg`
/// afterwards. Returns whether f changed.
bool sroa(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
