// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Computes 32-bit values of work-items in 16 bits, and 16-bit ones in 8, where all users have no more. For
/// machines with more lanes in a vector of smaller elements. Thread dialect in SSA form. Returns whether f
/// changed.
bool narrow_small(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);
bool narrow_small(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The names of these rules, as they are counted.
std::vector<std::string> narrow_small_rules();

}  // namespace kc
