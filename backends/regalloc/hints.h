// SPDX-License-Identifier: Apache-2.0
// Register preferences. Values connected by copies, ties and edges prefer one register; values of a
// contiguous group prefer adjacent registers. Connected values form an equivalence class (union-find), in
// which each value has an offset from the root.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "backends/regalloc/shape.h"

namespace kc::regalloc {

class Hints {
 public:
  /// Units covered by the contiguous groups of a class, relative to the unit of its root.
  struct Extent {
    int32_t first = 0, last = 0;
    uint8_t align = 1;  // of the first unit
    bool empty() const { return first == last; }
  };

  explicit Hints(size_t values) : parent_(values), distance_(values), unit_(values, kUnset), extent_(values) {
    for (uint32_t i = 0; i < values; ++i) parent_[i] = i;
  }
  /// b lies `behind` units after a. No effect if both are already in one class.
  void join(ValueId a, ValueId b, int32_t behind = 0) {
    const auto [to, ahead] = find(a);
    const auto [from, inside] = find(b);
    if (to == from) return;
    parent_[from] = to;
    distance_[from] = ahead + behind - inside;
  }
  /// Call after all joins. Records the extent of a group if its values have the right offsets in one class.
  void add_group(const ContiguousGroup& group, int32_t size, uint8_t align) {
    const auto [root, inside] = find(group[0].value);
    const int32_t first = inside - static_cast<int32_t>(group[0].at), last = first + size;
    for (const GroupPart& part : group) {
      const auto [other, at] = find(part.value);
      if (other != root || at != first + static_cast<int32_t>(part.at)) return;
    }
    Extent& e = extent_[root];
    if (e.empty()) e = {first, last, align};
    has_groups_ = true;
    if (std::max(last, e.last) - std::min(first, e.first) > kMaxGroupUnits) return;
    // Groups in the same class are merged. The result takes its alignment from the lowest start.
    if (first < e.first) e.first = first, e.align = align;
    if (last > e.last) e.last = last;
  }
  bool has_groups() const { return has_groups_; }
  /// The unit proposed by other members of the class, or kNone.
  uint32_t unit(ValueId v) {
    const auto [root, at] = find(v);
    return unit_[root] == kUnset || unit_[root] + at < 0 ? kNone : static_cast<uint32_t>(unit_[root] + at);
  }
  /// Returns whether this is the first proposal for the class.
  bool propose(ValueId v, uint32_t unit) {
    const auto [root, at] = find(v);
    if (unit_[root] != kUnset) return false;
    unit_[root] = static_cast<int32_t>(unit) - at;
    return true;
  }
  /// The extent of the groups of the value's class, relative to the value.
  Extent extent(ValueId v) {
    const auto [root, at] = find(v);
    Extent e = extent_[root];
    return {e.first - at, e.last - at, e.align};
  }

 private:
  static constexpr int32_t kUnset = std::numeric_limits<int32_t>::min();
  static constexpr int32_t kMaxGroupUnits = 16;
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
  std::vector<int32_t> distance_, unit_;  // from the parent; of a root, its proposed unit
  std::vector<Extent> extent_;            // of a root
  bool has_groups_ = false;
};

}  // namespace kc::regalloc
