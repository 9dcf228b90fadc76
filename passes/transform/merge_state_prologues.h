// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/uniformity.h"
#include "passes/transform/meld_mode.h"

namespace kc {

/// Merges the common prologues of blocks in a loop between which work-items diverge. Returns whether f
/// changed.
bool merge_state_prologues(Function& f, AnalysisCache& analyses, Meld meld = Meld::ByCost,
                           Remarks* remarks = nullptr);

}  // namespace kc
