// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Turns loops that test at their head into loops that test at their end; those that work-items leave in
/// different rounds only when asked to, because there it does not pay. Returns whether f changed.
bool rotate(Function& f, UniformityOptions options = {}, bool divergent_exits = false,
            Remarks* remarks = nullptr);

}  // namespace kc
