// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Uses known bits and intervals of integers: comparisons that can come out only one way become constants,
/// masks and bounds that change nothing go, signed operations on what is not negative become unsigned ones.
/// Thread dialect in SSA form. Remarks say which conditions are known. Returns whether f changed.
bool range_simplify(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
