// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Moves what is the same in every round of a cycle in front of it. Returns whether f changed.
bool licm(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
