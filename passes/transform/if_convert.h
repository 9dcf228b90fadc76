// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Turns short pure arms of branches into selects, and chains of conditions with the same two targets into
/// one branch. Returns whether f changed.
bool if_convert(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
