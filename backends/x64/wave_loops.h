// SPDX-License-Identifier: Apache-2.0
// Groups with barriers as loops over their waves. What lies between two barriers becomes a loop, in which all
// waves run it; loops that contain barriers are around these loops.
//
//   start:  store                   start:  for each wave: store
//           barrier          ==>    loop:   br_if %s != 0 -> body, end        once for the group
//   loop:   br_if %s != 0           body:   for each wave: add
//   body:   add                             br loop(%s / 2)
//           barrier
//           br loop(%s / 2)
//
// What is the same for all waves stays in registers. What a wave needs in several of these loops is computed
// again in each, if that is cheap; otherwise it is in private memory.
#pragma once

#include <memory>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

/// Of a wave function whose groups meet (groups_meet.h) and have a known size; packed waves must fill it. The
/// result runs a whole group from the launch record of its first wave on, moves between the records of its
/// waves, which are one behind the other, and has no barriers; it may have an object in private memory more.
/// Null where the function or what waves do between barriers has another shape. `vector_lanes`: 32-bit
/// elements of a vector; where most lanes of a wave have nothing to do, only one vector is computed.
std::unique_ptr<Function> with_wave_loops(const Function& wave, const LaneLayout& layout,
                                          uint32_t vector_lanes);

}  // namespace kc::x64
