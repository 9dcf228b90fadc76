// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ir/function.h"
#include "passes/transform/meld_plan.h"

namespace kc {

/// Does what the plans say. No block is a branch or on a side of one in two of them; they were made for the
/// function as it is. It is in SSA form before and after.
void apply_melds(Function& f, std::span<const MeldPlan> plans);

}  // namespace kc
