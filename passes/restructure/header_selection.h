// SPDX-License-Identifier: Apache-2.0
// Which of its entries heads an irreducible cycle decides which cycles are left within it (cycles.h), and so
// who waits for whom: those who go round an inner cycle run on alone while the others wait behind it. The
// header is the entry that depth-first search meets first, so the order of a branch's targets chooses it.
//
//   b0: br_if %c -> A, B      A heads {A, B}, and B's own cycle is within: those who are at A wait for all
//   A: br -> B                rounds of B
//   B: br_if %d -> B, A       headed by B there is one cycle: each round is B, then A for those who want it
#pragma once

#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// The two-way branches whose order of targets chooses headers, at most a few: for each irreducible cycle the
/// nearest block outside that all its entries are reached through, if it ends in such a branch.
std::vector<BlockId> header_choices(const Function& f, const Cycles& cycles);

/// br_if %c -> S, T   ==>   br_if (not %c) -> T, S
void swap_targets(Function& f, BlockId b);

/// What a round of the function's loops costs, about: instructions and parameters, twice as many times for
/// each loop around them.
double cost_of_rounds(const Function& f);

}  // namespace kc
