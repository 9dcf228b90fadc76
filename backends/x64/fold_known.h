// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc::x64 {

/// Folds what follows from masks and ids that are known in copies of a wave function's blocks.
void fold_known(Function& wave);

}  // namespace kc::x64
