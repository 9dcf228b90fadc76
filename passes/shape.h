// SPDX-License-Identifier: Apache-2.0
// How the lanes of a wave's values relate to one another: all equal, in steps, or any way.
//
//   %1: lane<i32> = lane_id                stride 1
//   %2: lane<i32> = add %1, %u             stride 1
//   %3: lane<ptr> = ptr_add %p, %2 scale=4 stride 4: a contiguous access
//   %4: lane<i32> = mul %1, %1             arbitrary
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace kc {

struct Shape {
  enum Kind : uint8_t {
    Unknown,  // no definition seen: undef, or unreachable
    Strided,  // lane k of the mask holds (value at lane 0) + k * stride; 0 means all lanes agree
    Arbitrary,
  } kind = Unknown;
  int64_t stride = 0;
  bool uniform() const { return kind == Strided && stride == 0; }
  bool operator==(const Shape&) const = default;
};

/// One shape for each value of a wave function. An optimistic iteration over a lattice of three levels.
/// Indices count as steps after widening only when their intervals (value_facts.h) show that no lane wraps,
/// or when they are 32-bit indices into a parameter's buffer, which no lane that is on can leave; `or` counts
/// as a sum where known bits show that it is one.
std::vector<Shape> analyse_shapes(const Function& wave);

/// By value: whether neighbouring lanes likely hold integers or addresses near each other, though not in
/// steps, as in `clamp(id + 1, 0, n)` or `2 * id - (id & 7)`. A guess by the arithmetic that made them, worth
/// a test at run time.
std::vector<bool> guess_neighbours(const Function& wave, const std::vector<Shape>& shapes);

}  // namespace kc
