// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/regalloc/regalloc.h"
#include "ir/remarks.h"

namespace kc {

/// Remarks of "regalloc": each value that is spilled, where its slot lies and where it is reloaded.
void explain_allocation(const Function& allocated, const RegTarget& target, const Allocation& allocation,
                        Remarks& remarks);

}  // namespace kc
