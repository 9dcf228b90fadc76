// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Replaces loads of locations that the work-item has just stored or loaded by those values; removes stores
/// that are overwritten before any read, and stores of the value already there. Returns whether f changed.
bool store_to_load_forwarding(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

}  // namespace kc
