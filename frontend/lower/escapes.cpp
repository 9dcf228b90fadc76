// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/escapes.h"

#include <charconv>
#include <optional>

namespace kc::front {

std::optional<char> next_character(std::string_view& text) {
  if (text[0] != '\\') {
    char c = text[0];
    text.remove_prefix(1);
    return c;
  }
  if (text.size() < 2) return std::nullopt;
  static constexpr std::string_view Letters = "abefnrtv\\'\"?", Values = "\a\b\x1b\f\n\r\t\v\\'\"?";
  if (size_t at = Letters.find(text[1]); at != std::string_view::npos) {
    text.remove_prefix(2);
    return Values[at];
  }
  bool hex = text[1] == 'x';
  std::string_view digits = hex ? text.substr(2) : text.substr(1, 3);  // at most three octal digits
  unsigned value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 8);
  if (error != std::errc() || value > 255) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return static_cast<char>(value);
}

bool read_text(StringExpr* e, Arena& arena, Diagnostics& diagnostics) {
  std::string text;
  for (const StringPiece& p : e->pieces) {
    if (p.spelling.size() < 2 || p.spelling.back() != '"') return false;  // the lexer has reported it
    std::string_view rest = p.spelling.substr(1, p.spelling.size() - 2);
    while (!rest.empty()) {
      std::optional<char> c = next_character(rest);
      if (!c) {
        diagnostics.error(p.range, "unknown escape sequence in string literal");
        return false;
      }
      text += *c;
    }
  }
  e->text = arena.copy(std::string_view(text));
  return true;
}

}  // namespace kc::front
