// SPDX-License-Identifier: Apache-2.0
#include "ir/json/bytes.h"

#include <fmt/format.h>

namespace kc {
namespace {

// The length of the character at the start of `s`, or 0: overlong forms, surrogates and what lies behind
// U+10FFFF are none (Unicode 15, table 3-7).
size_t utf8_length(std::string_view s) {
  auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned c = byte(0);
  if (c < 0x80) return 1;
  if (c >= 0xc2 && c <= 0xdf) return follows(1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    const bool second = c == 0xe0 ? follows(1, 0xa0) : c == 0xed ? follows(1, 0x80, 0x9f) : follows(1);
    return second && follows(2) ? 3 : 0;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    const bool second = c == 0xf0 ? follows(1, 0x90) : c == 0xf4 ? follows(1, 0x80, 0x8f) : follows(1);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

// U+F780 to U+F7FF are EF 9E 80 to EF 9F BF.
bool is_private(std::string_view character) {
  return character.size() == 3 && character[0] == '\xef' &&
         (character[1] == '\x9e' || character[1] == '\x9f');
}

}  // namespace

std::string json_string(std::string_view bytes) {
  std::string r = "\"";
  while (!bytes.empty()) {
    size_t n = utf8_length(bytes);
    if (n == 0 || is_private(bytes.substr(0, n))) {
      const unsigned code = 0xf780u + (static_cast<unsigned char>(bytes[0]) & 0x7fu);
      r += static_cast<char>(0xe0 | (code >> 12));
      r += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      r += static_cast<char>(0x80 | (code & 0x3f));
      n = 1;
    } else if (const char c = bytes[0]; c == '"' || c == '\\') {
      r += '\\', r += c;
    } else if (static_cast<unsigned char>(c) < 32) {
      r += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      r += bytes.substr(0, n);
    }
    bytes.remove_prefix(n);
  }
  return r + '"';
}

std::string bytes_of_json(std::string_view characters) {
  std::string r;
  while (!characters.empty()) {
    if (is_private(characters.substr(0, 3))) {
      const unsigned low = static_cast<unsigned char>(characters[2]) & 0x3fu;
      r += static_cast<char>(0x80 | (characters[1] == '\x9f' ? 0x40 : 0) | low);
      characters.remove_prefix(3);
    } else {
      r += characters[0];
      characters.remove_prefix(1);
    }
  }
  return r;
}

}  // namespace kc
