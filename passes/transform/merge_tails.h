// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Merges equal tails of blocks that jump to the same block; see merge_tails.cpp. Needs SSA form. Returns
/// whether f changed.
bool merge_tails(Function& f);

}  // namespace kc
