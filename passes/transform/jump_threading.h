// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Redirects edges whose arguments determine a branch to the branch's target. Returns whether f changed.
bool jump_threading(Function& f, AnalysisCache& analyses);

}  // namespace kc
