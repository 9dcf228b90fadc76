// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/costs.h"
#include "passes/meld_mode.h"
#include "passes/uniformity.h"

namespace kc {

/// Makes what both sides of a divergent branch do into one; see meld.cpp. Needs SSA form. Returns whether f
/// changed.
bool meld(Function& f, UniformityOptions options, const SkipCosts& costs, Meld mode = Meld::ByCost,
          Remarks* remarks = nullptr);

}  // namespace kc
