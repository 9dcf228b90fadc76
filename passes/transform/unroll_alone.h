// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Unrolls longer loops than `unroll` does, for work-items that run alone. Returns whether f changed.
bool unroll_alone(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
