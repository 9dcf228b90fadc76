// SPDX-License-Identifier: Apache-2.0
// JSON as text, for the parts of a record that are made at each key stroke: no tree is built for them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace kc {

/// Appends a string of JSON. Bytes that are no UTF-8 become U+FFFD, as in the rest of a record.
void add_json_string(std::string& out, std::string_view text);

void add_json_number(std::string& out, int64_t n);

/// Appends "," unless a list or an object has just begun.
void add_comma(std::string& out);

/// Appends a list of numbers.
template <typename List>
void add_json_numbers(std::string& out, const List& list) {
  out += '[';
  for (const std::integral auto& n : list) add_comma(out), add_json_number(out, static_cast<int64_t>(n));
  out += ']';
}

/// Appends `"key":` with the comma before it. Keys need no escapes.
void add_json_key(std::string& out, std::string_view key);

}  // namespace kc
