// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Hoists loop-invariant instructions to before the loop. Returns whether f changed.
bool licm(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
