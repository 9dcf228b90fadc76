// SPDX-License-Identifier: Apache-2.0
// Multi-byte characters, to the extent that displaying source text requires.
#pragma once
#include <cstddef>
#include <string_view>

namespace kc::front {

/// The number of bytes of the well-formed UTF-8 character at `at`, or 0.
size_t utf8_length(std::string_view s, size_t at);

/// The terminal columns of the well-formed character of `n` bytes at `at`: 0, 1 or 2.
int display_width(std::string_view s, size_t at, size_t n);

}  // namespace kc::front
