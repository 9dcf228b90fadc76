// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Uses known bits and intervals of integers: comparisons with one possible result become constants,
/// redundant masks and bounds go, signed operations on non-negative numbers become unsigned. Thread dialect
/// in SSA form. Remarks list the conditions that are known. Returns whether f changed.
bool range_simplify(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);
/// The same, and counts the rules about values that applied.
bool range_simplify(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The names of these rules, as they are counted.
std::vector<std::string> range_simplify_rules();

}  // namespace kc
