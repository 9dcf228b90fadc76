// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/lexer.h"

#include <algorithm>

namespace kc::front {

namespace {
constexpr char CommentEnd[] = {'*', '/'};
}

SourceRange Lexer::range(const char* begin, const char* end) const {
  if (!file_) return NoRange;
  uint32_t from = static_cast<uint32_t>(begin - text_), to = static_cast<uint32_t>(end - text_);
  if (!file_->has_splices()) return {base_ + from, base_ + to};
  return {base_ + file_->original_offset(from),
          base_ + (to > from ? file_->original_offset(to - 1) + 1 : file_->original_offset(from))};
}

Token Lexer::token(TokenKind kind, const char* begin, Token::Spacing spacing) const {
  std::string_view text(begin, static_cast<size_t>(cursor_ - begin));
  return {.kind = kind, .before = spacing, .range = range(begin, cursor_), .text = text};
}

// Bytes that cannot start a token. A run of control characters or of non-ASCII bytes is one token.
Token Lexer::bad_bytes(const char* begin, Token::Spacing spacing) {
  auto strange = [](char b) { return static_cast<unsigned char>(b) >= 0x80 || (b >= 0 && b < 9) || b == 127; };
  while (strange(*begin) && cursor_ < limit_ && strange(*cursor_)) ++cursor_;
  return token(Tok::TokYYUNDEF, begin, spacing);
}

Token Lexer::open_literal(TokenKind kind, const char* begin, Token::Spacing spacing) {
  Token t = token(kind, begin, spacing);
  t.malformed = true;
  return t;
}

bool Lexer::next_is(TokenKind kind) {
  State saved = state();
  bool is = next().kind == kind;
  restore(saved);
  return is;
}

// Includes the text of comments: a #error message is for human readers.
Token Lexer::rest_of_line() {
  while (*cursor_ == ' ' || *cursor_ == '\t') ++cursor_;
  const char* begin = cursor_;
  while (cursor_ < limit_ && *cursor_ != '\n') ++cursor_;
  const char* end = cursor_;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  std::string_view text(begin, static_cast<size_t>(end - begin));
  return {.kind = Tok::TokString, .range = range(begin, end), .text = text};
}

Token Lexer::header_name() {
  State saved = state();
  Token::Spacing spacing;
  Token first = next();
  const char* begin = cursor_ - first.text.size();
  char close = first.kind == Tok::TokLess ? '>' : first.kind == Tok::TokString ? '"' : '\0';
  bool one_token = close && *begin == (close == '>' ? '<' : '"');
  for (cursor_ = begin + 1; one_token && cursor_ < limit_ && *cursor_ != '\n'; ++cursor_)
    if (*cursor_ == close) {
      ++cursor_;
      return token(Tok::TokString, begin, spacing);
    }
  restore(saved);
  return {};
}

// The text ends in a NUL, which ends every rule; a NUL before the end is an unexpected character.
Token Lexer::next() {
  Token::Spacing spacing{at_line_start_, false};
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
        if (begin < limit_) return bad_bytes(begin, spacing);
        cursor_ = begin;
        return token(Tok::TokEnd, begin, {true, false});
      }
      [ \t\v\f\r]+ { spacing.space = true; continue; }
      "\n" {
        if (in_directive_) {
          cursor_ = begin;
          return token(Tok::TokEnd, begin, {true, false});
        }
        spacing.line_start = true;
        continue;
      }
      "//" [^\x00\n]* {
        // A NUL inside the comment is part of it.
        while (*cursor_ == '\0' && cursor_ < limit_)
          while (cursor_ < limit_ && *cursor_ != '\n') ++cursor_;
        spacing.space = true;
        continue;
      }
      "/*" {
        const char* end = std::search(cursor_, limit_, CommentEnd, CommentEnd + 2);
        if (end == limit_) open_comment_ = range(begin, begin + 2);
        cursor_ = std::min(end + 2, limit_);
        spacing.space = true;
        continue;
      }
      letter (letter | digit)* { return token(Tok::TokIdentifier, begin, spacing); }
      "."? digit ([eEpP] [+-] | letter | digit | ".")* { return token(Tok::TokNumber, begin, spacing); }
      "L"? "'" ([^'\\\n\x00] | escape)* "'" { return token(Tok::TokCharacter, begin, spacing); }
      ["] ([^"\\\n\x00] | escape)* ["] { return token(Tok::TokString, begin, spacing); }
      "L"? "'" ([^'\\\n\x00] | escape)* { return open_literal(Tok::TokCharacter, begin, spacing); }
      ["] ([^"\\\n\x00] | escape)* { return open_literal(Tok::TokString, begin, spacing); }
      "(" { return token(Tok::TokLParen, begin, spacing); }
      ")" { return token(Tok::TokRParen, begin, spacing); }
      "{" { return token(Tok::TokLBrace, begin, spacing); }
      "}" { return token(Tok::TokRBrace, begin, spacing); }
      "[" { return token(Tok::TokLBracket, begin, spacing); }
      "]" { return token(Tok::TokRBracket, begin, spacing); }
      ";" { return token(Tok::TokSemicolon, begin, spacing); }
      "," { return token(Tok::TokComma, begin, spacing); }
      ":" { return token(Tok::TokColon, begin, spacing); }
      "?" { return token(Tok::TokQuestion, begin, spacing); }
      "." { return token(Tok::TokDot, begin, spacing); }
      "..." { return token(Tok::TokEllipsis, begin, spacing); }
      "->" { return token(Tok::TokArrow, begin, spacing); }
      "+" { return token(Tok::TokPlus, begin, spacing); }
      "-" { return token(Tok::TokMinus, begin, spacing); }
      "*" { return token(Tok::TokStar, begin, spacing); }
      "/" { return token(Tok::TokSlash, begin, spacing); }
      "%" { return token(Tok::TokPercent, begin, spacing); }
      "++" { return token(Tok::TokPlusPlus, begin, spacing); }
      "--" { return token(Tok::TokMinusMinus, begin, spacing); }
      "&" { return token(Tok::TokAmp, begin, spacing); }
      "|" { return token(Tok::TokPipe, begin, spacing); }
      "^" { return token(Tok::TokCaret, begin, spacing); }
      "~" { return token(Tok::TokTilde, begin, spacing); }
      "!" { return token(Tok::TokBang, begin, spacing); }
      "&&" { return token(Tok::TokAmpAmp, begin, spacing); }
      "||" { return token(Tok::TokPipePipe, begin, spacing); }
      "<" { return token(Tok::TokLess, begin, spacing); }
      ">" { return token(Tok::TokGreater, begin, spacing); }
      "<=" { return token(Tok::TokLessEqual, begin, spacing); }
      ">=" { return token(Tok::TokGreaterEqual, begin, spacing); }
      "==" { return token(Tok::TokEqualEqual, begin, spacing); }
      "!=" { return token(Tok::TokBangEqual, begin, spacing); }
      "<<" { return token(Tok::TokLessLess, begin, spacing); }
      ">>" { return token(Tok::TokGreaterGreater, begin, spacing); }
      "=" { return token(Tok::TokEqual, begin, spacing); }
      "*=" { return token(Tok::TokStarEqual, begin, spacing); }
      "/=" { return token(Tok::TokSlashEqual, begin, spacing); }
      "%=" { return token(Tok::TokPercentEqual, begin, spacing); }
      "+=" { return token(Tok::TokPlusEqual, begin, spacing); }
      "-=" { return token(Tok::TokMinusEqual, begin, spacing); }
      "<<=" { return token(Tok::TokLessLessEqual, begin, spacing); }
      ">>=" { return token(Tok::TokGreaterGreaterEqual, begin, spacing); }
      "&=" { return token(Tok::TokAmpEqual, begin, spacing); }
      "|=" { return token(Tok::TokPipeEqual, begin, spacing); }
      "^=" { return token(Tok::TokCaretEqual, begin, spacing); }
      "#" { return token(Tok::TokHash, begin, spacing); }
      "<:" { return token(Tok::TokLBracket, begin, spacing); }
      ":>" { return token(Tok::TokRBracket, begin, spacing); }
      "<%" { return token(Tok::TokLBrace, begin, spacing); }
      "%>" { return token(Tok::TokRBrace, begin, spacing); }
      "%:" { return token(Tok::TokHash, begin, spacing); }
      "%:%:" { return token(Tok::TokHashHash, begin, spacing); }
      "##" { return token(Tok::TokHashHash, begin, spacing); }
      * { return bad_bytes(begin, spacing); }
    */
  }
}

}  // namespace kc::front
