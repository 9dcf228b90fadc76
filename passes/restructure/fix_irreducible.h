// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Makes the graph reducible: every loop gets a single entry. Needs SSA form and no `trap`. Returns whether f
/// changed.
bool fix_irreducible(Function& f, AnalysisCache& analyses);

}  // namespace kc
