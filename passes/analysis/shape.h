// SPDX-License-Identifier: Apache-2.0
// The relation between the lanes of a wave's values: uniform, strided, or arbitrary.
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
#include "passes/analysis/cache.h"

namespace kc {

/// Bytes: constants beside an index that counts from the start of a buffer are below the former; buffers
/// that are called small end the latter before 2^31 (host/launches.h).
inline constexpr int64_t kNearBuffer = 1 << 20, kRoomBehindBuffer = 4096;

struct Shape {
  enum Kind : uint8_t {
    Unknown,  // no definition seen: undef, or unreachable
    Strided,  // lane k of the mask holds (value at lane 0) + k * stride; stride 0 means uniform
    Rows,     // uniform within each row of a packed wave: the value of the row's first lane, active or not
    Arbitrary,
  } kind = Unknown;
  int64_t stride = 0;
  bool uniform() const { return kind == Strided && stride == 0; }
  bool operator==(const Shape&) const = default;
};

/// The assignment of work-items to lanes. Lanes run along x or, in packed waves, follow the linear local ids
/// of groups of one known shape.
struct LaneLayout {
  bool packed = false;
  /// Ids are below kIds, and the local id of lane 0 along x, or along the one dimension of the group, is a
  /// multiple of the wave's width.
  bool aligned = false;
  /// All lanes of a wave are one work-item: lane k is its copy with the id k along z.
  bool copies = false;
  /// Such ids, and those of the inactive lanes behind them, remain numbers of 31 bits when up to kNear / 2 is
  /// added, as for the neighbours of a stencil.
  static constexpr uint64_t kNear = 4096, kIds = (uint64_t{1} << 31) - kNear;
  // dimensions in which the group has more than one work-item
  std::array<bool, 3> varies{true, false, false};
  uint8_t along = 0;  // the lowest of these
  /// Lanes of a row: each row of this many lanes, a power of two, lies along this dimension.
  uint32_t row = 64;
  auto operator<=>(const LaneLayout&) const = default;
};
/// The layout of waves packed into groups of this size.
LaneLayout packed_layout(const std::array<uint64_t, 3>& local);
/// The layout of waves whose lanes are copies of one work-item.
LaneLayout layout_of_copies(uint32_t lanes);

/// One shape for each value of a wave function, by optimistic iteration over a lattice of four levels. A
/// widened index counts as strided only if its interval (integer_range_analysis.h) shows that no lane wraps,
/// or if it is a 32-bit index into a parameter's buffer, which no active lane can leave; `or` counts as a sum
/// where known bits show that it is one.
std::vector<Shape> analyse_shapes(const Function& wave, const LaneLayout& layout, AnalysisCache& analyses);
inline std::vector<Shape> analyse_shapes(const Function& wave, const LaneLayout& layout = {}) {
  AnalysisCache analyses(wave);
  return analyse_shapes(wave, layout, analyses);
}

}  // namespace kc
