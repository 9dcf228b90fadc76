// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Has the indices of lanes that are next to each other count from the start of their buffer. For buffers
/// below 2 GiB. Returns whether f changed.
bool rebase_indices(Function& f, AnalysisCache& analyses);

}  // namespace kc
