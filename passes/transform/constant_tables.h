// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Moves private objects that only ever hold constants to constant memory. Needs SSA form so that addresses
/// are visible. Returns whether f changed.
bool constant_tables(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
