// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Replaces private objects by one variable per slot; objects without accesses are removed. With a
/// uniformity, which is that of f, an access may have an index: it becomes selections among the variables,
/// for arrays of up to 8 elements where these cost less than lanes that take turns in memory. Needs SSA form
/// so that addresses are visible. Returns whether f changed.
bool replace_aggregates(Function& f, AnalysisCache& analyses, const Uniformity* uniformity, Remarks* remarks);

}  // namespace kc
