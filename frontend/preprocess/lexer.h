// SPDX-License-Identifier: Apache-2.0
// The lexer. It returns every word as an identifier; keywords are recognized after macro expansion.
#pragma once
#include <optional>

#include "frontend/source/token.h"

namespace kc::front {

class Lexer {
 public:
  // Lexes a file whose first byte has the position `base`.
  Lexer(const SourceFile& file, Position base) : Lexer(file.spliced()) { file_ = &file, base_ = base; }
  // Lexes a text outside any file; the text ends in a NUL.
  explicit Lexer(const std::string& text)
      : text_(text.data()), limit_(text.data() + text.size()), cursor_(text_) {}

  // Malformed tokens are marked and not reported, since they are harmless in skipped text.
  Token next();
  // Whether the next token is of this kind.
  bool next_is(TokenKind kind);
  // Between these two calls, tokens end with the line: next() returns an End that is not consumed.
  void begin_directive() { in_directive_ = true; }
  void end_directive() { in_directive_ = false; }
  // The text up to the end of the line, as one token.
  Token rest_of_line();
  // "NAME" or <NAME> with its quotes or brackets; End if the next token is neither. A backslash is an
  // ordinary character here.
  Token header_name();
  // The start of a comment that the end of the text leaves unterminated.
  std::optional<SourceRange> open_comment() const { return open_comment_; }

 private:
  struct State {
    const char* cursor;
    bool at_line_start;
    std::optional<SourceRange> open_comment;
  };
  State state() const { return {cursor_, at_line_start_, open_comment_}; }
  void restore(const State& s) {
    cursor_ = s.cursor, at_line_start_ = s.at_line_start, open_comment_ = s.open_comment;
  }
  SourceRange range(const char* begin, const char* end) const;
  Token token(TokenKind kind, const char* begin, Token::Spacing spacing) const;
  Token bad_bytes(const char* begin, Token::Spacing spacing);
  Token open_literal(TokenKind kind, const char* begin, Token::Spacing spacing);

  const char* text_;
  const char* limit_;
  const char* cursor_;
  const SourceFile* file_ = nullptr;
  Position base_ = 0;
  bool at_line_start_ = true;
  bool in_directive_ = false;
  std::optional<SourceRange> open_comment_;
};

}  // namespace kc::front
