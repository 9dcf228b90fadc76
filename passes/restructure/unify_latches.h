// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Gives every loop of one entry with several back edges a common latch, so that work-items that finish an
/// iteration can wait there for the others. Thread IR. Returns whether f changed.
bool unify_all_latches(Function& f);
/// The same for loops in which work-items diverge, the only ones where analyses of uniformity gain from it.
bool unify_latches(Function& f, AnalysisCache& analyses);
/// Whether the analysed function has a loop of one entry with several back edges.
bool has_several_latches(AnalysisCache& analyses);

}  // namespace kc
