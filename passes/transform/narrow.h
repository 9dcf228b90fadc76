// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Computes in 32 bits what work-items compute in 64 where no bit is lost that somebody looks at. Thread
/// dialect in SSA form. Returns whether f changed.
bool narrow(Function& f, UniformityOptions options, Remarks* remarks = nullptr);

}  // namespace kc
