// SPDX-License-Identifier: Apache-2.0
// Normalises a function with divergent branches for `reconverge`.
#pragma once

#include "ir/function.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Afterwards: all blocks are reachable; divergent branches are br_if; no branch passes different arguments
/// to one block on two edges; exactly one block has no successors, it ends in `ret`, and all blocks reach it
/// (endless cycles by an edge that is never taken).
void prepare_reconvergence(Function& f, const Uniformity& u);

/// Only the last of these: one block without successors, which all blocks reach. All blocks must be reachable
/// from the entry, and none may end in `trap`. Returns whether f changed.
bool give_one_exit(Function& f);

/// Edges of a switch that pass different arguments to one block get a block each, except the first. Returns
/// whether there were any.
bool separate_cases(Function& f);

}  // namespace kc
