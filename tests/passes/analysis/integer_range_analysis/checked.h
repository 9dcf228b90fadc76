// SPDX-License-Identifier: Apache-2.0
// Functions that check what was claimed about their values while they run.
#pragma once

#include <memory>

#include "passes/analysis/integer_range_analysis.h"
#include "tests/property/engines.h"

namespace kc::test {

/// A claim about value v wherever it is computed in place of the analysis' own.
struct Planted {
  ValueId v;
  KnownBits known;
};

/// A copy of the thread function f with one more parameter, a buffer of i32, at the end. It does what f does
/// and compares each integer, where it is computed, read, or passed along an edge, with what the analysis
/// says of it there; what is wrong stores 1 at one more than the value's id.
Function checked(const Function& f, const IntegerRanges& known, const Planted* planted = nullptr);

/// Runs it, and gives the ids of the values that were not what was claimed. `f` is the original.
std::vector<uint32_t> wrong_values(const Function& f, const Function& checked, RunData data);

}  // namespace kc::test
