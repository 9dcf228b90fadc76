// SPDX-License-Identifier: Apache-2.0
// Cuts text into tokens. Words are all identifiers here: keywords are told apart after macro expansion.
#pragma once
#include <optional>

#include "frontend/token.h"

namespace kc::front {

class Lexer {
 public:
  // With a file, positions are the file's; without one (the value of a -D option) there are none.
  Lexer(const std::string& text, const SourceFile* file) : text_(text), file_(file), cursor_(text.data()) {}
  // What is wrong with a token is noted in it: in skipped text it does not matter.
  Token next();
  // Where the comment begins that the end of the text cuts off.
  std::optional<SourceRange> open_comment() const { return open_comment_; }

 private:
  SourceRange range(const char* begin, const char* end) const;
  Token token(TokenKind kind, const char* begin, bool at_line_start) const;
  const char* limit() const { return text_.data() + text_.size(); }
  Token bad_bytes(const char* begin, bool at_line_start);
  Token open_literal(TokenKind kind, const char* begin, bool at_line_start, const char* problem);

  const std::string& text_;
  const SourceFile* file_;
  const char* cursor_;
  bool at_line_start_ = true;
  std::optional<SourceRange> open_comment_;
};

}  // namespace kc::front
