// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/costs.h"
#include "passes/transform/meld_mode.h"

namespace kc {

/// Merges what both arms of a divergent branch have in common; see meld.cpp. Needs SSA form. Returns whether
/// f changed.
bool meld(Function& f, AnalysisCache& analyses, const TargetCosts& costs, Meld mode = Meld::ByCost,
          Remarks* remarks = nullptr);

}  // namespace kc
