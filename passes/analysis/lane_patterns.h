// SPDX-License-Identifier: Apache-2.0
// Lane values with known differences from lane 0 that are not a stride.
//
//   %1: lane<i32> = local_id dim=0     0 1 2 3 4 5 6 7 from a multiple of the width
//   %2: lane<i32> = and %1, 3:i32      0 1 2 3 0 1 2 3
//   %3: lane<i32> = xor %1, 1:i32      1 0 3 2 5 4 7 6, likewise
//   %4: lane<i32> = add %3, %u         the same plus %u
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc {

struct LanePattern {
  /// Lane k holds (value at lane 0) + steps[k], modulo the range of its type; also if lane 0 is inactive.
  std::vector<int64_t> steps;
  /// Number of low bits of lane 0's value that are known: those of `low`.
  unsigned known = 0;
  uint64_t low = 0;
};

/// By value: the pattern of integers and addresses computed from ids, uniform values and constants. One walk;
/// loop-carried values have a pattern only if strided. `small_buffers`: all are smaller than 2 GiB.
std::vector<std::optional<LanePattern>> analyse_patterns(const Function& wave,
                                                         const std::vector<Shape>& shapes,
                                                         const LaneLayout& layout, bool small_buffers,
                                                         AnalysisCache& analyses);

}  // namespace kc
