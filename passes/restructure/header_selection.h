// SPDX-License-Identifier: Apache-2.0
// Selects the header of an irreducible cycle. The header determines which cycles nest within it (cycles.h),
// and with that the reconvergence points: items in an inner cycle run on while the others wait after it. The
// header is the entry that depth-first search reaches first, so the order of a branch's targets selects it.
//
//   b0: br_if %c -> A, B      Header A of {A, B}: B's own cycle is an inner one, and items at A wait for all
//   A: br -> B                iterations of B.
//   B: br_if %d -> B, A       Header B: one cycle; each iteration runs B, then A for some.
#pragma once

#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// The two-way branches whose target order selects headers, a few at most: for each irreducible cycle the
/// nearest block outside that dominates all its entries, if it ends in such a branch.
std::vector<BlockId> header_choices(const Function& f, const Cycles& cycles);

/// br_if %c -> S, T   ==>   br_if (not %c) -> T, S
void swap_targets(Function& f, BlockId b);

/// An estimate of the cost of the function's loops: instructions and parameters, doubled for each enclosing
/// loop.
double cost_of_rounds(const Function& f);

}  // namespace kc
