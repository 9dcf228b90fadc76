// SPDX-License-Identifier: Apache-2.0
// Macro expansion. A macro under expansion is a context on a stack; its tokens are read before the file
// continues. The macro is disabled while its context is on the stack. Its name, if it occurs meanwhile, is
// never expanded afterwards (C99 6.10.3.4). Only the expansion of arguments before substitution is recursive.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/preprocess/preprocessor.h"
#include "frontend/sema/attributes.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

bool Preprocessor::spend(size_t steps, SourceRange where) {
  steps_ += steps;
  if (steps_ > MaxSteps) stop(where, "too many tokens in macro expansion");
  return !full_;
}

std::vector<Token> Preprocessor::take_tokens() {
  if (spare_tokens_.empty()) return {};
  std::vector<Token> tokens = std::move(spare_tokens_.back());
  spare_tokens_.pop_back();
  tokens.clear();
  return tokens;
}

MacroArguments* Preprocessor::take_arguments() {
  if (arguments_in_use_ == arguments_.size()) arguments_.push_back(std::make_unique<MacroArguments>());
  MacroArguments* a = arguments_[arguments_in_use_++].get();
  a->tokens.clear();
  a->starts.assign(1, 0);
  a->expanded.clear();
  a->pieces.clear();
  return a;
}

void Preprocessor::push_context(Context context) {
  if (context.macro) context.macro->disabled = true;
  contexts_.push_back(std::move(context));
}

void Preprocessor::pop_context() {
  Context& c = contexts_.back();
  if (c.macro) c.macro->disabled = false;
  if (c.owned.capacity() > 0 && spare_tokens_.size() < 64) spare_tokens_.push_back(std::move(c.owned));
  contexts_.pop_back();
}

// Looks past exhausted macro contexts, but not into the next file.
bool Preprocessor::next_is_parenthesis() {
  for (size_t i = contexts_.size(); i > 0; --i) {
    const Context& c = contexts_[i - 1];
    if (c.at != c.end) return c.at->kind == Tok::TokLParen;
    if (c.is_argument) return false;
  }
  return lexer().next_is(Tok::TokLParen);
}

// Returns false if the name is not expanded. A builtin macro is replaced in place and then also returns
// false.
bool Preprocessor::expand(Token& name) {
  Macro& macro = *name.identifier->macro;
  if (macro.disabled) {
    name.blocked = true;
    return false;
  }
  if (macro.builtin >= BuiltinMacro::HasBuiltin) {
    if (next_is_parenthesis()) answer(name);
    return false;
  }
  if (macro.builtin != BuiltinMacro::None) {
    replace_builtin(name);
    return false;
  }
  if (macro.function_like && !next_is_parenthesis()) return false;
  bool outermost = contexts_.empty();
  SourceRange use = name.range;
  if (!macro.function_like) {
    if (outermost) outer_end_ = use.end;
    if (macro.has_paste) {
      MacroArguments none;
      enter_substituted(macro, none, use);
    } else {
      enter_body(macro, use);
    }
  } else {
    MacroArguments& arguments = *take_arguments();
    bool good = gather_arguments(macro, name, arguments, use.end) && check_count(macro, name, arguments);
    if (outermost) outer_end_ = use.end;
    if (good) enter_substituted(macro, arguments, use);
    --arguments_in_use_;
    if (!good) {  // a number causes the fewest consequential errors
      name.kind = Tok::TokNumber;
      name.text = "0";
      return false;
    }
  }
  carry_ = name.before;
  after_macro_ = true;
  return true;
}

void Preprocessor::enter_body(Macro& macro, SourceRange use) {
  if (macro.body.empty() || !spend(macro.body.size(), use)) return;
  Position base = sources_.add_expansion(macro.body_range, macro.name_range.begin, use);
  const Token* begin = macro.body.data();
  push_context({&macro, begin, begin + macro.body.size(), {}, use, base, false});
}

bool Preprocessor::gather_arguments(const Macro& macro, const Token& name, MacroArguments& arguments,
                                    Position& end) {
  next_raw();  // the parenthesis
  ++gathering_;
  int depth = 0;
  bool closed = false;
  while (!closed) {
    Token t = next_raw();
    if (t.kind == Tok::TokEnd) break;
    if (t.kind == Tok::TokLParen) ++depth;
    if (t.kind == Tok::TokRParen && depth-- == 0) {
      closed = true;
      end = t.range.end;
      break;
    }
    bool in_rest = macro.variadic && arguments.starts.size() >= macro.parameters.size();
    if (t.kind == Tok::TokComma && depth == 0 && !in_rest) {
      arguments.starts.push_back(arguments.tokens.size());
      continue;
    }
    // Reading further may end the expansion of the macro that this token names, so the token is marked now.
    if (t.identifier && t.identifier->macro && t.identifier->macro->disabled) t.blocked = true;
    if (arguments.tokens.size() >= MaxTokens) stop(name.range, "too many tokens in the arguments of a macro");
    if (!spend(1, name.range)) break;
    arguments.tokens.push_back(t);
  }
  --gathering_;
  arguments.starts.push_back(arguments.tokens.size());
  arguments.pieces.resize(arguments.starts.size());
  if (!closed && !full_)
    diagnostics_.error(name.range, fmt::format("unterminated argument list of macro '{}'", name.text))
        .note(macro.name_range, fmt::format("macro '{}' defined here", name.text));
  return closed;
}

