// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Replaces `trap` by stores to the work-item's TrapSlot (ir/launch.h) and a return. A function with traps
/// gets a hidden parameter with the role Traps unless it has it; its table of trap sites stays. Returns
/// whether f changed.
bool lower_traps(Function& f);

}  // namespace kc
