// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Folds branches with a known target, redirects edges past empty blocks, merges blocks that always run in
/// sequence, removes unreachable blocks. Both dialects; in wave IR only blocks of one mask are merged.
/// Returns whether f changed; analyses that it keeps then are of the new graph.
bool simplify_cfg(Function& f, AnalysisCache& analyses);
inline bool simplify_cfg(Function& f) {
  AnalysisCache analyses(f);
  return simplify_cfg(f, analyses);
}

/// Only folds branches with a known target, and removes the blocks that are then unreachable.
bool fold_branches(Function& f, AnalysisCache& analyses);

}  // namespace kc
