// SPDX-License-Identifier: Apache-2.0
#include "frontend/lexer.h"

#include <fmt/format.h>

namespace kc::front {

SourceRange Lexer::range(const char* begin, const char* end) const {
  if (!file_) return NoRange;
  uint32_t from = static_cast<uint32_t>(begin - text_.data()), to = static_cast<uint32_t>(end - text_.data());
  return {file_->original_offset(from), to > from ? file_->original_offset(to - 1) + 1 : file_->original_offset(from)};
}

Token Lexer::token(TokenKind kind, const char* begin, bool at_line_start) const {
  return {kind, at_line_start, false, range(begin, cursor_),
          std::string_view(begin, static_cast<size_t>(cursor_ - begin))};
}

// Bytes that no token begins with; a run of control characters or of bytes beyond ASCII is one token.
Token Lexer::bad_bytes(const char* begin, bool at_line_start) {
  auto strange = [](char b) { return static_cast<unsigned char>(b) >= 0x80 || (b >= 0 && b < 9) || b == 127; };
  while (strange(*begin) && cursor_ < limit() && strange(*cursor_)) ++cursor_;
  Token t = token(Tok::TokYYUNDEF, begin, at_line_start);
  t.problem = "unexpected character";
  return t;
}

Token Lexer::open_literal(TokenKind kind, const char* begin, bool at_line_start, const char* problem) {
  Token t = token(kind, begin, at_line_start);
  t.problem = problem;
  return t;
}

// The text ends in a NUL, which stops every rule; a NUL before the end is an unexpected character.
Token Lexer::next() {
  bool at_line_start = at_line_start_;
  at_line_start_ = false;
  const char* marker = cursor_;
  for (;;) {
    const char* begin = cursor_;
    /*!re2c
      re2c:define:YYCTYPE = "unsigned char";
      re2c:define:YYCURSOR = cursor_;
      re2c:define:YYMARKER = marker;
      re2c:yyfill:enable = 0;

      digit = [0-9];
      letter = [A-Za-z_$];
      escape = "\\" [^\x00\n];

      "\x00" {
        if (begin < limit()) return bad_bytes(begin, at_line_start);
        cursor_ = begin;
        return token(Tok::TokEnd, begin, true);
      }
      [ \t\v\f\r]+ { continue; }
      "\n" { at_line_start = true; continue; }
      "//" [^\x00\n]* { continue; }
      "/*" {
        for (; cursor_ < limit(); ++cursor_) {
          if (cursor_[0] == '*' && cursor_[1] == '/') break;
        }
        if (cursor_ == limit()) open_comment_ = range(begin, begin + 2);
        else cursor_ += 2;
        continue;
      }
      letter (letter | digit)* { return token(Tok::TokIdentifier, begin, at_line_start); }
      "."? digit ([eEpP] [+-] | letter | digit | ".")* { return token(Tok::TokNumber, begin, at_line_start); }
      "'" ([^'\\\n\x00] | escape)* "'" { return token(Tok::TokCharacter, begin, at_line_start); }
      ["] ([^"\\\n\x00] | escape)* ["] { return token(Tok::TokString, begin, at_line_start); }
      "'" ([^'\\\n\x00] | escape)* {
        return open_literal(Tok::TokCharacter, begin, at_line_start, "missing terminating ' character");
      }
      ["] ([^"\\\n\x00] | escape)* {
        return open_literal(Tok::TokString, begin, at_line_start, "missing terminating '\"' character");
      }
      "(" { return token(Tok::TokLParen, begin, at_line_start); }
      ")" { return token(Tok::TokRParen, begin, at_line_start); }
      "{" { return token(Tok::TokLBrace, begin, at_line_start); }
      "}" { return token(Tok::TokRBrace, begin, at_line_start); }
      "[" { return token(Tok::TokLBracket, begin, at_line_start); }
      "]" { return token(Tok::TokRBracket, begin, at_line_start); }
      ";" { return token(Tok::TokSemicolon, begin, at_line_start); }
      "," { return token(Tok::TokComma, begin, at_line_start); }
      ":" { return token(Tok::TokColon, begin, at_line_start); }
      "?" { return token(Tok::TokQuestion, begin, at_line_start); }
      "." { return token(Tok::TokDot, begin, at_line_start); }
      "..." { return token(Tok::TokEllipsis, begin, at_line_start); }
      "->" { return token(Tok::TokArrow, begin, at_line_start); }
      "+" { return token(Tok::TokPlus, begin, at_line_start); }
      "-" { return token(Tok::TokMinus, begin, at_line_start); }
      "*" { return token(Tok::TokStar, begin, at_line_start); }
      "/" { return token(Tok::TokSlash, begin, at_line_start); }
      "%" { return token(Tok::TokPercent, begin, at_line_start); }
      "++" { return token(Tok::TokPlusPlus, begin, at_line_start); }
      "--" { return token(Tok::TokMinusMinus, begin, at_line_start); }
      "&" { return token(Tok::TokAmp, begin, at_line_start); }
      "|" { return token(Tok::TokPipe, begin, at_line_start); }
      "^" { return token(Tok::TokCaret, begin, at_line_start); }
      "~" { return token(Tok::TokTilde, begin, at_line_start); }
      "!" { return token(Tok::TokBang, begin, at_line_start); }
      "&&" { return token(Tok::TokAmpAmp, begin, at_line_start); }
      "||" { return token(Tok::TokPipePipe, begin, at_line_start); }
      "<" { return token(Tok::TokLess, begin, at_line_start); }
      ">" { return token(Tok::TokGreater, begin, at_line_start); }
      "<=" { return token(Tok::TokLessEqual, begin, at_line_start); }
      ">=" { return token(Tok::TokGreaterEqual, begin, at_line_start); }
      "==" { return token(Tok::TokEqualEqual, begin, at_line_start); }
      "!=" { return token(Tok::TokBangEqual, begin, at_line_start); }
      "<<" { return token(Tok::TokLessLess, begin, at_line_start); }
      ">>" { return token(Tok::TokGreaterGreater, begin, at_line_start); }
      "=" { return token(Tok::TokEqual, begin, at_line_start); }
      "*=" { return token(Tok::TokStarEqual, begin, at_line_start); }
      "/=" { return token(Tok::TokSlashEqual, begin, at_line_start); }
      "%=" { return token(Tok::TokPercentEqual, begin, at_line_start); }
      "+=" { return token(Tok::TokPlusEqual, begin, at_line_start); }
      "-=" { return token(Tok::TokMinusEqual, begin, at_line_start); }
      "<<=" { return token(Tok::TokLessLessEqual, begin, at_line_start); }
      ">>=" { return token(Tok::TokGreaterGreaterEqual, begin, at_line_start); }
      "&=" { return token(Tok::TokAmpEqual, begin, at_line_start); }
      "|=" { return token(Tok::TokPipeEqual, begin, at_line_start); }
      "^=" { return token(Tok::TokCaretEqual, begin, at_line_start); }
      "#" { return token(Tok::TokHash, begin, at_line_start); }
      "##" { return token(Tok::TokHashHash, begin, at_line_start); }
      * { return bad_bytes(begin, at_line_start); }
    */
  }
}

}  // namespace kc::front
