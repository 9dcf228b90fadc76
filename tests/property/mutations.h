// SPDX-License-Identifier: Apache-2.0
// Simulated compiler bugs: each makes one instruction of a function slightly wrong.
#pragma once

#include <span>
#include <string_view>

#include "ir/function.h"

namespace kc::test {

struct Mutation {
  std::string_view name;
  Dialect dialect = Dialect::Wave;
  /// Returns true if the instruction is of the matching kind and is now wrong. The function stays well
  /// formed.
  bool (*apply)(Function& f, InstId i) = nullptr;
};
std::span<const Mutation> mutations();

}  // namespace kc::test
