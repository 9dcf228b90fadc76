// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Writes out loops whose number of rounds is known and small. Returns whether f changed.
bool unroll(Function& f);

}  // namespace kc
