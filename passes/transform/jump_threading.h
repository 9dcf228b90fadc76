// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Lets edges whose arguments decide a branch go straight to its target. Returns whether f changed.
bool jump_threading(Function& f);

}  // namespace kc
