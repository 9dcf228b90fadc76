// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Computes 64-bit values of work-items in 32 bits where the lost bits are dead. Thread dialect in SSA form.
/// Returns whether f changed.
bool narrow(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
