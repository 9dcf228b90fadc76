// SPDX-License-Identifier: Apache-2.0
// Patterns of rules that need more than two operations, or leaves that not every opcode gets.
#pragma once

#include <string>
#include <vector>

namespace kc::rewrites {

/// In the notation of `for_each_typing`. Each rule that pairs of operations do not reach has one.
const std::vector<std::string>& patterns();

}  // namespace kc::rewrites
