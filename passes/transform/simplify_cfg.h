// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Folds branches that can go only one way, jumps over empty blocks, merges blocks that always follow each
/// other, removes unreachable blocks. Both dialects; in wave IR only blocks of one mask are merged.
/// Returns whether f changed.
bool simplify_cfg(Function& f);

}  // namespace kc
