// SPDX-License-Identifier: Apache-2.0
// Code of its own for waves with all their lanes, which nearly all are, and a loop over those of a row.
//
//   entry:                     entry:          uniform values
//     some work           ==>    next:         full_waves ? borders : some
//     ret                        borders:      tests that the wave is inside of all borders ? inside : all
//                                inside:       the work without masks, and without what happens at borders
//                                              is there another full wave? next_wave, borders : ret
//                                all:          the work under no mask
//                                some:         the work under the wave's mask, after a guard
//                                few:          the same of waves whose lanes are all in the first vector
//                                end:          is there another full wave? next_wave, next : ret
//
// A guard is the test by which a kernel begins, `if (i >= n) return;`. Where it keeps a lane of a full wave
// out, the wave goes to `some`. A test of data is none: `if (level[i] != now) return;` makes a mask in `all`.
#pragma once

#include <memory>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

/// Of waves of one lane, and of those whose lanes are copies of one work-item, only the loop is made.
/// `inside` is left out of functions without borders, `few` of those that are not short. Null where the
/// function is too large for copies, or has barriers, at which waves return. `vector_lanes`: 32-bit elements
/// of a vector; waves with no lanes but those of their first vector may have another copy.
std::unique_ptr<Function> with_full_waves(const Function& wave, const LaneLayout& layout,
                                          uint32_t vector_lanes);
/// Groups of a known size that waves fill, if waves are cut nowhere else.
bool all_waves_are_full(const Function& wave, const LaneLayout& layout);

}  // namespace kc::x64
