// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Folds branches with a known target, redirects edges past empty blocks, merges blocks that always run in
/// sequence, removes unreachable blocks. Both dialects; in wave IR only blocks of one mask are merged.
/// Returns whether f changed.
bool simplify_cfg(Function& f);

}  // namespace kc
