// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/script/script.h"
#include "driver/usage_errors.h"

namespace kc {
namespace {

constexpr int kMaxDepth = 200;  // of blocks and expressions

enum class TokenKind : uint8_t { End, Newline, Word, Number, Sign };
struct ScriptToken {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  ScriptPlace place;
};

// Signs of two characters in front of those that begin alike.
constexpr std::string_view kSigns[] = {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+", "-",
                                       "*",  "/",  "%",  "<",  ">",  "!",  "&",  "|",  "^", "(",
                                       ")",  "[",  "]",  "{",  "}",  ",",  "=",  ":",  ";"};

int precedence(std::string_view sign) {
  static constexpr std::string_view Levels[] = {"|| ",    "&& ",        "| ",     "^ ",   "& ",
                                                "== != ", "< > <= >= ", "<< >> ", "+ - ", "* / % "};
  for (int i = 0; i < 10; ++i)
    if (Levels[i].find(std::string(sign) + " ") == 0 ||
        Levels[i].find(" " + std::string(sign) + " ") != std::string_view::npos)
      return i + 1;
  return 0;
}

class ScriptParser {
 public:
  explicit ScriptParser(std::string_view text) : text_(text) { next(); }

  std::vector<ScriptStatement> run() {
    std::vector<ScriptStatement> all = statements(0);
    if (token_.kind != TokenKind::End) fail("unexpected '}'");
    return all;
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    throw TextError{token_.place.line, token_.place.column, std::move(message)};
  }
  [[noreturn]] void expected(std::string_view what) const {
    if (token_.kind == TokenKind::End) fail(fmt::format("expected {}, the script ends", what));
    if (token_.kind == TokenKind::Newline) fail(fmt::format("expected {}, the line ends", what));
    fail(fmt::format("expected {}, not '{}'", what, token_.text));
  }

