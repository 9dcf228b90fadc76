// SPDX-License-Identifier: Apache-2.0
// Cuts text into tokens. Words are all identifiers here: keywords are told apart after macro expansion.
#pragma once
#include "frontend/diagnostics.h"
#include "frontend/token.h"

namespace kc::front {

class Lexer {
 public:
  // With a file, positions are the file's; without one (the value of a -D option) there are none.
  Lexer(const std::string& text, const SourceFile* file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics), cursor_(text.data()) {}
  Token next();
  // In text that conditional compilation skips nothing is worth a report.
  void set_quiet(bool quiet) { quiet_ = quiet; }

 private:
  SourceRange range(const char* begin, const char* end) const;
  Token token(TokenKind kind, const char* begin, bool at_line_start) const;
  const char* limit() const { return text_.data() + text_.size(); }
  void report(SourceRange where, const char* message);
  void report_bad_byte(const char* begin);

  const std::string& text_;
  const SourceFile* file_;
  Diagnostics& diagnostics_;
  const char* cursor_;
  bool at_line_start_ = true;
  bool quiet_ = false;
};

}  // namespace kc::front
