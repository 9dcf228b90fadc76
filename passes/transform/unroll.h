// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Unrolls loops with a small known trip count. Returns whether f changed.
bool unroll(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
