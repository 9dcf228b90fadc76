// SPDX-License-Identifier: Apache-2.0
// Sizes of a launch as options give them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kc {

/// Reads "X[,Y[,Z]]" into `out`, and how many there are into `dims`. What is wrong with the text, or nothing.
std::string parse_sizes(std::string_view option, const std::string& text, std::array<uint64_t, 3>& out,
                        uint32_t& dims, bool zero_ok);

}  // namespace kc
