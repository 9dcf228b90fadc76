// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Writes out loops whose number of rounds is known and small. Returns whether f changed.
bool unroll(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
