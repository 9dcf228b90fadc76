// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Gives every loop of one entry with several back edges a common latch, so that work-items that finish an
/// iteration can wait there for the others. Thread IR. Returns whether f changed.
bool unify_latches(Function& f);
/// Whether the analysed function has such a loop.
bool has_several_latches(AnalysisCache& analyses);

}  // namespace kc
