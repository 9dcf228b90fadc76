// SPDX-License-Identifier: Apache-2.0
// Which expressions are examined: a few of everything in each test run, or all of them in slices.
#pragma once

#include "tests/rewrites/judge.h"

namespace kc::rewrites {

/// The step of the usual choice of pairs.
inline constexpr uint64_t kOneOfPairs = 20;
/// Every opcode at every type, one of `step` pairs of opcodes, and every pattern at every type, each with one
/// choice of leaves, or with all if they are few and the types are among the first.
void examine_some(Judge& judge, uint64_t step);

/// Slice `index` of `slices`: every choice of leaves of every opcode, pair and pattern belongs to one slice.
/// Patterns with one operation replaced, or with one more operation on top, are divided among the slices,
/// with a few choices of leaves each.
void examine_slice(Judge& judge, uint64_t index, uint64_t slices);

}  // namespace kc::rewrites
