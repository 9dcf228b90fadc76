// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Moves what is the same in every round of a cycle in front of it. Returns whether f changed.
bool licm(Function& f);

}  // namespace kc
