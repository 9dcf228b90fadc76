// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Instructions of all iterations together, where unrolling a loop saves no more than its counter: in code
/// for any number of lanes, and for one, which has free registers and many branches.
inline constexpr size_t kUnrolled = 160, kUnrolledAlone = 400;

/// Unrolls loops with a small known trip count. Hints that ask for it are consumed, those that forbid it
/// stay. Returns whether f changed.
bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr, size_t most = kUnrolled);

}  // namespace kc
