// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ir/function.h"
#include "passes/transform/meld_plan.h"

namespace kc {

/// Applies the plans. Their regions (branch and arms) are disjoint; they were made for the function as it is.
/// SSA form before and after.
void apply_melds(Function& f, std::span<const MeldPlan> plans);

}  // namespace kc
