// SPDX-License-Identifier: Apache-2.0
// Directives: #define and #undef, conditionals, messages, line numbers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "frontend/preprocess/condition.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/source/nearest_name.h"

namespace kc::front {

void Preprocessor::directive(const Token& hash) {
  lexer().begin_directive();
  in_directive_ = true;
  Token::Spacing carried = carry_;
  Token name = lexer().next();
  SourceRange range{hash.range.begin, name.range.end};
  std::shared_ptr<const SourceFile> included;
  std::string_view word = name.kind == Tok::TokIdentifier ? name.text : std::string_view();
  bool conditional = conditional_directive(word, range);
  if (!conditional && active_ && name.kind != Tok::TokEnd) {
    if (word == "include")
      included = include_directive(range);
    else
      carry_out(word, name, range);
  }
  while (lexer().next().kind != Tok::TokEnd) {
  }
  lexer().end_directive();
  in_directive_ = false;
  carry_ = carried;
  if (included) enter_include(std::move(included), range);
}

void Preprocessor::carry_out(std::string_view word, const Token& name, SourceRange range) {
  if (word == "define")
    define_directive(range);
  else if (word == "undef")
    undef_directive(range);
  else if (word == "error" || word == "warning")
    message_directive(range, word == "error");
  else if (word == "pragma")
    pragma_directive(range);
  else if (word == "line")
    line_directive(range, false);
  else if (name.kind == Tok::TokNumber)  // a line marker of other preprocessors: # 12 "file"
    line_directive(range, true, &name);
  else
    unknown_directive(name);
}

void Preprocessor::unknown_directive(const Token& name) {
  static const std::vector<std::string_view> Directives{"define", "elif",  "else",   "endif",   "error",
                                                        "if",     "ifdef", "ifndef", "include", "line",
                                                        "pragma", "undef", "warning"};
  std::string text = fmt::format("invalid preprocessing directive '{}'", name.text.substr(0, 60));
  std::string_view near = nearest_name(name.text, Directives);
  if (!near.empty()) text += fmt::format("; did you mean '{}'?", near);
  diagnostics_.error(name.range, text);
  if (near == "define" || near == "include") diagnostics_.set_names_uncertain();
}

// These directives are processed in skipped text, too.
bool Preprocessor::conditional_directive(std::string_view word, SourceRange range) {
  if (word == "ifdef" || word == "ifndef")
    ifdef_directive(range, word == "ifdef");
  else if (word == "if")
    if_directive(range);
  else if (word == "else" || word == "elif")
    else_directive(range, word == "elif");
  else if (word == "endif")
    endif_directive(range);
  else
    return false;
  return true;
}

void Preprocessor::expect_directive_end(std::string_view directive) {
  Token t = next_raw();
  if (t.kind != Tok::TokEnd)
    diagnostics_.warning(Warning::ExtraTokens, t.range,
                         fmt::format("extra tokens at end of #{} directive", directive));
}

std::vector<Token> Preprocessor::rest_expanded() {
  std::vector<Token> tokens;
  for (Token t = next_token(); t.kind != Tok::TokEnd; t = next_token()) tokens.push_back(t);
  return tokens;
}

bool Preprocessor::macro_name(std::string_view directive, SourceRange range, Token& name) {
  name = next_raw();
  if (name.kind == Tok::TokIdentifier && name.identifier != defined_) return true;
  if (name.kind == Tok::TokIdentifier)
    diagnostics_.error(name.range, "'defined' cannot be the name of a macro");
  else if (name.kind == Tok::TokEnd)
    diagnostics_.error({range.end, range.end}, fmt::format("macro name missing after #{}", directive));
  else
    diagnostics_.error(name.range, "macro name must be an identifier");
  return false;
}

// ---- macros ----

void Preprocessor::define_directive(SourceRange range) {
  Token name;
  if (!macro_name("define", range, name)) return;
  Macro macro;
  macro.name_range = name.range;
  Token first = next_raw();
  if (first.kind == Tok::TokLParen && !first.before.space) {
    macro.function_like = true;
    if (!read_parameters(macro)) return;
    first = next_raw();
  } else if (first.kind != Tok::TokEnd && !first.before.space) {
    diagnostics_.error(first.range, "white space is required after the name of a macro");
  }
  for (size_t i = 0; i < macro.parameters.size(); ++i)
    macro.parameters[i]->parameter = static_cast<uint16_t>(i + 1);
  bool good = read_body(macro, first);
  for (Identifier* p : macro.parameters) p->parameter = 0;
  if (!good) return;
  const bool own = files_.back().file->name() == kPredefinedName;
  for (const Token& t : macro.body)
    if (macro.function_like && !own && t.identifier == name.identifier) {
      diagnostics_
          .warning(Warning::RecursiveMacro, t.range,
                   fmt::format("macro '{}' mentions itself, where it is not expanded again", name.text))
          .underline(name.range);
      break;
    }
  define(name, std::move(macro));
}

bool Preprocessor::read_parameters(Macro& macro) {
  auto fail = [&](SourceRange where, std::string message) {
    diagnostics_.error(where, std::move(message));
    return false;
  };
  std::set<const Identifier*> seen;
  for (bool first = true;; first = false) {
    Token t = next_raw();
    if (t.kind == Tok::TokRParen && first) return true;
    if (t.kind == Tok::TokEnd) return fail(t.range, "missing ')' in the parameters of a macro");
    bool rest = t.kind == Tok::TokEllipsis;
    if (!rest && (t.kind != Tok::TokIdentifier || t.identifier == rest_name_))
      return fail(t.range, "expected the name of a macro parameter");
    Identifier* name = rest ? rest_name_ : t.identifier;
    if (!seen.insert(name).second)
      return fail(t.range, fmt::format("duplicate macro parameter '{}'", name->text));
    if (macro.parameters.size() == UINT16_MAX - 1) return fail(t.range, "too many macro parameters");
    macro.parameters.push_back(name);
    macro.variadic = rest;
    Token after = next_raw();
    if (!rest && after.kind == Tok::TokEllipsis) {  // GNU: `rest...` names the variadic arguments
      macro.variadic = true;
      after = next_raw();
    }
    if (after.kind == Tok::TokRParen) return true;
    if (after.kind == Tok::TokEnd || macro.variadic)
      return fail(after.range, "missing ')' in the parameters of a macro");
    if (after.kind != Tok::TokComma) return fail(after.range, "expected ',' or ')' after a macro parameter");
  }
}

bool Preprocessor::read_body(Macro& macro, Token first) {
  first.before = {};
  for (Token t = first; t.kind != Tok::TokEnd; t = next_raw()) {
    uint16_t parameter = t.identifier ? t.identifier->parameter : 0;
    if (t.identifier == rest_name_ && parameter == 0) {
      diagnostics_.error(t.range, "__VA_ARGS__ can stand only in a macro whose parameters end in '...'");
      return false;
    }
    bool after_hash = macro.function_like && !macro.body.empty() && macro.body.back().kind == Tok::TokHash;
    if (after_hash && parameter == 0) {
      diagnostics_.error(macro.body.back().range, "'#' is not followed by a macro parameter");
      return false;
    }
    if (t.identifier == if_rest_ && !macro.variadic) {
      diagnostics_.error(t.range, "__VA_OPT__ can stand only in a macro whose parameters end in '...'");
      return false;
    }
    macro.has_paste |= t.kind == Tok::TokHashHash;
    macro.body.push_back(t);
    macro.parameter_of.push_back(parameter);
  }
  if (macro.body.empty()) return true;
  const Token& last = macro.body.back();
  macro.body_range = {first.range.begin, last.range.end};
  if (macro.function_like && last.kind == Tok::TokHash) {
    diagnostics_.error(last.range, "'#' is not followed by a macro parameter");
    return false;
  }
  for (const Token* end : {&macro.body.front(), &macro.body.back()})
    if (end->kind == Tok::TokHashHash) {
      diagnostics_.error(end->range, "'##' cannot stand at either end of a macro's body");
      return false;
    }
  return check_optional(macro);
}

// `__VA_OPT__(tokens)` is not an operand of `#` or `##` here.
bool Preprocessor::check_optional(const Macro& macro) {
  size_t inside = 0;  // where the parenthesis closes
  for (size_t i = 0; i < macro.body.size(); ++i) {
    if (macro.body[i].identifier != if_rest_) continue;
    const size_t close = end_of_optional(macro, i);
    auto pastes = [&](size_t at) {
      return at < macro.body.size() &&
             (macro.body[at].kind == Tok::TokHashHash || macro.body[at].kind == Tok::TokHash);
    };
    const bool edges =
        close && (pastes(i + 2) || pastes(close - 1) || pastes(close + 1) || (i > 0 && pastes(i - 1)));
    if (close == 0 || i < inside || edges) {
      diagnostics_.error(macro.body[i].range, close == 0 ? "__VA_OPT__ takes tokens in parentheses"
                                              : i < inside
                                                  ? "__VA_OPT__ inside of another one"
                                                  : "__VA_OPT__ beside '#' or '##' is not supported");
      return false;
    }
    inside = close;
  }
  return true;
}

void Preprocessor::define(const Token& name, Macro macro) {
  auto same = [](const Token& a, const Token& b) {
    return a.text == b.text && a.before.space == b.before.space;
  };
  if (const Macro* old = name.identifier->macro) {
    if (old->builtin != BuiltinMacro::None) {
      diagnostics_.warning(Warning::BuiltinMacroRedefined, name.range,
                           fmt::format("'{}' is a builtin macro", name.text));
    } else if (old->function_like != macro.function_like || old->variadic != macro.variadic ||
               old->parameters != macro.parameters ||
               !std::equal(old->body.begin(), old->body.end(), macro.body.begin(), macro.body.end(), same)) {
      diagnostics_
          .warning(Warning::MacroRedefined, name.range, fmt::format("'{}' macro redefined", name.text))
          .note(old->name_range, "previous definition is here");
    }
  }
  macros_.push_back(std::move(macro));
  name.identifier->macro = &macros_.back();
}

void Preprocessor::undef_directive(SourceRange range) {
  Token name;
  if (!macro_name("undef", range, name)) return;
  if (name.identifier->macro && name.identifier->macro->builtin != BuiltinMacro::None)
    diagnostics_.warning(Warning::BuiltinMacroRedefined, name.range,
                         fmt::format("'{}' is a builtin macro", name.text));
  name.identifier->macro = nullptr;
  expect_directive_end("undef");
}

// ---- conditionals ----

void Preprocessor::ifdef_directive(SourceRange range, bool wanted) {
  bool outer = active_, taken = false;
  Token name;
  const char* word = wanted ? "ifdef" : "ifndef";
  if (outer && macro_name(word, range, name)) {
    taken = (name.identifier->macro != nullptr) == wanted;
    expect_directive_end(word);
  }
  conditionals().push_back({taken, outer, false, range});
  active_ = outer && taken;
}

bool Preprocessor::condition(SourceRange range) {
  in_condition_ = true;
  std::vector<Token> tokens = rest_expanded();
  in_condition_ = after_defined_ = false;
  return !full_ && evaluate_condition(tokens, range, diagnostics_);
}

void Preprocessor::if_directive(SourceRange range) {
  bool outer = active_, taken = outer && condition(range);
  conditionals().push_back({taken, outer, false, range});
  active_ = outer && taken;
}

void Preprocessor::else_directive(SourceRange range, bool with_expression) {
  const char* word = with_expression ? "elif" : "else";
  if (conditionals().empty()) {
    diagnostics_.error(range, fmt::format("#{} without #if", word));
    return;
  }
  Conditional& c = conditionals().back();
  if (c.seen_else)
    diagnostics_.error(range, fmt::format("#{} after #else", word)).note(c.range, "to match this");
  bool decides = c.outer_active && !c.was_taken;
  if (decides) active_ = true;  // so that the rest of the line is lexed
  if (with_expression) {
    decides = decides && !c.seen_else && condition(range);
    c.was_taken |= decides;
  } else {
    c.seen_else = c.was_taken = true;
    if (c.outer_active) active_ = true, expect_directive_end(word);
  }
  active_ = decides;
}

void Preprocessor::endif_directive(SourceRange range) {
  if (conditionals().empty()) {
    diagnostics_.error(range, "#endif without #if");
    return;
  }
  active_ = conditionals().back().outer_active;
  conditionals().pop_back();
  if (active_) expect_directive_end("endif");
}

// ---- messages and lines ----

void Preprocessor::message_directive(SourceRange range, bool is_error) {
  std::string text(lexer().rest_of_line().text.substr(0, 400));
  if (is_error)
    diagnostics_.error(range, text);
  else
    diagnostics_.warning(Warning::Cpp, range, text);
}

// `#line 12 "file"`, or `# 12 "file" flags`, whose number has already been read.
void Preprocessor::line_directive(SourceRange range, bool is_marker, const Token* number) {
  std::vector<Token> tokens;
  if (number) tokens.push_back(*number);
  for (const Token& t : rest_expanded()) tokens.push_back(t);
  const char* word = is_marker ? "a line marker" : "#line";
  uint32_t line = 0;
  if (!tokens.empty() && tokens[0].kind == Tok::TokNumber) {
    std::string_view text = tokens[0].text;
    auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), line);
    if (error != std::errc() || stop != text.data() + text.size() || line > INT32_MAX) line = 0;
  }
  if (line == 0 && !(is_marker && tokens[0].text == "0")) {
    diagnostics_.error(tokens.empty() ? range : tokens[0].range,
                       fmt::format("{} takes a positive number and may name a file", word));
    return;
  }
  std::string name;
  if (tokens.size() > 1) {
    std::string_view quoted = tokens[1].text;
    if (tokens[1].kind != Tok::TokString || tokens[1].malformed) {
      diagnostics_.error(tokens[1].range, fmt::format("the file name of {} must be in quotes", word));
      return;
    }
    for (size_t i = 1; i + 1 < quoted.size(); ++i) {
      if (quoted[i] == '\\' && i + 2 < quoted.size()) ++i;
      name += quoted[i];
    }
    if (tokens.size() > 2 && !is_marker)
      diagnostics_.warning(Warning::ExtraTokens, tokens[2].range, "extra tokens at end of #line directive");
  }
  sources_.renumber(range.begin, line, name);
}

}  // namespace kc::front
