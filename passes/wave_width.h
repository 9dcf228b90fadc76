// SPDX-License-Identifier: Apache-2.0
// How wide the waves of a kernel should be on a machine with short vectors.
#pragma once

#include "ir/function.h"
#include "passes/uniformity.h"

namespace kc {

/// How many machine vectors each lane value should have: 4, 2 or 1. Chains of dependent operations leave the
/// units idle with one vector, and what a wave does once (uniform work, branches, its start) is shared by
/// more lanes with four: on twelve kernels four were up to twice as fast as two, and never slower but in one.
/// Fewer are taken
/// - where divergent loops are nested: the more lanes, the longer those that left the inner one wait; one
/// where
///   the inner one does little but divide and take roots, since one vector keeps the divider busy;
/// - where many values live at once, which would lie on the stack;
/// - for long kernels, whose compile time grows with the width.
/// Kernels with barriers have four: a group should have few waves. Needs thread IR in SSA form.
unsigned choose_vectors(const Function& thread, UniformityOptions options = {});

}  // namespace kc
