// SPDX-License-Identifier: Apache-2.0
// Where a kernel compares ids with the borders of its arrays, and what the lanes of most waves find there.
//
//   if (i > 0 && i < n - 1)       both comparisons are true
//   if (i == 0)                   false
//   x[max(i - 1, 0)]              i - 1
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::x64 {

/// A comparison of ids with a number that is the same for all lanes, or the smaller or the larger of both.
struct Border {
  InstId inst;
  bool truth = false;  // of a comparison, in all lanes of most waves
  ValueId id;          // of a minimum or maximum: what it is in them
};

/// The first borders in these blocks of a wave function, whose entry block has the parameters alone. They can
/// be computed from parameters, constants and ids anywhere; and from values that are `given`, which are the
/// same for all waves.
std::vector<Border> find_borders(const Function& wave, std::span<const BlockId> blocks,
                                 const std::function<bool(ValueId)>& given = {});

}  // namespace kc::x64
