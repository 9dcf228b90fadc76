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

/// A place before an instruction of a block.
struct Point {
  BlockId block;
  uint32_t index = 0;
  bool operator==(const Point&) const = default;
};

class LiveValues {
 public:
  /// Nothing if the lists would have more than `most` entries together.
  static std::optional<LiveValues> of(const Function& f, size_t most);
  /// The first instruction of a reachable block that is no pure operation.
  Point first_event(BlockId b) const { return {b, events_[b.index]}; }
  /// By increasing id. `storage` is used where the point is not the first event of its block.
  std::span<const ValueId> at(Point p, std::vector<ValueId>& storage) const;

 private:
  explicit LiveValues(const Function& function) : f(&function) {}
  std::vector<ValueId> scan(Point p) const;
  const Function* f;
  std::vector<uint32_t> events_;  // by block id
  Lists<ValueId> lists_;          // by block id: at its first event
};

/// Whether the walk does not stop at the instruction.
bool is_silent(const Inst& inst);

/// By value id: whether the value is a boolean or a selector that decides branches. A selector is constant on
/// every path that sets it, so there are finitely many of its values.
std::vector<bool> deciding_values(const Function& f);

}  // namespace kc::proof
