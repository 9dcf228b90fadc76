// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kc {

/// What is the same in two messages about a submission that fails for one reason: the words, without numbers,
/// names of values, instructions, and what stands in parentheses.
std::string reason_of(std::string_view difference);

}  // namespace kc
