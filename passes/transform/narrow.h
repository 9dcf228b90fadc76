// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Computes 64-bit values of work-items in 32 bits where the lost bits are dead. Thread dialect in SSA form.
/// Returns whether f changed.
bool narrow(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);
/// The same, and counts the rules about operations that applied.
bool narrow(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The names of these rules, as they are counted.
std::vector<std::string> narrow_rules();

}  // namespace kc
