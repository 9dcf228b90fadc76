// SPDX-License-Identifier: Apache-2.0
// Syntax errors: the message and the recovery. The grammar has one recovery rule per list of statements and
// declarations, `error Recover`. This file selects the resume point among the tokens that follow, and the
// feed emits a Recover token there. One error thus skips one statement, and brackets stay balanced.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse/parse_driver.h"
#include "frontend/preprocess/keywords.h"
#include "frontend/source/nearest_name.h"
#include "frontend/source/other_dialect_hints.h"

namespace kc::front {

namespace {

using Symbols = std::vector<Parser::symbol_kind_type>;
using Kind = Parser::symbol_kind;

bool has(const Symbols& list, Parser::symbol_kind_type kind) {
  return std::find(list.begin(), list.end(), kind) != list.end();
}

}  // namespace

void ParseDriver::syntax_error(const Symbols& expected) {
  if (tokens_.is_cut()) {
    give_up();
    recovering_ = true;
    return;
  }
  size_t at = next_ - 1;  // the lookahead is the last token fed
  SyntaxReport report = describe_error(expected);
  bool repeated = at == last_error_;
  last_error_ = at;
  bool reported =
      tokens_[at].kind == Tok::TokYYUNDEF || (at > 0 && tokens_[at - 1].is_bad());  // reported by the lexer
  if (!repeated && !reported) {
    std::optional<SyntaxReport> other = other_dialect(at);
    if (!other) report = unfinished_definition(at).value_or(report);
    this->report(other ? *other : report, tokens_[at].from_macro);
    if (other && other->key.empty()) {  // the tokens after it cannot be interpreted reliably
      give_up();
      recovering_ = true;
      return;
    }
  }
  size_t resume = find_resume_point(at, has(expected, Kind::S_Semicolon) && !has(expected, Kind::S_YYEOF));
  if (resume == at && last_resume_ == at) ++resume;  // always make progress
  last_resume_ = resume;
  size_t taint_from = at;  // back to the start of the statement
  while (taint_from > 0 &&
         std::string_view(";{}").find(tokens_[taint_from - 1].text[0]) == std::string_view::npos)
    --taint_from;
  for (size_t i = taint_from; i < resume; ++i)
    if (tokens_[i].kind == Tok::TokIdentifier) tainted_.insert(tokens_[i].text);
  next_ = resume;
  untracked_ = SIZE_MAX;
  recovering_ = true;
  brackets_.resize(std::min(brackets_.size(), blocks_.empty() ? 0 : blocks_.back().brackets));
  while (scopes_.size() > (blocks_.empty() ? 1 : blocks_.back().scopes)) pop_scope();
  if (tokens_[at].kind == Tok::TokEnd || diagnostics_.saturated()) gave_up_ = true;
}

bool ParseDriver::recovered() { return !gave_up_; }

// `struct s {...} float4 f(...)`: the type was taken for the name of a variable. (Where a keyword follows,
// sema reports it.)
std::optional<ParseDriver::SyntaxReport> ParseDriver::unfinished_definition(size_t at) const {
  if (at < 2 || !outside_bodies()) return {};
  const std::string_view type = tokens_[at - 1].text;
  const bool* is_typedef = find_name(type);
  if (is_typedef ? !*is_typedef : !find_hidable_type(type)) return {};
  size_t before = at - 2;
  auto is_word = [&](const Token& t) {
    const KeywordRow* k = t.kind == Tok::TokIdentifier ? find_keyword(t.text) : nullptr;
    return k && (k->kind == Tok::TokQualifierWord || k->kind == Tok::TokSpaceWord ||
                 k->kind == Tok::TokStorageWord || k->kind == Tok::TokInlineWord);
  };
  while (before > 0 && is_word(tokens_[before])) --before;
  if (tokens_[before].kind != Tok::TokRBrace) return {};
  return SyntaxReport{"expected ';' after this definition", tokens_[before].range};
}

size_t ParseDriver::statement_start(size_t at) const {
  while (at > 0 && std::string_view(";{}:").find(tokens_[at - 1].text[0]) == std::string_view::npos) --at;
  return at;
}

// Whether the token before `at` closes the condition of a do loop.
bool ParseDriver::ends_do(size_t at) const {
  if (at == 0 || tokens_[at - 1].kind != Tok::TokRParen) return false;
  size_t depth = 0;
  for (size_t i = at; i-- > 1;) {
    if (tokens_[i].kind == Tok::TokRParen) ++depth;
    if (tokens_[i].kind == Tok::TokLParen && --depth == 0)
      return i > 1 && tokens_[i - 1].text == "while" &&
             std::string_view(";}").find(tokens_[i - 2].text[0]) != std::string_view::npos;
  }
  return false;
}

const char* ParseDriver::after_what(size_t at) const {
  size_t first = statement_start(at);
  if (ends_do(at)) return "after do/while statement";
  std::string_view word = tokens_[first].text;
  if (word == "return") return "after return statement";
  if (word == "break") return "after break statement";
  if (word == "continue") return "after continue statement";
  if (word == "goto") return "after goto statement";
  if (word == "throw") return "after throw statement";
  const KeywordRow* k = find_keyword(word);
  const bool* is_typedef = find_name(word);
  bool declares = (k && (k->kind == Tok::TokBuiltinType || k->kind == Tok::TokQualifierWord ||
                         k->kind == Tok::TokSpaceWord || k->kind == Tok::TokStorageWord)) ||
                  (is_typedef && *is_typedef);
  return declares ? "at end of declaration" : "after expression";
}

// Describes an error at file scope, where a declaration should start.
ParseDriver::SyntaxReport ParseDriver::describe_declaration(size_t at) const {
  const Token& token = tokens_[at];
  SyntaxReport report{"expected a declaration", token.range};
  if (token.kind == Tok::TokRBrace) {
    report.message = "extraneous closing brace ('}')";
  } else if (token.kind == Tok::TokIdentifier && !find_keyword(token.text)) {
    TokenKind next = tokens_[at + 1].kind;
    if (next == Tok::TokLParen) return missing_type(at);
    if (next == Tok::TokLBracket || next == Tok::TokEqual || next == Tok::TokDot || next == Tok::TokArrow) {
      report.message = "expected a declaration; statements belong inside a function";
      return report;
    }
    return unknown_type(at);
  }
  return report;
}

void ParseDriver::report(const SyntaxReport& report, bool from_macro) {
  Diagnostic& d = report.key.empty() ? diagnostics_.error(report.where, report.message)
                                     : diagnostics_.error_once(report.key, report.where, report.message);
  if (report.opener != SIZE_MAX)
    d.note(tokens_[report.opener].range, fmt::format("to match this '{}'", tokens_[report.opener].text));
  if (!report.replacement.empty() && !from_macro) d.fix(report.replaced, report.replacement);
}

ParseDriver::SyntaxReport ParseDriver::unknown_type(size_t at) const {
  const Token& token = tokens_[at];
  if (is_cxx_word(token.text)) return {describe_cxx(token.text), token.range};
  SyntaxReport report{fmt::format("unknown type name '{}'", token.text), token.range};
  report.key = type_key(token.text);
  // `point` where `struct point` is declared.
  if (const auto tag = tags_.find(token.text); tag != tags_.end()) {
    report.message = fmt::format("the type '{0}' is called '{1} {0}'", token.text, tag->second);
    report.replaced = {token.range.begin, token.range.begin};
    report.replacement = fmt::format("{} ", tag->second);
    return report;
  }
  std::string_view stem = token.text.substr(0, token.text.find_last_not_of("0123456789") + 1);
  if (stem.size() < token.text.size() && find_number_type(stem)) {
    report.message += "; vectors have 2, 3, 4, 8 or 16 components";
    return report;
  }
  std::string_view hint = hint_for(token.text), near = hint.empty() ? nearest_type(token) : hint;
  report.message += did_you_mean(near);
  report.replaced = token.range;
  report.replacement = near;
  return report;
}

// Searches the statement up to a syntax error for syntax of another language or a missing feature, and
// reports that instead of its consequence.
std::optional<ParseDriver::SyntaxReport> ParseDriver::other_dialect(size_t at) const {
  for (size_t i = statement_start(at); i <= at; ++i) {
    const Token& token = tokens_[i];
    if (token.kind != Tok::TokIdentifier || find_name(token.text)) continue;
    if (is_cxx_word(token.text)) return SyntaxReport{describe_cxx(token.text), token.range};
    if (const MissingFeature* feature = missing_feature(token.text)) {
      SyntaxReport report{describe_missing(*feature, token.text), token.range};
      report.key = feature->name;
      return report;
    }
  }
  const Token &token = tokens_[at], &next = tokens_[at + 1];
  if (token.kind == Tok::TokColon && next.kind == Tok::TokColon && next.range.begin == token.range.end)
    return SyntaxReport{describe_cxx("::"), {token.range.begin, next.range.end}};
  return std::nullopt;
}

// `foo(int x) {`: a kernel must return void; for any other function, C once defaulted the type to int.
ParseDriver::SyntaxReport ParseDriver::missing_type(size_t at) const {
  SyntaxReport report{"a type specifier is required for all declarations", tokens_[at].range};
  report.replaced = {report.where.begin, report.where.begin};
  report.replacement = "int ";
  for (size_t i = at; i > 0 && std::string_view(";{}").find(tokens_[i - 1].text[0]) == std::string_view::npos;
       --i)
    if (tokens_[i - 1].text == "kernel" || tokens_[i - 1].text == "__kernel") report.replacement = "void ";
  return report;
}

// A missing ';' after the token before `at`. The fix is certain if a line or a block ends there.
// `whlie (x) {`: a call before a brace, whose name is near the word for a statement.
std::string_view ParseDriver::meant_statement(size_t at, size_t& word) const {
  static const std::vector<std::string_view> Words{"while", "for", "if", "switch"};
  if (at < 3 || tokens_[at].kind != Tok::TokLBrace || tokens_[at - 1].kind != Tok::TokRParen) return {};
  word = statement_start(at);
  const bool is_call = tokens_[word].kind == Tok::TokIdentifier && tokens_[word + 1].kind == Tok::TokLParen;
  return is_call && !tokens_[word].from_macro ? nearest_name(tokens_[word].text, Words) : std::string_view();
}

ParseDriver::SyntaxReport ParseDriver::missing_semicolon(size_t at) const {
  size_t word = 0;
  if (std::string_view meant = meant_statement(at, word); !meant.empty())
    return {fmt::format("unknown statement '{}'{}", tokens_[word].text, did_you_mean(meant)),
            tokens_[word].range, SIZE_MAX, tokens_[word].range, std::string(meant)};
  const Token &token = tokens_[at], &previous = tokens_[at - 1];
  SyntaxReport report{fmt::format("expected ';' {}", after_what(at)),
                      {previous.range.end, previous.range.end}};
  bool in_for =
      !brackets_.empty() && brackets_.back().token > 0 && tokens_[brackets_.back().token - 1].text == "for";
  if (in_for) {
    report.message = "expected ';' in 'for' statement specifier";
    report.where = token.range;
    return report;
  }
  bool ends = token.before.line_start || token.kind == Tok::TokRBrace;
  if (!ends || previous.from_macro || previous.is_bad()) return report;
  report.replaced = report.where;
  report.replacement = ";";
  return report;
}

// The innermost open bracket is unclosed.
ParseDriver::SyntaxReport ParseDriver::missing_bracket(size_t at, char bracket) const {
  const Token &token = tokens_[at], &previous = tokens_[at - 1];
  SyntaxReport report{fmt::format("expected '{}'", bracket), token.range};
  report.opener = brackets_.back().token;
  SourceRange after{previous.range.end, previous.range.end};
  if (token.before.line_start) report.where = after;
  std::string_view before = report.opener > 0 ? tokens_[report.opener - 1].text : "";
  bool head = before == "if" || before == "while" || before == "switch" || before == "for";
  if (!head || token.kind != Tok::TokLBrace || previous.from_macro || previous.is_bad()) return report;
  report.replaced = after;
  report.replacement = ")";
  return report;
}

ParseDriver::SyntaxReport ParseDriver::missing_operand(size_t at, const Symbols& expected) const {
  const Token& token = tokens_[at];
  std::string_view before = at > 0 ? tokens_[at - 1].text : "";
  bool ends = token.before.line_start || token.kind == Tok::TokRBrace;
  if (has(expected, Kind::S_Semicolon) && ends && (before == "return" || before == "throw"))
    return missing_semicolon(at);
  const KeywordRow* k = find_keyword(token.text);
  const bool* is_typedef = find_name(token.text);
  const bool is_vector = !is_typedef && find_hidable_type(token.text);
  const bool is_called = tokens_[at + 1].kind == Tok::TokLParen && !token.from_macro;
  if (is_called && (is_vector || (k && k->kind == Tok::TokBuiltinType))) {
    SyntaxReport report{fmt::format("a type that converts stands in parentheses: '({})(...)'", token.text),
                        token.range};
    report.replaced = token.range;
    report.replacement = fmt::format("({})", token.text);
    return report;
  }
  if (is_vector || (k && k->kind == Tok::TokBuiltinType) || (is_typedef && *is_typedef))
    return {fmt::format("unexpected type name '{}': expected expression", token.text), token.range};
  return {"expected expression", token.range};
}

ParseDriver::SyntaxReport ParseDriver::describe_error(const Symbols& expected) const {
  size_t at = next_ - 1;
  const Token& token = tokens_[at];
  Position previous_end = at > 0 ? tokens_[at - 1].range.end : 0;
  SourceRange after{previous_end, previous_end};
  if (token.kind == Tok::TokEnd) {
    size_t brace = brackets_.size();
    while (brace > 0 && tokens_[brackets_[brace - 1].token].kind != Tok::TokLBrace) --brace;
    if (brace > 0) return {"expected '}'", after, brackets_[brace - 1].token};
  }
  TokenKind innermost = brackets_.empty() ? Tok::TokEnd : tokens_[brackets_.back().token].kind;
  auto closes = [&](TokenKind kind, Parser::symbol_kind_type symbol) {
    return innermost == kind && has(expected, symbol);
  };
  if (has(expected, Kind::S_YYEOF)) return describe_declaration(at);
  bool wants_operand = has(expected, Kind::S_Number);
  bool operand_and_statement = wants_operand && has(expected, Kind::S_If);
  bool in_specifiers = has(expected, Kind::S_BuiltinType) && has(expected, Kind::S_Star);
  if (in_specifiers && !wants_operand && token.text == "&")
    return {"references ('&') are C++; a pointer does the same", token.range};
  if (in_specifiers && !wants_operand) return {"expected identifier or '('", token.range};
  if (!wants_operand && has(expected, Kind::S_Semicolon)) return missing_semicolon(at);
  if (!wants_operand && closes(Tok::TokLParen, Kind::S_RParen)) return missing_bracket(at, ')');
  if (!wants_operand && closes(Tok::TokLBracket, Kind::S_RBracket)) return missing_bracket(at, ']');
  if (operand_and_statement && token.text == "else") return {"'else' without a previous 'if'", token.range};
  if (operand_and_statement && find_keyword(token.text) && !has(expected, Kind::S_BuiltinType))
    return {"expected a statement; a declaration must be inside braces here", token.range};
  if (wants_operand) return missing_operand(at, expected);
  if (has(expected, Kind::S_Catch) && token.text == "catch")
    return {"expected '(' after 'catch'", token.range};
  if (has(expected, Kind::S_Catch)) return {"expected 'catch' after the body of 'try'", token.range};
  bool in_case = tokens_[statement_start(at)].text == "case" || (at > 0 && tokens_[at - 1].text == "default");
  if (has(expected, Kind::S_Colon) && in_case) {
    bool known = at > 0 && !tokens_[at - 1].from_macro;
    return {"expected ':' after the label", after, SIZE_MAX, after, known ? ":" : ""};
  }
  if (expected.size() == 1) {
    std::string_view name = Parser::symbol_name(expected[0]);
    bool is_word = name.size() > 2 && name[0] >= 'a' && name[0] <= 'z';
    return {is_word ? fmt::format("expected {}", name) : fmt::format("expected '{}'", name),
            token.before.line_start ? after : token.range};
  }
  if (has(expected, Kind::S_LParen) && expected.size() <= 2) return {"expected '('", token.range};
  if (has(expected, Kind::S_Identifier) && !has(expected, Kind::S_QualifierWord))
    return {"expected identifier", token.range};
  bool function =
      blocks_.empty() && token.kind == Tok::TokIdentifier && tokens_[at + 1].kind == Tok::TokLParen;
  if (has(expected, Kind::S_BuiltinType)) {
    TokenKind next = tokens_[at + 1].kind;
    bool names_something = next == Tok::TokIdentifier || next == Tok::TokStar;
    if (token.kind == Tok::TokIdentifier && names_something) return unknown_type(at);
    if (token.text == "...")
      return {"functions with any number of arguments are not part of the language", token.range};
    if (at > 0 && tokens_[at - 1].text == "auto")
      return {"'auto' is not a type; write the one that is meant", tokens_[at - 1].range};
    return function ? missing_type(at) : SyntaxReport{"expected a type", token.range};
  }
  return {fmt::format("unexpected '{}'", token.text.substr(0, 40)), token.range};
}

// Whether the ';' at `at` is one of the two that separate the parts of the for header opened at `open`.
bool ParseDriver::semicolon_of_for(size_t open, size_t at) const {
  if (open == 0 || tokens_[open - 1].text != "for") return false;
  size_t before = 0;
  for (size_t i = open; i < at; ++i) before += tokens_[i].kind == Tok::TokSemicolon;
  return before < 2;
}

// The index after the brace that matches the one at `at`.
size_t ParseDriver::skip_braces(size_t at) const {
  size_t depth = 0;
  for (; tokens_[at].kind != Tok::TokEnd; ++at) {
    if (tokens_[at].kind == Tok::TokLBrace) ++depth;
    if (tokens_[at].kind == Tok::TokRBrace && --depth == 0) return at + 1;
  }
  return at;
}

size_t ParseDriver::find_resume_point(size_t at, bool expects_semicolon) const {
  if (expects_semicolon && tokens_[at].before.line_start) return at;
  size_t base = blocks_.empty() ? 0 : blocks_.back().brackets;
  std::vector<size_t> open;
  for (size_t i = base; i < brackets_.size(); ++i) open.push_back(brackets_[i].token);
  auto inside_braces = [&] {
    return std::any_of(open.begin(), open.end(), [&](size_t o) { return tokens_[o].kind == Tok::TokLBrace; });
  };
  for (size_t i = at;; ++i) {
    const Token& t = tokens_[i];
    switch (t.kind) {
      case Tok::TokEnd:
        return i;
      case Tok::TokLParen:
      case Tok::TokLBracket:
        open.push_back(i);
        break;
      case Tok::TokRParen:
      case Tok::TokRBracket:
        if (!open.empty() && tokens_[open.back()].kind != Tok::TokLBrace) open.pop_back();
        break;
      case Tok::TokLBrace: {
        bool list = i > 0 && (tokens_[i - 1].kind == Tok::TokEqual || tokens_[i - 1].kind == Tok::TokComma ||
                              tokens_[i - 1].text == "^");
        i = skip_braces(i) - 1;
        std::string_view next = tokens_[i + 1].text;
        bool goes_on = list || inside_braces() || next == "else" || next == "catch" || next == ";";
        if (!goes_on || tokens_[i + 1].kind == Tok::TokEnd) return i + 1;
        break;
      }
      case Tok::TokRBrace:
        if (inside_braces()) {
          while (tokens_[open.back()].kind != Tok::TokLBrace) open.pop_back();
          open.pop_back();
          break;
        }
        return blocks_.empty() ? i + 1 : i;
      case Tok::TokSemicolon:
        if (inside_braces() && tokens_[open.back()].kind == Tok::TokLBrace) break;
        if (!open.empty() && semicolon_of_for(open.back(), i)) break;
        return i + 1;
      default:
        if (blocks_.empty() && i > at && t.before.line_start && (t.text == "kernel" || t.text == "__kernel"))
          return i;
    }
  }
}

}  // namespace kc::front
