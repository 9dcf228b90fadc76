// SPDX-License-Identifier: Apache-2.0
// Functions that check claims about their values at run time.
#pragma once

#include <memory>

#include "passes/analysis/integer_range_analysis.h"
#include "tests/property/engines.h"

namespace kc::test {

/// A claim about value v that replaces the analysis' own at every definition.
struct Planted {
  ValueId v;
  KnownBits known;
};

/// A copy of the thread function f with an additional last parameter, a buffer of i32. It behaves like f and
/// compares each integer, where it is computed, read, or passed along an edge, with the analysis' claim; a
/// violation stores 1 at index value id + 1.
Function checked(const Function& f, const IntegerRanges& known, const Planted* planted = nullptr);

/// Runs it, and returns the ids of the values that violated their claims. `f` is the original.
std::vector<uint32_t> wrong_values(const Function& f, const Function& checked, RunData data);

}  // namespace kc::test
