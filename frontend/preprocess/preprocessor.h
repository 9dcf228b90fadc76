// SPDX-License-Identifier: Apache-2.0
// The preprocessor: converts files into the token stream for the parser. It runs once per compilation.
//
// Tokens are pulled. `next` returns those of all files, `next_token` those of one, fully expanded. It calls
// `next_raw`, which reads from the innermost macro under expansion or, outside macros, from the file, and
// executes directives on the way.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/parse/arena.h"
#include "frontend/preprocess/lexer.h"
#include "frontend/preprocess/macro.h"
#include "frontend/preprocess/token_source.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

class Preprocessor : public TokenSource {
 public:
  Preprocessor(Sources& sources, Diagnostics& diagnostics, const FrontendOptions& options);
  // The file to read; once, before tokens are asked for.
  void open(std::shared_ptr<const SourceFile> main);
  // The next expanded token. Its text lives as long as the sources and this object.
  Token next() override;
  // All of them, End included.
  std::vector<Token> all();
  const std::deque<Pragma>& pragmas() const override { return pragmas_; }
  bool misses_file() const override { return misses_file_; }

 private:
  static constexpr size_t MaxTokens = 4'000'000;
  static constexpr size_t MaxSteps = 16'000'000;  // tokens that macro expansion reads and writes
  static constexpr int MaxArgumentNesting = 500;
  static constexpr size_t MaxIncludeDepth = 100;
  static constexpr size_t MaxIncludes = 20'000;
  static constexpr size_t MaxIncludedBytes = 256u << 20;

  struct Conditional {
    bool was_taken;     // one of its branches was compiled
    bool outer_active;  // the enclosing text is being compiled
    bool seen_else = false;
    SourceRange range;
  };
  struct OpenFile {
    std::shared_ptr<const SourceFile> file;
    Position base;
    Lexer lexer;
    std::vector<Conditional> conditionals;
  };
  // Tokens to read before the file continues: the body of a macro, or an argument under expansion.
  struct Context {
    Macro* macro = nullptr;
    const Token* at = nullptr;
    const Token* end = nullptr;
    std::vector<Token> owned;  // the body after substitution; if empty, the macro's own body is read
    SourceRange use;
    Position base = NoPosition;  // of the expansion, if the macro's own body is read
    bool is_argument = false;    // reading stops at its end
  };
  struct Substitution;
  struct IncludeName {
    std::string text;
    bool angled = false;
    SourceRange where;
  };
  struct Found {
    std::shared_ptr<const SourceFile> file;
    std::string problem;  // why an existing file cannot be read
  };

  // preprocessor.cpp: the stream
  bool enter_next_text();
  bool enter_file(std::shared_ptr<const SourceFile> file, Position included_at, bool from_options);
  void leave_file();
  void warn_of_blanks(const SourceFile& file, Position base);
  Token next_raw();
  Token next_token();
  void report_problem(const Token& token);
  Lexer& lexer() { return files_.back().lexer; }
  Token end_here();
  void stop(SourceRange where, std::string message);
  std::string command_line(const FrontendOptions& options) const;
  std::string_view keep(std::string_view text) { return arena_.copy(text); }

  // expansion.cpp
  bool expand(Token& name);
  bool spend(size_t steps, SourceRange where);
  bool next_is_parenthesis();
  bool gather_arguments(const Macro& macro, const Token& name, MacroArguments& arguments, Position& end);
  bool check_count(const Macro& macro, const Token& name, MacroArguments& arguments);
  std::span<const Token> expanded_argument(MacroArguments& arguments, size_t i, SourceRange use);
  void push_context(Context context);
  void pop_context();
  void enter_body(Macro& macro, SourceRange use);
  void enter_substituted(Macro& macro, MacroArguments& arguments, SourceRange use);
  void replace_builtin(Token& name);
  bool has_include(), has_name(BuiltinMacro which, const Token&question);
  void answer(Token& question);
  MacroArguments* take_arguments();
  std::vector<Token> take_tokens();

