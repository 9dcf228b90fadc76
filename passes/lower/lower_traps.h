// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ir/function.h"

namespace kc {

/// Replaces `trap` by stores to the work-item's TrapSlot (ir/launch.h) and a return. A function with traps
/// gets the hidden parameter `traps: ptr<global>` unless it has it; its table of trap sites stays. Returns
/// whether f changed.
bool lower_traps(Function& f);

/// That parameter, if there is one.
std::optional<size_t> trap_parameter(const Function& f);

}  // namespace kc
