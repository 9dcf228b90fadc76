// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/preprocessor.h"

#include <fmt/format.h>

#include <utility>

namespace kc::front {

Preprocessor::Preprocessor(Sources& sources, Diagnostics& diagnostics, const FrontendOptions& options)
    : sources_(sources), diagnostics_(diagnostics), options_(options) {
  auto word = [&](std::string_view text) { return interner_.intern(text); };
  auto builtin = [&](std::string_view name, BuiltinMacro which) {
    macros_.emplace_back().builtin = which;
    word(name)->macro = &macros_.back();
  };
  defined_ = word("defined");
  rest_name_ = word("__VA_ARGS__");
  if_rest_ = word("__VA_OPT__");
  pragma_word_ = word("_Pragma");
  builtin("__LINE__", BuiltinMacro::Line);
  builtin("__FILE__", BuiltinMacro::File);
  builtin("__COUNTER__", BuiltinMacro::Counter);
  builtin("__has_builtin", BuiltinMacro::HasBuiltin);
  builtin("__has_attribute", BuiltinMacro::HasAttribute);
  builtin("__has_include", BuiltinMacro::HasInclude);
  builtin("__has_feature", BuiltinMacro::HasOther);
  builtin("__has_extension", BuiltinMacro::HasOther);
}

// The command-line options as directives.
std::string Preprocessor::command_line(const FrontendOptions& options) const {
  std::string text;
  auto add = [&](std::string_view directive, std::string argument) {
    for (char& c : argument)
      if (c == '\n') c = ' ';
    text += fmt::format("#{} {}\n", directive, argument);
  };
  for (const std::string& d : options.defines) {
    size_t equals = d.find('=');
    add("define", d.substr(0, equals) + " " + (equals == std::string::npos ? "1" : d.substr(equals + 1)));
  }
  for (const std::string& u : options.undefines) add("undef", u);
  for (const std::string& i : options.includes) add("include", '"' + i + '"');
  return text;
}

void Preprocessor::open(std::shared_ptr<const SourceFile> main) {
  main_base_ = sources_.add_file(main);  // the main file has the lowest positions
  main_ = std::move(main);
  if (std::string given = command_line(options_); !given.empty())
    given_ = std::make_shared<SourceFile>("<command line>", given);
  enter_file(std::make_shared<SourceFile>(std::string(kPredefinedName), predefined_macros(options_)),
             NoPosition, true);
}

bool Preprocessor::enter_next_text() {
  if (given_ && enter_file(std::exchange(given_, nullptr), NoPosition, true)) return true;
  if (!main_) return false;
  const Lexer lexer(*main_, main_base_);
  warn_of_blanks(*main_, main_base_);
  files_.push_back({std::exchange(main_, nullptr), main_base_, lexer, {}});
  return true;
}

Token Preprocessor::next() {
  while (!files_.empty() || enter_next_text()) {
    Token t = next_token();
    if (t.kind == Tok::TokEnd) {
      end_ = end_here();
      leave_file();
      continue;
    }
    // A stray character is an error only if it reaches the parser.
    if (t.kind == Tok::TokYYUNDEF) report_problem(t);
    if (emitted_ < MaxTokens) {
      ++emitted_;
      return t;
    }
    stop(t.range, fmt::format("too many tokens after preprocessing; the limit is {}", MaxTokens));
  }
  return end_;
}

std::vector<Token> Preprocessor::all() {
  std::vector<Token> tokens;
  do tokens.push_back(next());
  while (tokens.back().kind != Tok::TokEnd);
  return tokens;
}

bool Preprocessor::enter_file(std::shared_ptr<const SourceFile> file, Position included_at,
                              bool from_options) {
  Position base = sources_.add_file(file, included_at, from_options);
  if (base == NoPosition) return false;
  Lexer lexer(*file, base);
  warn_of_blanks(*file, base);
  files_.push_back({std::move(file), base, lexer, {}});
  return true;
}

void Preprocessor::warn_of_blanks(const SourceFile& file, Position base) {
  for (uint32_t at : file.blanks_after_backslash())
    diagnostics_.warning(Warning::BackslashNewlineEscape, {base + at, base + at + 1},
                         "the backslash joins two lines although blanks follow it");
}

void Preprocessor::leave_file() {
  OpenFile& f = files_.back();
  if (!full_) {
    if (f.lexer.open_comment()) diagnostics_.error(*f.lexer.open_comment(), "unterminated /* comment");
    for (const Conditional& c : f.conditionals)
      diagnostics_.error(c.range, "unterminated conditional directive");
  }
  if (!f.conditionals.empty()) active_ = f.conditionals.front().outer_active;
  files_.pop_back();
}

// An End token at the end of the innermost file.
Token Preprocessor::end_here() {
  const OpenFile& f = files_.back();
  Position end = f.base + static_cast<Position>(f.file->text().size());
  return {.kind = Tok::TokEnd, .before = {true, false}, .range = {end, end}};
}

// After a limit is exceeded, reading stops.
void Preprocessor::stop(SourceRange where, std::string message) {
  if (!full_) diagnostics_.error(where, std::move(message));
  full_ = true;
}

Token Preprocessor::next_raw() {
  while (!contexts_.empty()) {
    Context& c = contexts_.back();
    if (c.at != c.end && !full_) {
      Token t = *c.at++;
      if (!c.owned.empty() || c.is_argument) return t;
      t.from_macro = true;
      Position shift = c.base - c.macro->body_range.begin;
      t.range = c.base == NoPosition ? c.use : SourceRange{t.range.begin + shift, t.range.end + shift};
      return t;
    }
    if (c.is_argument) return {};
    pop_context();
  }
  while (!full_) {
    Token t = lexer().next();
    switch (t.kind) {
      case Tok::TokHash:
        if (!t.before.line_start || in_directive_) break;
        directive(t);
        continue;
      case Tok::TokEnd:
        if (in_directive_ || gathering_ > 0 || files_.size() == 1) return t;
        leave_file();
        continue;
      case Tok::TokIdentifier:
        if (active_) t.identifier = interner_.intern(t.text);
        break;
      default:
        break;
    }
    if (!active_) continue;
    if (t.malformed) report_problem(t);
    return t;
  }
  return end_here();
}

Token Preprocessor::next_token() {
  for (;;) {
    Token t = next_raw();
    t.before.line_start |= carry_.line_start;
    t.before.space |= carry_.space;
    t.detached = after_macro_;
    carry_ = {};
    after_macro_ = false;
    bool operand = after_defined_;
    after_defined_ = operand && t.kind == Tok::TokLParen;
    if (t.kind != Tok::TokIdentifier) return t;
    if (operand) {
      t.blocked = true;
      return t;
    }
    if (t.identifier->macro) {
      if (t.blocked || !expand(t)) return t;
      continue;
    }
    if (t.identifier == defined_) {
      after_defined_ = in_condition_;
    } else if (t.identifier == pragma_word_ && expanding_arguments_ == 0 && !in_directive_) {
      pragma_operator(t);
      continue;
    }
    return t;
  }
}

void Preprocessor::report_problem(const Token& token) {
  if (token.malformed) {
    bool character = token.kind == Tok::TokCharacter;
    diagnostics_.error({token.range.begin, token.range.begin + 1},
                       character ? "missing terminating ' character" : "missing terminating '\"' character");
    return;
  }
  unsigned char c = static_cast<unsigned char>(token.text[0]);
  bool printable = token.text.size() < 40 && (c > 32 && c != 127);
  for (char b : token.text) printable = printable && (c < 0x80 || static_cast<unsigned char>(b) >= 0x80);
  std::string shown = printable ? fmt::format("'{}'", token.text) : fmt::format("<{:02X}>", c);
  diagnostics_.error(token.range, fmt::format("unexpected character {}", shown));
}

}  // namespace kc::front
