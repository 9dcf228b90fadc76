// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Whether work-items of sub-groups meet in the function. Then it counts who is together: a pass may take
/// away blocks and branches between meetings, but each loop of the source stays a cycle of its own, and no
/// meeting is copied.
bool has_convergent_operations(const Function& f);

}  // namespace kc
