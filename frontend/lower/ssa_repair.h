// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ir/function.h"

namespace kc::front {

/// Gives values a variable where a use is not dominated by the definition. Every way that a work-item really
/// takes from a use back to the entry must pass the definition.
void ssa_repair(Function& f);

}  // namespace kc::front
