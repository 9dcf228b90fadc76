// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/json_text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace kc {

void add_json_string(std::string& out, std::string_view text) {
  if (!std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; })) {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  static constexpr std::string_view kDigits = "0123456789abcdef", kShort = "btn fr";  // from 8 on
  out += '"';
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 32 && c != '"' && c != '\\') continue;
    out.append(text, from, at - from);
    from = at + 1;
    out += '\\';
    if (c >= 32)
      out += text[at];
    else if (c >= 8 && c < 14 && c != 11)
      out += kShort[c - 8u];
    else
      out += "u00", out += kDigits[c >> 4], out += kDigits[c & 15];
  }
  out.append(text, from);
  out += '"';
}

void add_json_number(std::string& out, int64_t n) {
  char digits[20];
  out.append(digits, std::to_chars(digits, std::end(digits), n).ptr);
}

void add_comma(std::string& out) {
  if (!out.empty() && out.back() != '[' && out.back() != '{') out += ',';
}

void add_json_key(std::string& out, std::string_view key) {
  add_comma(out);
  out += '"', out += key, out += "\":";
}

}  // namespace kc
