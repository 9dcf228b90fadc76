// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Moves updates of values after the last use of the old value in the same block, so that both can share a
/// variable. Returns whether anything moved.
bool sink_updates(Function& f);

}  // namespace kc
