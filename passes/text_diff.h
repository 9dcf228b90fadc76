// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kc {

/// What makes `now` of `before`, line by line: removed lines after "-", added ones after "+", up to two equal
/// ones around them after " ", and "..." where more equal lines are left out.
std::string line_diff(std::string_view before, std::string_view now);

}  // namespace kc
