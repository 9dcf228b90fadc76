// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Hoists loop-invariant instructions to before the loop. Returns whether f changed.
bool licm(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
