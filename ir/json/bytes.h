// SPDX-License-Identifier: Apache-2.0
// Strings of IR are bytes, those of JSON are characters. A byte that belongs to no character of UTF-8 is
// written as one of the private characters U+F780 to U+F7FF; so are the bytes of these characters themselves.
#pragma once

#include <string>
#include <string_view>

namespace kc {

/// A literal of JSON, quotes included.
std::string json_string(std::string_view bytes);
/// The bytes of a string that has been read, which is UTF-8.
std::string bytes_of_json(std::string_view characters);

}  // namespace kc
