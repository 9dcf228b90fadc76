// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Accesses through global and constant pointers trap if they are outside every buffer that the pointer can
/// be based on. Returns whether there are any such accesses.
bool check_bounds(Function& f, AnalysisCache& analyses);

}  // namespace kc
