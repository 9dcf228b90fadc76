// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// A loop with a switch on a state and many exits is left at its header instead, as one more state. Needs SSA
/// form and no `trap`. Returns whether f changed.
bool unify_loop_exits(Function& f, AnalysisCache& analyses);

}  // namespace kc
