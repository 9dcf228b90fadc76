// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Gives every loop one entry; the graph is reducible afterwards. Needs SSA form and no `trap`. Returns
/// whether f changed.
bool fix_irreducible(Function& f);

}  // namespace kc
