// SPDX-License-Identifier: Apache-2.0
// Takes away machine instructions and block parameters that nothing with an effect needs, and chooses the
// form of fused multiply-add whose overwritten operand dies.
#pragma once

#include "ir/function.h"

namespace kc::x64 {

void eliminate_dead_code(Function& machine);
void choose_fma_forms(Function& machine);

}  // namespace kc::x64
