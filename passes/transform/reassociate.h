// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Reorders sums, products and addresses so that uniform and loop-invariant terms are combined first. Returns
/// whether f changed.
bool reassociate(Function& f, AnalysisCache& analyses);

}  // namespace kc
