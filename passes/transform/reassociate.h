// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Reorders sums, products and addresses so that uniform and loop-invariant terms are combined first. Returns
/// whether f changed.
bool reassociate(Function& f, AnalysisCache& analyses);
/// The same, and counts the trees that were reordered.
bool reassociate(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The names of the rules, one for each operation, as they are counted.
std::vector<std::string> reassociate_rules();

}  // namespace kc
