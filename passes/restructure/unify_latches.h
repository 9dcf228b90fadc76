// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Gives every loop of one entry with several edges back to it a block through which all of them go, so that
/// who is done with a round can wait there for the others. Returns whether f changed. Thread IR.
bool unify_latches(Function& f);

}  // namespace kc
