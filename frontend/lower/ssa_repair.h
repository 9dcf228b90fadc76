// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ir/function.h"

namespace kc::front {

/// Replaces a value by a variable at uses that its definition does not dominate. Every path that a work-item
/// actually takes from the entry to such a use must pass the definition.
void ssa_repair(Function& f);

}  // namespace kc::front
