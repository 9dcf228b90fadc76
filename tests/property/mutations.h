// SPDX-License-Identifier: Apache-2.0
// Errors that a compiler could have: each takes one instruction of a function and makes it a little wrong.
#pragma once

#include <span>
#include <string_view>

#include "ir/function.h"

namespace kc::test {

struct Mutation {
  std::string_view name;
  Dialect dialect = Dialect::Wave;
  /// Whether the instruction is of the kind, and now wrong. The function stays well formed.
  bool (*apply)(Function& f, InstId i) = nullptr;
};
std::span<const Mutation> mutations();

}  // namespace kc::test
