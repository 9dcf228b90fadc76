// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Gives blocks that end alike and lead to the same place one end in common; see merge_tails.cpp. Needs SSA
/// form. Returns whether f changed.
bool merge_tails(Function& f);

}  // namespace kc
