// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Unrolls loops with a small known trip count. Returns whether f changed.
bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
