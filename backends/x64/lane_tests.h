// SPDX-License-Identifier: Apache-2.0
// Tests that keep lanes of a wave out of what follows, as `if (i >= n) return;` and the head of a loop do.
//
//   %c = slt %i, %n
//   %going = mask_cond %m, %c      or  mask_andnot %m, (mask_cond %m, %c), if lanes leave by the condition
//   br_if (any %going) -> on, out
#pragma once

#include <optional>

#include "ir/function.h"

namespace kc::x64 {

struct LaneTest {
  ValueId condition, going;  // the mask of those who go on
  bool leaves = false;       // lanes leave by the condition
};
/// The test of these lanes at the end of a block that can be executed once more, without effects.
std::optional<LaneTest> lane_test(const Function& wave, BlockId block, ValueId lanes);

/// Appends the question whether a condition holds for some lane of a full wave; one that is the same for all
/// is the answer itself.
ValueId in_some_lane(Builder& build, ValueId condition);

}  // namespace kc::x64
