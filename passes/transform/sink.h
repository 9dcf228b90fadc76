// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Moves instructions into the branch that alone uses their results. Returns whether anything moved.
bool sink(Function& f, AnalysisCache& analyses);

}  // namespace kc
