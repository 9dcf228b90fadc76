// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Turns variables (var_get, var_set) into values and block parameters; afterwards f.vars is empty.
/// A read that no write reaches gives undef. Removes unreachable blocks. Any graph, thread and wave dialect.
/// Returns whether f changed.
bool mem2reg(Function& f, AnalysisCache& analyses);
inline bool mem2reg(Function& f) {
  AnalysisCache analyses(f);
  return mem2reg(f, analyses);
}

}  // namespace kc