  // --- tokens
  ScriptPlace here() const { return {line_, static_cast<uint32_t>(at_ - line_start_) + 1}; }
  void next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    if (at_ < text_.size() && text_[at_] == '#')
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    token_ = {TokenKind::End, {}, here()};
    if (at_ == text_.size()) return;
    size_t begin = at_;
    auto is_word = [&](size_t i) {
      char c = text_[i];
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    char c = text_[at_];
    if (c == '\n') {
      token_.kind = TokenKind::Newline;
      ++at_, ++line_, line_start_ = at_;
    } else if (c >= '0' && c <= '9') {
      token_.kind = TokenKind::Number;
      while (at_ < text_.size() &&
             (is_word(at_) || text_[at_] == '.' ||
              ((text_[at_] == '+' || text_[at_] == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
               !text_.substr(begin).starts_with("0x"))))
        ++at_;
    } else if (is_word(at_)) {
      token_.kind = TokenKind::Word;
      while (at_ < text_.size() && is_word(at_)) ++at_;
    } else {
      token_.kind = TokenKind::Sign;
      for (std::string_view sign : kSigns)
        if (text_.substr(at_).starts_with(sign)) {
          at_ += sign.size();
          break;
        }
      if (at_ == begin) {
        token_.text = text_.substr(at_, 1);
        fail(c > ' ' && c < 127 ? fmt::format("unexpected '{}'", c) : "unexpected character");
      }
    }
    token_.text = text_.substr(begin, at_ - begin);
    if (token_.kind == TokenKind::Newline && depth_of_parentheses_ > 0) next();
  }
  bool is(std::string_view text) const { return token_.kind != TokenKind::End && token_.text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    next();
    return true;
  }
  void need(std::string_view text) {
    if (!take(text)) expected(fmt::format("'{}'", text));
  }
  std::string name(std::string_view what) {
    if (token_.kind != TokenKind::Word) expected(what);
    std::string word(token_.text);
    next();
    return word;
  }
  // What is left of the line from here on, as it is: a file's name may hold any characters. All else ends at
  // what ends a statement.
  std::string raw(size_t begin, bool is_file) {
    size_t end = std::min(text_.find('\n', begin), text_.size());
    std::string_view rest = text_.substr(begin, end - begin);
    rest = rest.substr(0, rest.find(" #"));
    if (!is_file) rest = rest.substr(0, rest.find_first_of(";}"));
    at_ = begin + rest.size();
    next();
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t' || rest.back() == '\r'))
      rest.remove_suffix(1);
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    return std::string(rest);
  }
  size_t position() const { return static_cast<size_t>(token_.text.data() - text_.data()); }

  // --- statements
  std::vector<ScriptStatement> statements(int depth) {
    if (depth > kMaxDepth) fail("blocks are nested too deeply");
    std::vector<ScriptStatement> all;
    for (;;) {
      while (token_.kind == TokenKind::Newline || is(";")) next();
      if (token_.kind == TokenKind::End || is("}")) return all;
      all.push_back(statement(depth));
      if (token_.kind != TokenKind::Newline && token_.kind != TokenKind::End && !is(";") && !is("}"))
        expected("the end of the line");
    }
  }

  std::vector<ScriptStatement> block(int depth) {
    need("{");
    auto body = statements(depth + 1);
    need("}");
    return body;
  }

  ScriptStatement statement(int depth) {
    using Kind = ScriptStatement::Kind;
    ScriptStatement s;
    s.place = token_.place;
    const ScriptToken first = token_;
    std::string word = name("a statement");
    if (word == "let") {
      s.kind = Kind::Let;
      s.name = name("a name");
      need("=");
      s.exprs.push_back(expression());
    } else if (word == "buffer") {
      buffer(s);
    } else if (word == "set") {
      s.kind = Kind::Set;
      s.name = name("a buffer");
      need("[");
      s.exprs.push_back(expression());
      need("]");
      need("=");
      s.exprs.push_back(expression());
    } else if (word == "fill") {
      s.kind = Kind::Fill;
      s.name = name("a buffer");
      if (!is(":")) expected("':' and a filler");
      s.text = raw(position(), false);
    } else if (word == "swap") {
      s.kind = Kind::Swap;
      s.name = name("a buffer");
      need(",");
      s.other = name("a buffer");
    } else if (word == "launch") {
      launch(s);
    } else if (word == "print") {
      print(s);
    } else if (word == "dump" || word == "image") {
      s.kind = word == "dump" ? Kind::Dump : Kind::Image;
      s.name = name("a buffer");
      if (!is("=")) expected("'=' and a file");
      s.text = raw(at_, true);
    } else if (word == "while" || word == "repeat" || word == "if") {
      s.kind = word == "while" ? Kind::While : word == "repeat" ? Kind::Repeat : Kind::If;
      s.exprs.push_back(expression());
      s.body = block(depth);
      if (s.kind == Kind::If && take("else")) {
        if (is("if")) {
          if (depth > kMaxDepth) fail("blocks are nested too deeply");
          s.otherwise.push_back(statement(depth + 1));
        } else {
          s.otherwise = block(depth);
        }
      }
    } else {
      token_ = first;
      constexpr std::string_view kVerbs[] = {"let",   "buffer", "set",   "fill",  "swap",   "launch",
                                             "print", "dump",   "image", "while", "repeat", "if"};
      fail(unknown_name("statement", word, {std::begin(kVerbs), std::end(kVerbs)}));
    }
    return s;
  }

  // buffer NAME = TYPE[N], TYPE[N]:FILLER or TYPE[N]@FILE; N is an expression
  void buffer(ScriptStatement& s) {
    s.kind = ScriptStatement::Buffer;
    s.name = name("a name");
    need("=");
    if (token_.kind == TokenKind::Word) {
      s.text = token_.text;
      next();
      need("[");
      s.exprs.push_back(expression());
      if (!is("]")) expected("']'");
      s.other = raw(at_, text_.substr(at_).starts_with("@"));
    } else {
      expected("TYPE[N]");
    }
  }

  // launch KERNEL global X[,Y[,Z]] [local ...] [offset ...] (ARGUMENT, ...)
  void launch(ScriptStatement& s) {
    s.kind = ScriptStatement::Launch;
    s.name = name("a kernel");
    for (bool more = true; more;) {
      more = false;
      for (auto [word, sizes] :
           {std::pair("global", &s.global), std::pair("local", &s.local), std::pair("offset", &s.offset)}) {
        if (!is(word)) continue;
        if (!sizes->empty()) fail(fmt::format("'{}' is given twice", word));
        next();
        do sizes->push_back(expression());
        while (take(","));
        if (sizes->size() > 3) fail("a launch has at most three dimensions");
        more = true;
      }
    }
    if (s.global.empty()) expected("'global' and the number of work-items");
    if (!is("(")) expected("'(' and arguments");
    ++depth_of_parentheses_;
    next();
    while (!is(")")) {
      s.arguments.push_back(argument());
      if (!is(")")) need(",");
    }
    --depth_of_parentheses_;
    next();
  }

  ScriptArgument argument() {
    ScriptArgument a;
    a.place = token_.place;
    if (is("(")) {  // of a vector or a structure
      vector(a);
      return a;
    }
    a.value = expression();
    if (is("=") && a.value->kind == ScriptExpr::Name) {
      a.name = a.value->text;
      next();
      a.place = token_.place;
      if (is("(")) {
        vector(a);
        return a;
      }
      a.value = expression();
    }
    return a;
  }

  // (NUMBER, ...), or an expression that begins with a parenthesis.
  void vector(ScriptArgument& a) {
    const size_t at = at_;
    const ScriptToken token = token_;
    next();
    ScriptExprPtr first = expression();
    if (!is(",")) {
      at_ = at, token_ = token;
      a.value = expression();
      return;
    }
    const size_t begin = static_cast<size_t>(token.text.data() - text_.data());
    while (take(",")) expression();
    if (!is(")")) expected("')'");
    a.literal = text_.substr(begin, position() + 1 - begin);
    next();
    a.value = nullptr;
  }

  // print NAME, print NAME[I], print NAME[A:B], print EXPRESSION
  void print(ScriptStatement& s) {
    s.kind = ScriptStatement::Print;
    const size_t at = at_, line_start = line_start_;
    const uint32_t line = line_;
    const ScriptToken token = token_;
    if (token_.kind == TokenKind::Word) {
      s.name = token_.text;
      next();
      if (take("[")) {
        s.exprs.push_back(expression());
        if (take(":")) {
          s.exprs.push_back(expression());
          need("]");
          return;
        }
      } else if (token_.kind != TokenKind::Sign || is(";") || is("}")) {
        return;
      }
      at_ = at, line_start_ = line_start, line_ = line, token_ = token;
      s.name.clear(), s.exprs.clear();
    }
    s.exprs.push_back(expression());
  }

  // --- expressions
  ScriptExprPtr expression(int level = 1) {
    if (++depth_ > kMaxDepth) fail("an expression is nested too deeply");
    ScriptExprPtr left = operand();
    for (int p; token_.kind == TokenKind::Sign && (p = precedence(token_.text)) >= level;) {
      auto e = std::make_unique<ScriptExpr>();
      e->kind = ScriptExpr::Binary;
      e->place = token_.place;
      e->text = token_.text;
      next();
      e->parts.push_back(std::move(left));
      e->parts.push_back(expression(p + 1));
      left = std::move(e);
      if (++operators_ > 10'000) fail("the expression is too long");
    }
    --depth_;
    if (depth_ == 0) operators_ = 0;
    return left;
  }

  ScriptExprPtr operand() {
    auto e = std::make_unique<ScriptExpr>();
    e->place = token_.place;
    if (token_.kind == TokenKind::Number) {
      e->value = number();
      next();
    } else if (token_.kind == TokenKind::Word) {
      e->kind = ScriptExpr::Name;
      e->text = token_.text;
      next();
      if (take("[")) {
        e->kind = ScriptExpr::Element;
        e->parts.push_back(expression());
        need("]");
      }
    } else if (is("-") || is("!")) {
      e->kind = ScriptExpr::Unary;
      e->text = token_.text;
      next();
      if (++depth_ > kMaxDepth) fail("an expression is nested too deeply");
      e->parts.push_back(operand());
      --depth_;
    } else if (take("(")) {
      e = expression();
      need(")");
    } else {
      expected("an expression");
    }
    return e;
  }

  ScriptValue number() const {
    std::string_view t = token_.text;
    bool hex = t.starts_with("0x");
    const char *begin = t.data() + (hex ? 2 : 0), *end = t.data() + t.size();
    uint64_t whole = 0;
    auto [at, error] = std::from_chars(begin, end, whole, hex ? 16 : 10);
    if (error == std::errc() && at == end) return static_cast<int64_t>(whole);
    if (t.ends_with('f') && !hex) --end;
    double real = 0;
    auto [stop, bad] = std::from_chars(t.data(), end, real);
    if (bad != std::errc() || stop != end) fail(fmt::format("'{}' is no number", t));
    return real;
  }

  std::string_view text_;
  size_t at_ = 0, line_start_ = 0;
  uint32_t line_ = 1;
  ScriptToken token_;
  int depth_ = 0, depth_of_parentheses_ = 0, operators_ = 0;
};

}  // namespace

std::expected<std::vector<ScriptStatement>, TextError> parse_script(std::string_view text) {
  try {
    return ScriptParser(text).run();
  } catch (TextError& e) {
    return std::unexpected(std::move(e));
  }
}

}  // namespace kc
