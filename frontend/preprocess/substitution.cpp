// SPDX-License-Identifier: Apache-2.0
// Substitutes arguments into the body of a macro and applies # and ##. An empty operand of ## is the
// standard's placemarker.
#include <fmt/format.h>

#include "frontend/preprocess/preprocessor.h"

namespace kc::front {

namespace {
constexpr size_t BytesPerStep = 8;     // a long token counts as several
constexpr Position kMostBetween = 16;  // characters between tokens that are recorded together
}  // namespace

struct Preprocessor::Substitution {
  const Macro& macro;
  MacroArguments& arguments;
  SourceRange use;
  Position base;  // of the expansion, or NoPosition
  std::vector<Token> out;
  bool owes_space = false;  // an empty argument followed a space

  SourceRange place(SourceRange in_body) const {
    if (base == NoPosition) return use;
    Position shift = base - macro.body_range.begin;
    return {in_body.begin + shift, in_body.end + shift};
  }
  bool is(size_t i, TokenKind kind) const { return i < macro.body.size() && macro.body[i].kind == kind; }
  void push(Token t) {
    t.from_macro = true;
    t.before.space |= t.before.line_start | owes_space;
    t.before.line_start = owes_space = false;
    out.push_back(t);
  }
};

void Preprocessor::enter_substituted(Macro& macro, MacroArguments& arguments, SourceRange use) {
  if (macro.body.empty()) return;
  Position base = sources_.add_expansion(macro.body_range, macro.name_range.begin, use);
  Substitution s{macro, arguments, use, base, take_tokens()};
  substitute(s);
  if (!spend(s.out.size(), use) || s.out.empty()) {
    spare_tokens_.push_back(std::move(s.out));
    return;
  }
  s.out.front().before = {};
  Context context;
  context.macro = &macro;
  context.owned = std::move(s.out);
  context.at = context.owned.data();
  context.end = context.at + context.owned.size();
  context.use = use;
  push_context(std::move(context));
}

void Preprocessor::substitute(Substitution& s) {
  std::vector<size_t> closing;  // parentheses of `__VA_OPT__(...)` whose tokens stay
  for (size_t i = 0; i < s.macro.body.size() && !full_;) {
    if (const size_t close = end_of_optional(s.macro, i)) {
      const bool stays = !expanded_argument(s.arguments, s.macro.parameters.size() - 1, s.use).empty();
      if (stays) closing.push_back(close);
      i = stays ? i + 2 : close + 1;
      continue;
    }
    if (!closing.empty() && closing.back() == i) {
      closing.pop_back(), ++i;
      continue;
    }
    if (comma_before_rest(s, i)) {
      if (size_t rest = s.macro.parameter_of[i + 2] - 1u; !s.arguments.as_written(rest).empty()) {
        s.push(s.macro.body[i]);
        s.out.back().range = s.place(s.macro.body[i].range);
        i += 2;
        bool ignored = false;
        append_operand(s, i, s.is(i + 1, Tok::TokHashHash), ignored);
      } else {
        i += 3;
      }
      continue;
    }
    size_t operand = i;
    bool pasted = s.macro.has_paste;
    bool empty = false;
    auto followed = [&](size_t at) {
      bool string = s.macro.function_like && s.is(at, Tok::TokHash);
      return pasted && s.is(at + (string ? 2 : 1), Tok::TokHashHash);
    };
    append_operand(s, i, followed(i), empty);
    while (pasted && s.is(i, Tok::TokHashHash)) {
      ++i;
      if (comma_before_rest(s, i)) break;
      size_t left = s.out.size(), right = i;
      bool right_empty = false;
      append_operand(s, i, true, right_empty);
      SourceRange range = s.place({s.macro.body[operand].range.begin, s.macro.body[right].range.end});
      if (!empty && !right_empty) paste(s, left, range, s.use);
      empty = empty && right_empty;
    }
  }
}

// C23: the tokens of `__VA_OPT__(...)` stay if there are variadic arguments. Returns where its parenthesis
// closes, or 0.
size_t Preprocessor::end_of_optional(const Macro& macro, size_t i) const {
  auto is = [&](size_t at, TokenKind kind) { return at < macro.body.size() && macro.body[at].kind == kind; };
  if (macro.body[i].identifier != if_rest_ || !is(i + 1, Tok::TokLParen)) return 0;
  size_t open = 1;
  for (size_t k = i + 2; k < macro.body.size(); ++k) {
    open += is(k, Tok::TokLParen);
    open -= is(k, Tok::TokRParen);
    if (open == 0) return k;
  }
  return 0;
}

// GNU: `, ##__VA_ARGS__` drops the comma if the variadic argument is absent.
bool Preprocessor::comma_before_rest(const Substitution& s, size_t i) const {
  return s.macro.variadic && s.is(i, Tok::TokComma) && s.is(i + 1, Tok::TokHashHash) &&
         i + 2 < s.macro.body.size() && s.macro.parameter_of[i + 2] == s.macro.parameters.size();
}

// Appends the token at `i` of the body, or the argument it names, and advances `i`. Next to ##, arguments are
// unexpanded.
void Preprocessor::append_operand(Substitution& s, size_t& i, bool as_written, bool& empty) {
  const Token& t = s.macro.body[i];
  if (s.macro.function_like && t.kind == Tok::TokHash) {
    s.push(stringify(s, i, s.arguments.as_written(s.macro.parameter_of[i + 1] - 1u)));
    i += 2;
    return;
  }
  size_t parameter = s.macro.parameter_of.empty() ? 0 : s.macro.parameter_of[i];
  if (parameter == 0) {
    s.push(t);
    s.out.back().range = s.place(t.range);
  } else {
    std::span<const Token> tokens = as_written ? s.arguments.as_written(parameter - 1)
                                               : expanded_argument(s.arguments, parameter - 1, s.use);
    empty = tokens.empty();
    append_argument(s, i, tokens);
  }
  ++i;
}

void Preprocessor::append_argument(Substitution& s, size_t i, std::span<const Token> tokens) {
  const Token& parameter = s.macro.body[i];
  if (tokens.empty()) s.owes_space |= parameter.before.space;
  if (!spend(tokens.size(), s.use)) return;
  SourceRange place = s.place(parameter.range);
  for (size_t first = 0, next; first < tokens.size(); first = next) {
    next = first + 1;
    const Position begin = tokens[first].range.begin;
    Position base = NoPosition;
    if (s.base != NoPosition) {
      // Tokens that follow each other in one text share what is recorded about them.
      Position end = tokens[first].range.end;
      const Position limit = sources_.end_of_text(begin);
      for (; next < tokens.size(); end = tokens[next++].range.end)
        if (const SourceRange r = tokens[next].range;
            r.begin < end || r.begin - end > kMostBetween || r.end > limit)
          break;
      base = sources_.add_argument({begin, end}, place);
    }
    for (size_t k = first; k < next; ++k) {
      Token t = tokens[k];
      if (k == 0) t.before = parameter.before;
      if (base != NoPosition) t.range = {base + (t.range.begin - begin), base + (t.range.end - begin)};
      s.push(t);
    }
  }
}

Token Preprocessor::stringify(Substitution& s, size_t hash, std::span<const Token> tokens) {
  std::string text = "\"";
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token& t = tokens[k];
    if (k > 0 && (t.before.space || t.before.line_start)) text += ' ';
    bool literal = t.kind == Tok::TokString || t.kind == Tok::TokCharacter;
    for (char c : t.text) {
      if (literal && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
  }
  text += '"';
  SourceRange in_body{s.macro.body[hash].range.begin, s.macro.body[hash + 1].range.end};
  Token result{.kind = Tok::TokString, .before = s.macro.body[hash].before, .range = s.place(in_body)};
  Lexer lexer(text);
  Token check = lexer.next();
  if (check.malformed || check.text.size() != text.size()) {
    diagnostics_.error(result.range, "this argument cannot be made a string");
    text = "\"\"";
  }
  spend(text.size() / BytesPerStep, s.use);
  result.text = keep(text);
  return result;
}

// Joins the token before `left` and the one at `left` into one.
void Preprocessor::paste(Substitution& s, size_t left, SourceRange range, SourceRange use) {
  Token &a = s.out[left - 1], &b = s.out[left];
  if (!spend((a.text.size() + b.text.size()) / BytesPerStep, use)) return;
  std::string text;
  text.reserve(a.text.size() + b.text.size());
  text.append(a.text).append(b.text);
  Lexer lexer(text);
  Token t = lexer.next();
  if (t.is_bad() || t.text.size() != text.size()) {
    diagnostics_.error(use == range ? use : range,
                       fmt::format("pasting '{}' and '{}' does not give a valid token", a.text.substr(0, 60),
                                   b.text.substr(0, 60)));
    return;
  }
  t.before = a.before;
  t.from_macro = true;
  t.text = keep(text);
  t.range = range;
  if (t.kind == Tok::TokIdentifier) t.identifier = interner_.intern(t.text);
  s.out[left - 1] = t;
  s.out.erase(s.out.begin() + static_cast<std::ptrdiff_t>(left));
}

}  // namespace kc::front
