// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Splits variables of loops with barriers that all work-items increase by the same amounts into what they
/// start with and a uniform sum. Returns whether f changed.
bool split_inductions(Function& f, AnalysisCache& analyses);

/// Has loops whose end is a pointer, as in `for (p = row; p < row + n; p++)`, count instead: work-items whose
/// pointers differ leave them together if the distance is the same for all. Returns whether f changed.
bool count_pointers(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
