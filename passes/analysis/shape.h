// SPDX-License-Identifier: Apache-2.0
// How the lanes of a wave's values relate to one another: all equal, in steps, or any way.
//
//   %1: lane<i32> = lane_id                stride 1
//   %2: lane<i32> = add %1, %u             stride 1
//   %3: lane<ptr> = ptr_add %p, %2 scale=4 stride 4: a contiguous access
//   %4: lane<i32> = mul %1, %1             arbitrary
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace kc {

struct Shape {
  enum Kind : uint8_t {
    Unknown,  // no definition seen: undef, or unreachable
    Strided,  // lane k of the mask holds (value at lane 0) + k * stride; 0 means all lanes agree
    Rows,     // the same in each row of a packed wave, from the row's first lane, whether that is on or not
    Arbitrary,
  } kind = Unknown;
  int64_t stride = 0;
  bool uniform() const { return kind == Strided && stride == 0; }
  bool operator==(const Shape&) const = default;
};

/// Which work-items the lanes of a wave are. They lie along x, or, where waves are packed, they follow the
/// linear local ids of groups of one known shape.
struct LaneLayout {
  bool packed = false;
  /// Ids are below 2^31, and the local id of lane 0 along x, or along the line that a group is, is a multiple
  /// of the wave's width.
  bool aligned = false;
  std::array<bool, 3> varies{true, false, false};  // the group has more than one work-item along it
  uint8_t along = 0;                               // the lowest of these
  /// Lanes of a row: each row of so many lanes, a power of two, lies along this dimension.
  uint32_t row = 64;
  auto operator<=>(const LaneLayout&) const = default;
};
/// Of waves that are packed into groups of this size.
LaneLayout packed_layout(const std::array<uint64_t, 3>& local);

/// One shape for each value of a wave function. An optimistic iteration over a lattice of four levels.
/// Indices count as steps after widening only when their intervals (integer_range_analysis.h) show that no
/// lane wraps, or when they are 32-bit indices into a parameter's buffer, which no lane that is on can leave;
/// `or` counts as a sum where known bits show that it is one.
std::vector<Shape> analyse_shapes(const Function& wave, const LaneLayout& layout = {});

/// By value: whether neighbouring lanes likely hold integers or addresses near each other, though not in
/// steps, as in `clamp(id + 1, 0, n)` or `2 * id - (id & 7)`. A guess by the arithmetic that made them, worth
/// a test at run time.
std::vector<bool> likely_local_addresses(const Function& wave, const std::vector<Shape>& shapes);

}  // namespace kc
