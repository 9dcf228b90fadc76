// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/meld_plan.h"

namespace kc {

/// Does what the plan says. The function is in SSA form before and after.
void apply_meld(Function& f, const MeldPlan& plan);

}  // namespace kc
