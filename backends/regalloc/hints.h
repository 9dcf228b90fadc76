// SPDX-License-Identifier: Apache-2.0
// Preferences. Values joined by copies, ties and edges try to share a register, those of a row to lie behind
// one another. What belongs together forms a class, in which each value has its distance from the root.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "backends/regalloc/shape.h"

namespace kc::regalloc {

class Hints {
 public:
  /// Units that the rows of a class cover, from the unit of its root.
  struct Extent {
    int32_t first = 0, last = 0;
    uint8_t align = 1;  // of the first of them
    bool empty() const { return first == last; }
  };

  explicit Hints(size_t values) : parent_(values), distance_(values), unit_(values, kUnset), extent_(values) {
    for (uint32_t i = 0; i < values; ++i) parent_[i] = i;
  }
  /// b lies so many units behind a; nothing where both are in one class already.
  void join(ValueId a, ValueId b, int32_t behind = 0) {
    const auto [to, ahead] = find(a);
    const auto [from, inside] = find(b);
    if (to == from) return;
    parent_[from] = to;
    distance_[from] = ahead + behind - inside;
  }
  /// Says, after all joins, that the values of a row lie where they want, as far as they are in one class.
  void add_row(const ContiguousGroup& row, int32_t size, uint8_t align) {
    const auto [root, inside] = find(row[0].value);
    const int32_t first = inside - static_cast<int32_t>(row[0].at), last = first + size;
    for (const GroupPart& part : row) {
      const auto [other, at] = find(part.value);
      if (other != root || at != first + static_cast<int32_t>(part.at)) return;
    }
    Extent& e = extent_[root];
    if (e.empty()) e = {first, last, align};
    has_rows_ = true;
    if (std::max(last, e.last) - std::min(first, e.first) > kLongestRow) return;
    // Rows that meet in a class make one, which begins where the lowest does.
    if (first < e.first) e.first = first, e.align = align;
    if (last > e.last) e.last = last;
  }
  bool has_rows() const { return has_rows_; }
  /// The unit that others of the class propose; kNone without any.
  uint32_t unit(ValueId v) {
    const auto [root, at] = find(v);
    return unit_[root] == kUnset || unit_[root] + at < 0 ? kNone : static_cast<uint32_t>(unit_[root] + at);
  }
  /// Whether nobody had proposed a unit for the class.
  bool propose(ValueId v, uint32_t unit) {
    const auto [root, at] = find(v);
    if (unit_[root] != kUnset) return false;
    unit_[root] = static_cast<int32_t>(unit) - at;
    return true;
  }
  /// The units of the class's rows, from the value's own.
  Extent extent(ValueId v) {
    const auto [root, at] = find(v);
    Extent e = extent_[root];
    return {e.first - at, e.last - at, e.align};
  }

 private:
  static constexpr int32_t kUnset = std::numeric_limits<int32_t>::min();
  static constexpr int32_t kLongestRow = 16;
  struct Found {
    uint32_t root;
    int32_t distance;
  };
  Found find(ValueId v) {
    uint32_t i = v.index;
    int32_t distance = 0;
    while (parent_[i] != i) {
      const uint32_t p = parent_[i];
      if (parent_[p] != p) distance_[i] += distance_[p], parent_[i] = parent_[p];
      distance += distance_[i];
      i = parent_[i];
    }
    return {i, distance};
  }

  std::vector<uint32_t> parent_;
  std::vector<int32_t> distance_, unit_;  // from the parent; of a root
  std::vector<Extent> extent_;            // of a root
  bool has_rows_ = false;
};

}  // namespace kc::regalloc
