// SPDX-License-Identifier: Apache-2.0
// The preprocessor: object-like macros, conditionals, -D and -U.
// Function-like macros and #include are refused with a clear message.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/diagnostics.h"
#include "frontend/lexer.h"

namespace kc::front {

class Preprocessor {
 public:
  Preprocessor(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);
  void define(const std::string& definition);  // NAME or NAME=VALUE
  void undefine(const std::string& name);
  // The expanded tokens, ending in End. Their text lives as long as the file and this object.
  std::vector<Token> run();
  // Function-like macros, which were refused: their uses need no further message.
  const std::set<std::string_view>& refused() const { return refused_; }

 private:
  static constexpr size_t MaxTokens = 2'000'000;
  struct Macro {
    std::vector<Token> body;
    SourceRange range;
    bool active = false;  // being expanded: its own name is not expanded again
  };
  struct Conditional {
    bool was_taken;     // one of its branches was
    bool outer_active;  // the text around it is being compiled
    bool seen_else = false;
    SourceRange range;
  };

  void advance() { token_ = lexer_.next(); }
  bool at_directive_end() const { return token_.at_line_start || token_.kind == Tok::TokEnd; }
  void directive();
  void skip_directive();
  void expect_directive_end(std::string_view directive);
  void define_directive();
  void undef_directive();
  void ifdef_directive(SourceRange range, bool wanted);
  std::vector<Token> condition_tokens();
  void if_directive(SourceRange range);
  void else_directive(SourceRange range, bool with_expression);
  void endif_directive(SourceRange range);
  void error_directive(SourceRange range);
  void set_active(bool active);
  bool macro_name(std::string_view directive, Token& name);
  void expand(const Token& use);
  bool emit(Token token);
  void report_problem(const Token& token);

  std::shared_ptr<const SourceFile> owner_;
  const SourceFile& file_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  Token token_;
  std::deque<std::string> option_text_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::vector<Conditional> conditionals_;
  std::set<std::string_view> refused_;
  bool active_ = true;
  bool full_ = false;
  std::vector<Token> output_;
};

}  // namespace kc::front
