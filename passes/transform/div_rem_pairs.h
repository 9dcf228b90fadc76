// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Computes remainders from quotients of the same operands. Returns whether f changed.
bool div_rem_pairs(Function& f, AnalysisCache& analyses);
/// The same, and counts the remainders that became differences.
bool div_rem_pairs(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The names of the rules, as they are counted.
std::vector<std::string> div_rem_pairs_rules();

}  // namespace kc
