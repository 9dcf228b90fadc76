// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/uniformity.h"

namespace kc {

/// Whether what lanes do apart is done together: where the cost model says so, wherever it can be, or
/// nowhere; or, for comparison, only in branches both sides of which are single blocks.
enum class Meld : uint8_t { ByCost, Always, Never, Fusion };

/// Lets blocks of a loop between which work-items part, and which begin with the same computation, do it
/// together. Returns whether f changed.
bool share_heads(Function& f, UniformityOptions options, Meld meld = Meld::ByCost,
                 Remarks* remarks = nullptr);

}  // namespace kc
