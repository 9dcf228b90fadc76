// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocessor.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/condition.h"

namespace kc::front {

namespace {

// Macros that OpenCL C 1.2 names, and our own.
constexpr const char* Predefined[] = {
    "__kernelc__",
    "__OPENCL_VERSION__=120",
    "__OPENCL_C_VERSION__=120",
    "CL_VERSION_1_0=100",
    "CL_VERSION_1_1=110",
    "CL_VERSION_1_2=120",
    "__ENDIAN_LITTLE__",
    "cl_khr_fp64",
    "NULL=0",
    "CLK_LOCAL_MEM_FENCE=1",
    "CLK_GLOBAL_MEM_FENCE=2",
    "true=1",
    "false=0",
    "CHAR_BIT=8",
    "SCHAR_MAX=127",
    "SCHAR_MIN=(-127-1)",
    "CHAR_MAX=127",
    "CHAR_MIN=(-127-1)",
    "UCHAR_MAX=255",
    "SHRT_MAX=32767",
    "SHRT_MIN=(-32767-1)",
    "USHRT_MAX=65535",
    "INT_MAX=2147483647",
    "INT_MIN=(-2147483647-1)",
    "UINT_MAX=0xffffffffU",
    "LONG_MAX=0x7fffffffffffffffL",
    "LONG_MIN=(-0x7fffffffffffffffL-1)",
    "ULONG_MAX=0xffffffffffffffffUL",
    "FLT_DIG=6",
    "FLT_MANT_DIG=24",
    "FLT_MAX_EXP=128",
    "FLT_MIN_EXP=(-125)",
    "FLT_RADIX=2",
    "FLT_MAX=0x1.fffffep127f",
    "FLT_MIN=0x1.0p-126f",
    "FLT_EPSILON=0x1.0p-23f",
    "MAXFLOAT=0x1.fffffep127f",
    "DBL_DIG=15",
    "DBL_MANT_DIG=53",
    "DBL_MAX=0x1.fffffffffffffp1023",
    "DBL_MIN=0x1.0p-1022",
    "DBL_EPSILON=0x1.0p-52",
    "INFINITY=(1.0f/0.0f)",
    "HUGE_VALF=(1.0f/0.0f)",
    "HUGE_VAL=(1.0/0.0)",
    "NAN=(0.0f/0.0f)",
    "M_E=0x1.5bf0a8b145769p+1",
    "M_LOG2E=0x1.71547652b82fep+0",
    "M_LOG10E=0x1.bcb7b1526e50ep-2",
    "M_LN2=0x1.62e42fefa39efp-1",
    "M_LN10=0x1.26bb1bbb55516p+1",
    "M_PI=0x1.921fb54442d18p+1",
    "M_PI_2=0x1.921fb54442d18p+0",
    "M_PI_4=0x1.921fb54442d18p-1",
    "M_1_PI=0x1.45f306dc9c883p-2",
    "M_2_PI=0x1.45f306dc9c883p-1",
    "M_2_SQRTPI=0x1.20dd750429b6dp+0",
    "M_SQRT2=0x1.6a09e667f3bcdp+0",
    "M_SQRT1_2=0x1.6a09e667f3bcdp-1",
    "M_E_F=0x1.5bf0a8p+1f",
    "M_PI_F=0x1.921fb6p+1f",
    "M_PI_2_F=0x1.921fb6p+0f",
    "M_PI_4_F=0x1.921fb6p-1f",
    "M_1_PI_F=0x1.45f306p-2f",
    "M_2_PI_F=0x1.45f306p-1f",
    "M_SQRT2_F=0x1.6a09e6p+0f",
    "M_LN2_F=0x1.62e43p-1f",
};

}  // namespace

Preprocessor::Preprocessor(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics)
    : owner_(std::move(file)), file_(*owner_), diagnostics_(diagnostics), lexer_(file_.spliced(), &file_) {
  for (const char* text : Predefined) define(text);
}

void Preprocessor::define(const std::string& definition) {
  size_t equals = definition.find('=');
  std::string name = definition.substr(0, equals);
  option_text_.push_back(equals == std::string::npos ? "1" : definition.substr(equals + 1));
  Lexer lexer(option_text_.back(), nullptr);
  Macro macro;
  macro.range = NoRange;
  for (Token t = lexer.next(); t.kind != Tok::TokEnd; t = lexer.next()) macro.body.push_back(t);
  option_text_.push_back(name);
  Lexer name_lexer(option_text_.back(), nullptr);
  bool good = name_lexer.next().kind == Tok::TokIdentifier && name_lexer.next().kind == Tok::TokEnd;
  if (good)
    macros_[name] = std::move(macro);
  else
    diagnostics_.error(NoRange, fmt::format("macro name '{}' of option -D must be an identifier", name));
}

void Preprocessor::undefine(const std::string& name) { macros_.erase(name); }

std::vector<Token> Preprocessor::run() {
  advance();
  while (token_.kind != Tok::TokEnd && !full_) {
    if (token_.kind == Tok::TokHash && token_.at_line_start) {
      directive();
      continue;
    }
    if (active_) {
      report_problem(token_);
      expand(token_);
    }
    advance();
  }
  if (lexer_.open_comment() && active_) diagnostics_.error(*lexer_.open_comment(), "unterminated /* comment");
  for (const Conditional& c : conditionals_)
    diagnostics_.error(c.range, "unterminated conditional directive");
  Token end = token_;
  if (full_) end.kind = Tok::TokEnd;
  output_.push_back(end);
  return std::move(output_);
}

void Preprocessor::report_problem(const Token& token) {
  if (!token.problem) return;
  if (token.kind != Tok::TokYYUNDEF) {
    diagnostics_.error({token.range.begin, token.range.begin + 1}, token.problem);
    return;
  }
  unsigned char c = static_cast<unsigned char>(token.text[0]);
  bool printable = token.text.size() < 40 && (c > 32 && c != 127);
  for (char b : token.text) printable = printable && (c < 0x80 || static_cast<unsigned char>(b) >= 0x80);
  std::string shown = printable ? fmt::format("'{}'", token.text) : fmt::format("<{:02X}>", c);
  diagnostics_.error(token.range, fmt::format("{} {}", token.problem, shown));
}

bool Preprocessor::emit(Token token) {
  if (output_.size() < MaxTokens) {
    output_.push_back(token);
    return true;
  }
  if (!full_) diagnostics_.error(token.range, "too many tokens after macro expansion");
  full_ = true;
  return false;
}

// Nested expansions are kept on a stack of our own, so that neither depth nor repetition can hurt.
void Preprocessor::expand(const Token& use) {
  struct Level {
    Macro* macro;
    size_t at;
  };
  std::vector<Level> stack;
  size_t steps = 0;
  auto consider = [&](Token token) {
    if (token.kind == Tok::TokIdentifier) {
      auto found = macros_.find(token.text);
      if (found != macros_.end() && !found->second.active) {
        found->second.active = true;
        stack.push_back({&found->second, 0});
        return;
      }
    }
    emit(token);
  };
  consider(use);
  while (!stack.empty()) {
    Level& level = stack.back();
    if (level.at == level.macro->body.size() || full_) {
      level.macro->active = false;
      stack.pop_back();
      continue;
    }
    if (++steps > MaxTokens && !full_) {
      diagnostics_.error(use.range, "this macro expands to too many tokens");
      full_ = true;
    }
    Token token = level.macro->body[level.at++];
    token.range = use.range;
    token.at_line_start = false;
    token.from_macro = true;
    consider(token);
  }
}

void Preprocessor::set_active(bool active) { active_ = active; }

void Preprocessor::skip_directive() {
  while (!at_directive_end()) advance();
}

void Preprocessor::expect_directive_end(std::string_view directive) {
  if (!at_directive_end())
    diagnostics_.warning(Warning::ExtraTokens, token_.range,
                         fmt::format("extra tokens at end of #{} directive", directive));
  skip_directive();
}

void Preprocessor::directive() {
  SourceRange hash = token_.range;
  advance();
  if (at_directive_end()) return;
  Token name = token_;
  SourceRange range{hash.begin, name.range.end};
  std::string_view word = name.kind == Tok::TokIdentifier ? name.text : "";
  advance();
  if (word == "ifdef" || word == "ifndef")
    ifdef_directive(range, word == "ifdef");
  else if (word == "if")
    if_directive(range);
  else if (word == "else" || word == "elif")
    else_directive(range, word == "elif");
  else if (word == "endif")
    endif_directive(range);
  else if (!active_)
    skip_directive();
  else if (word == "define")
    define_directive();
  else if (word == "undef")
    undef_directive();
  else if (word == "error")
    error_directive(range);
  else if (word == "include")
    diagnostics_.error(range, "#include is not part of this version of the language"), skip_directive();
  else if (word == "pragma" || word == "line")
    skip_directive();
  else
    diagnostics_.error(name.range, fmt::format("invalid preprocessing directive '{}'", name.text)),
        skip_directive();
}

bool Preprocessor::macro_name(std::string_view directive, Token& name) {
  name = token_;
  if (!at_directive_end() && name.kind == Tok::TokIdentifier) {
    advance();
    return true;
  }
  if (at_directive_end()) {
    uint32_t end = name.range.begin;
    while (end > 0 && (end >= file_.text().size() ||
                       std::string_view(" \t\r\n").find(file_.text()[end - 1]) != std::string_view::npos))
      --end;
    diagnostics_.error({end, end}, fmt::format("macro name missing after #{}", directive));
  } else {
    diagnostics_.error(name.range, "macro name must be an identifier");
  }
  skip_directive();
  return false;
}

void Preprocessor::define_directive() {
  Token name;
  if (!macro_name("define", name)) return;
  bool touches = token_.range.begin == name.range.end;
  if (!at_directive_end() && token_.kind == Tok::TokLParen && touches) {
    diagnostics_.error(name.range, "function-like macros are not part of this version of the language");
    refused_.insert(name.text);
    return skip_directive();
  }
  Macro macro;
  macro.range = name.range;
  for (; !at_directive_end(); advance()) {
    report_problem(token_);
    macro.body.push_back(token_);
  }
  auto same = [](const Token& a, const Token& b) { return a.text == b.text; };
  auto old = macros_.find(name.text);
  if (old != macros_.end() && !std::equal(macro.body.begin(), macro.body.end(), old->second.body.begin(),
                                          old->second.body.end(), same)) {
    Diagnostic& d = diagnostics_.warning(Warning::MacroRedefined, name.range,
                                         fmt::format("'{}' macro redefined", name.text));
    if (old->second.range != NoRange) d.note(old->second.range, "previous definition is here");
  }
  macros_[std::string(name.text)] = std::move(macro);
}

void Preprocessor::undef_directive() {
  Token name;
  if (!macro_name("undef", name)) return;
  macros_.erase(std::string(name.text));
  expect_directive_end("undef");
}

void Preprocessor::ifdef_directive(SourceRange range, bool wanted) {
  bool outer = active_, taken = false;
  Token name;
  if (!outer) {
    skip_directive();
  } else if (macro_name(wanted ? "ifdef" : "ifndef", name)) {
    taken = (macros_.find(name.text) != macros_.end()) == wanted;
    expect_directive_end(wanted ? "ifdef" : "ifndef");
  }
  conditionals_.push_back({taken, outer, false, range});
  set_active(outer && taken);
}

// The tokens up to the end of the line, expanded; `defined NAME` becomes 0 or 1.
std::vector<Token> Preprocessor::condition_tokens() {
  std::vector<Token> saved;
  saved.swap(output_);
  while (!at_directive_end()) {
    report_problem(token_);
    if (token_.kind != Tok::TokIdentifier || token_.text != "defined") {
      expand(token_);
      advance();
      continue;
    }
    Token answer = token_;
    advance();
    bool parenthesis = !at_directive_end() && token_.kind == Tok::TokLParen;
    if (parenthesis) advance();
    Token name;
    if (!macro_name("defined", name)) break;
    bool closed = !parenthesis || (!at_directive_end() && token_.kind == Tok::TokRParen);
    if (!closed) diagnostics_.error(name.range, "missing ')' after 'defined'");
    if (parenthesis && closed) advance();
    answer.kind = Tok::TokNumber;
    answer.text = macros_.contains(name.text) ? "1" : "0";
    emit(answer);
  }
  saved.swap(output_);
  return saved;
}

void Preprocessor::if_directive(SourceRange range) {
  bool outer = active_, taken = false;
  if (outer)
    taken = evaluate_condition(condition_tokens(), range, diagnostics_);
  else
    skip_directive();
  conditionals_.push_back({taken, outer, false, range});
  set_active(outer && taken);
}

void Preprocessor::else_directive(SourceRange range, bool with_expression) {
  const char* word = with_expression ? "elif" : "else";
  if (conditionals_.empty()) {
    diagnostics_.error(range, fmt::format("#{} without #if", word));
    return skip_directive();
  }
  bool after_else = conditionals_.back().seen_else;
  if (after_else)
    diagnostics_.error(range, fmt::format("#{} after #else", word))
        .note(conditionals_.back().range, "to match this");
  bool decides = conditionals_.back().outer_active && !conditionals_.back().was_taken;
  if (with_expression) {
    if (decides && !after_else)
      decides = evaluate_condition(condition_tokens(), range, diagnostics_);
    else
      skip_directive();
    conditionals_.back().was_taken |= decides;
    return set_active(decides);
  }
  conditionals_.back().seen_else = true;
  conditionals_.back().was_taken = true;
  set_active(decides);
  expect_directive_end("else");
}

void Preprocessor::endif_directive(SourceRange range) {
  if (conditionals_.empty()) {
    diagnostics_.error(range, "#endif without #if");
    return skip_directive();
  }
  set_active(conditionals_.back().outer_active);
  conditionals_.pop_back();
  expect_directive_end("endif");
}

void Preprocessor::error_directive(SourceRange range) {
  std::string_view text = file_.text();
  size_t begin = range.end, end = text.find('\n', begin);
  std::string message(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  if (size_t start = message.find_first_not_of(" \t"); start != std::string::npos)
    message = message.substr(start);
  if (!message.empty() && message.back() == '\r') message.pop_back();
  diagnostics_.error(range, message.substr(0, 200));
  skip_directive();
}

}  // namespace kc::front
