// SPDX-License-Identifier: Apache-2.0
// Thread functions whose every node has effects, so that a wrong path shows.
#pragma once

#include "ir/function.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// Node n loads a number from memory, adds it to a sum that it multiplies by n, stores the sum, and branches
/// on the number; nodes with three successors or more switch on it. In SSA form. Without `sum` it stores the
/// number, so that no value is live across nodes.
Function effect_function(const Graph& g, bool sum = true);

}  // namespace kc::test
