// SPDX-License-Identifier: Apache-2.0
// Patterns of rules that need more than two operations, or leaves that not every opcode gets.
#pragma once

#include <span>
#include <string_view>

namespace kc::rewrites {

std::span<const std::string_view> patterns();

}  // namespace kc::rewrites