bool Preprocessor::check_count(const Macro& macro, const Token& name, MacroArguments& arguments) {
  size_t wanted = macro.parameters.size(), given = arguments.starts.size() - 1;
  if (wanted == 0 && given == 1 && arguments.tokens.empty()) return true;
  if (macro.variadic && given + 1 == wanted) {
    arguments.starts.push_back(arguments.tokens.size());
    arguments.pieces.resize(arguments.starts.size());
    return true;
  }
  if (given == wanted) return true;
  size_t required = macro.variadic ? wanted - 1 : wanted;
  diagnostics_
      .error(name.range,
             fmt::format("macro '{}' takes {}{} argument{}, {} given", name.text,
                         macro.variadic ? "at least " : "", required, required == 1 ? "" : "s", given))
      .note(macro.name_range, fmt::format("macro '{}' defined here", name.text));
  return false;
}

std::span<const Token> Preprocessor::expanded_argument(MacroArguments& arguments, size_t i, SourceRange use) {
  std::span<const Token> written = arguments.as_written(i);
  auto expandable = [](const Token& t) { return t.identifier && t.identifier->macro && !t.blocked; };
  if (std::none_of(written.begin(), written.end(), expandable)) return written;
  MacroArguments::Piece& piece = arguments.pieces[i];
  if (!piece.done) {
    if (expanding_arguments_ >= MaxArgumentNesting)
      stop(use,
           fmt::format("macro arguments are nested too deeply; the limit is {} levels", MaxArgumentNesting));
    ++expanding_arguments_;
    piece.begin = arguments.expanded.size();
    Context context;
    context.at = written.data();
    context.end = context.at + written.size();
    context.is_argument = true;
    push_context(std::move(context));
    carry_ = {};
    after_macro_ = false;
    for (Token t = next_token(); t.kind != Tok::TokEnd && spend(1, use); t = next_token())
      arguments.expanded.push_back(t);
    while (!contexts_.back().is_argument) pop_context();
    pop_context();
    carry_ = {};
    piece.end = arguments.expanded.size();
    piece.done = true;
    --expanding_arguments_;
  }
  return std::span<const Token>(arguments.expanded).subspan(piece.begin, piece.end - piece.begin);
}

// The rest of `__has_include("name")` or `__has_include(<name>)`; a macro may stand for the name.
bool Preprocessor::has_include() {
  Token t = next_raw();
  IncludeName name{.where = t.range};
  std::string text;
  if (const Macro* m = t.identifier ? t.identifier->macro : nullptr; m && !m->function_like) {
    for (const Token& part : m->body) text += part.text;
  } else {
    text = t.text;
    if (t.kind == Tok::TokLess)
      while (t.kind != Tok::TokGreater && t.kind != Tok::TokEnd) text += (t = next_raw()).text;
  }
  if (t.kind != Tok::TokEnd) t = next_raw();
  const bool quoted = text.size() > 2 && text[0] == '"' && text.back() == '"';
  name.angled = text.size() > 2 && text[0] == '<' && text.back() == '>';
  if ((!quoted && !name.angled) || t.kind != Tok::TokRParen) {
    diagnostics_.error(name.where, "'__has_include' takes \"NAME\" or <NAME> in parentheses");
    return false;
  }
  name.text = text.substr(1, text.size() - 2);
  return options_.read_file && std::ranges::any_of(include_candidates(name), [&](const std::string& path) {
           return load(path).file != nullptr;
         });
}

// The rest of `__has_builtin(name)` and its kin.
bool Preprocessor::has_name(BuiltinMacro which, const Token& question) {
  Token name = next_raw(), close = next_raw();
  if (name.kind != Tok::TokIdentifier || close.kind != Tok::TokRParen)
    diagnostics_.error(question.range, fmt::format("'{}' takes one name in parentheses", question.text));
  if (name.kind != Tok::TokIdentifier) return false;
  return (which == BuiltinMacro::HasBuiltin &&
          (name.identifier->macro || is_language_function(name.text) ||
           (name.identifier->keyword && name.text.starts_with("__builtin_")))) ||
         (which == BuiltinMacro::HasAttribute && is_known_attribute(name.text));
}

// Questions about the language and files become 1 or 0.
void Preprocessor::answer(Token& question) {
  BuiltinMacro which = question.identifier->macro->builtin;
  next_raw();  // the parenthesis
  bool yes = which == BuiltinMacro::HasInclude ? has_include() : has_name(which, question);
  question.from_macro = true;
  question.identifier = nullptr;
  question.kind = Tok::TokNumber;
  question.text = yes ? "1" : "0";
}

void Preprocessor::replace_builtin(Token& name) {
  BuiltinMacro which = name.identifier->macro->builtin;
  name.from_macro = true;
  name.identifier = nullptr;
  name.kind = Tok::TokNumber;
  // In an expansion that spans several lines, __FILE__ and __LINE__ refer to the last line.
  Position where = contexts_.empty() ? name.range.begin : outer_end_ - 1;
  if (which == BuiltinMacro::File) {
    std::string quoted = "\"";
    for (char c : sources_.file_name(where)) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    name.kind = Tok::TokString;
    name.text = keep(quoted + '"');
  } else if (which == BuiltinMacro::Line) {
    name.text = keep(std::to_string(sources_.line_column(where).line));
  } else {
    name.text = keep(std::to_string(counter_++));
  }
}

}  // namespace kc::front
