// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Accesses trap if they are outside every buffer, local argument and object that their pointer can be based
/// on. Returns whether there are any accesses.
bool check_bounds(Function& f, AnalysisCache& analyses);

}  // namespace kc