  // substitution.cpp
  void substitute(Substitution& s);
  void append_operand(Substitution& s, size_t& i, bool as_written, bool& empty);
  void append_argument(Substitution& s, size_t i, std::span<const Token> tokens);
  size_t end_of_optional(const Macro& macro, size_t i) const;
  bool check_optional(const Macro& macro);
  bool comma_before_rest(const Substitution& s, size_t i) const;
  Token stringify(Substitution& s, size_t hash, std::span<const Token> tokens);
  void paste(Substitution& s, size_t left, SourceRange range, SourceRange use);

  // directives.cpp
  std::vector<Conditional>& conditionals() { return files_.back().conditionals; }
  void directive(const Token& hash);
  void carry_out(std::string_view word, const Token& name, SourceRange range);
  void unknown_directive(const Token& name);
  bool conditional_directive(std::string_view word, SourceRange range);
  void expect_directive_end(std::string_view directive);
  std::vector<Token> rest_expanded();
  bool macro_name(std::string_view directive, SourceRange range, Token& name);
  void define_directive(SourceRange range);
  bool read_parameters(Macro& macro);
  bool read_body(Macro& macro, Token first);
  void define(const Token& name, Macro macro);
  void undef_directive(SourceRange range);
  void ifdef_directive(SourceRange range, bool wanted);
  bool condition(SourceRange range);
  void if_directive(SourceRange range);
  void else_directive(SourceRange range, bool with_expression);
  void endif_directive(SourceRange range);
  void message_directive(SourceRange range, bool is_error);
  void line_directive(SourceRange range, bool is_marker, const Token* number = nullptr);

  // includes.cpp
  std::shared_ptr<const SourceFile> include_directive(SourceRange range);
  bool include_name(SourceRange range, IncludeName& name);
  std::vector<std::string> include_candidates(const IncludeName& name) const;
  const Found& load(const std::string& path);
  void report_missing(const IncludeName& name);
  void enter_include(std::shared_ptr<const SourceFile> file, SourceRange range);

  // pragmas.cpp
  void pragma_directive(SourceRange range);
  void pragma_operator(const Token& word);
  void pragma(const std::vector<Token>& tokens, std::string_view text, SourceRange range, bool in_file);
  Pragma::Kind contraction_pragma(std::string_view value, size_t tokens, SourceRange range);
  std::span<const Token> expanded(std::span<const Token> tokens);
  void unroll_pragma(std::span<const Token> tokens, Pragma& p);
  void pack_pragma(std::span<const Token> tokens, Pragma& p);
  void extension_pragma(const std::vector<Token>& tokens, SourceRange range);

  Sources& sources_;
  Diagnostics& diagnostics_;
  const FrontendOptions& options_;
  Arena arena_;
  Interner interner_;
  std::deque<Macro> macros_;  // including undefined ones
  Identifier *defined_, *rest_name_, *if_rest_, *pragma_word_;

  std::vector<OpenFile> files_;
  std::map<std::string, Found> loaded_;
  std::set<const SourceFile*> once_;
  bool misses_file_ = false;
  size_t includes_ = 0;
  size_t included_bytes_ = 0;
  bool active_ = true;
  bool in_directive_ = false;
  bool in_condition_ = false;
  bool after_defined_ = false;  // the next identifier is not expanded

  std::vector<Context> contexts_;
  std::vector<std::vector<Token>> spare_tokens_;  // buffers for reuse
  std::vector<std::unique_ptr<MacroArguments>> arguments_;
  size_t arguments_in_use_ = 0;
  int gathering_ = 0;            // number of macros whose arguments are being read
  int expanding_arguments_ = 0;  // number of arguments under expansion
  Token::Spacing carry_;         // the spacing before a macro, for the first token of its expansion
  bool after_macro_ = false;     // no token was taken since the last macro expansion
  Position outer_end_ = 0;       // of the outermost macro use under expansion
  size_t steps_ = 0;
  uint64_t counter_ = 0;
  bool full_ = false;  // a limit was exceeded

  std::shared_ptr<const SourceFile> given_, main_;  // still to read: options as text, the compiled file
  Position main_base_ = 0;
  Token end_;           // of the text that was read last
  size_t emitted_ = 0;  // tokens
  std::deque<Pragma> pragmas_;
};

// The predefined macros, as the text of a file.
inline constexpr std::string_view kPredefinedName = "<built-in>";  // of the file with this text
std::string predefined_macros(const FrontendOptions& options);

}  // namespace kc::front
