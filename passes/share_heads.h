// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/meld_mode.h"
#include "passes/uniformity.h"

namespace kc {

/// Lets blocks of a loop between which work-items part, and which begin with the same computation, do it
/// together. Returns whether f changed.
bool share_heads(Function& f, UniformityOptions options, Meld meld = Meld::ByCost,
                 Remarks* remarks = nullptr);

}  // namespace kc
