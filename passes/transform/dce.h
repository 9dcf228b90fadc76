// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Removes unreachable blocks, and instructions without effects and block parameters whose values nothing
/// with an effect needs. Both dialects. Returns whether f changed.
bool dce(Function& f, AnalysisCache& analyses);
inline bool dce(Function& f) {
  AnalysisCache analyses(f);
  return dce(f, analyses);
}

}  // namespace kc
