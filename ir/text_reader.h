// SPDX-License-Identifier: Apache-2.0
// Characters and tokens of the text form (ir/text.h), for the parts of its parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/text.h"

namespace kc {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  /// Errors are thrown as TextError; parse_module turns them into its result.
  [[noreturn]] void fail(std::string message) const { fail_at(at_, std::move(message)); }
  [[noreturn]] void fail_at(size_t where, std::string message) const;

  /// White space and comments.
  void skip();
  /// The next character after them, or 0 at the end.
  char peek();
  /// The position of the next token.
  size_t position() { return skip(), at_; }
  bool try_punct(std::string_view p);
  void punct(std::string_view p);
  std::string_view word();
  bool try_word(std::string_view w);
  int64_t integer();
  uint32_t small(std::string_view what, uint32_t limit);
  std::string string();
  Type type();

 protected:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace kc
