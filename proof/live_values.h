// SPDX-License-Identifier: Apache-2.0
// Which values a point of a function still needs, and which of them its branches depend on through constants.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/function.h"
#include "ir/lists.h"

namespace kc::proof {

/// A place before an instruction of a block; 0 is after the parameters are set.
struct Point {
  BlockId block;
  uint32_t index = 0;
  bool operator==(const Point&) const = default;
};

class LiveValues {
 public:
  /// Nothing if the lists would have more than `most` entries together.
  static std::optional<LiveValues> of(const Function& f, size_t most);
  /// By increasing id, with parameters of the block that are used. Reachable blocks only.
  std::span<const ValueId> at_start(BlockId b) const { return starts_[b.index]; }
  /// Within a block, by a scan of it.
  std::vector<ValueId> at(Point p) const;

 private:
  explicit LiveValues(const Function& function) : f(&function) {}
  const Function* f;
  Lists<ValueId> starts_;
};

/// By value id: whether the value is a boolean or a selector that decides branches. A selector is constant on
/// every path that sets it, so there are finitely many of its values.
std::vector<bool> deciding_values(const Function& f);

}  // namespace kc::proof
