// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Loops that switch on a state leave at their head, as one more state, where they left at many places. Needs
/// SSA form and no `trap`. Returns whether f changed.
bool unify_loop_exits(Function& f);

}  // namespace kc
