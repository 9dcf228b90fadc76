// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Has loops whose end is a pointer, as in `for (p = row; p < row + n; p++)`, count instead: work-items whose
/// pointers differ leave them together if the distance is the same for all. Returns whether f changed.
bool count_pointers(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
