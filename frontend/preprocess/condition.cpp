// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "frontend/source/interner.h"

namespace kc::front {

namespace {

struct Value {
  uint64_t bits = 0;
  bool is_unsigned = false;
  int64_t as_signed() const { return static_cast<int64_t>(bits); }
};

int precedence(TokenKind kind) {
  switch (kind) {
    case Tok::TokStar:
    case Tok::TokSlash:
    case Tok::TokPercent:
      return 10;
    case Tok::TokPlus:
    case Tok::TokMinus:
      return 9;
    case Tok::TokLessLess:
    case Tok::TokGreaterGreater:
      return 8;
    case Tok::TokLess:
    case Tok::TokGreater:
    case Tok::TokLessEqual:
    case Tok::TokGreaterEqual:
      return 7;
    case Tok::TokEqualEqual:
    case Tok::TokBangEqual:
      return 6;
    case Tok::TokAmp:
      return 5;
    case Tok::TokCaret:
      return 4;
    case Tok::TokPipe:
      return 3;
    case Tok::TokAmpAmp:
      return 2;
    case Tok::TokPipePipe:
      return 1;
    default:
      return 0;
  }
}

// Precedence climbing. In an unevaluated operand (`0 && x / 0`) division by zero is not an error.
class Evaluator {
 public:
  Evaluator(std::span<const Token> tokens, SourceRange directive, Diagnostics& diagnostics)
      : tokens_(tokens), directive_(directive), diagnostics_(diagnostics) {}

  bool run() {
    Value v = conditional(true);
    if (!failed_ && at_ < tokens_.size()) fail("unexpected token in preprocessor expression");
    return !failed_ && v.bits != 0;
  }

 private:
  static constexpr int MaxNesting = 200;

  TokenKind kind() const { return at_ < tokens_.size() ? tokens_[at_].kind : Tok::TokEnd; }
  bool accept(TokenKind wanted) {
    if (kind() != wanted) return false;
    ++at_;
    return true;
  }
  Value fail(const std::string& message) {
    if (!failed_) diagnostics_.error(at_ < tokens_.size() ? tokens_[at_].range : directive_, message);
    failed_ = true;
    return {};
  }

  Value conditional(bool live) {
    if (++nesting_ > MaxNesting) return fail("this expression is nested too deeply");
    Value v = binary(1, live);
    if (!failed_ && accept(Tok::TokQuestion)) {
      Value yes = conditional(live && v.bits != 0);
      if (!accept(Tok::TokColon)) return fail("expected ':' in preprocessor expression");
      Value no = conditional(live && v.bits == 0);
      bool u = yes.is_unsigned || no.is_unsigned;
      v = {v.bits ? yes.bits : no.bits, u};
    }
    --nesting_;
    return v;
  }

  Value binary(int lowest, bool live) {
    Value left = unary(live);
    while (!failed_ && precedence(kind()) >= lowest) {
      TokenKind op = kind();
      ++at_;
      bool decided = (op == Tok::TokAmpAmp && left.bits == 0) || (op == Tok::TokPipePipe && left.bits != 0);
      Value right = binary(precedence(op) + 1, live && !decided);
      if (!failed_) left = apply(op, left, right, live && !decided);
    }
    return left;
  }

  Value apply(TokenKind op, Value l, Value r, bool live) {
    bool u = l.is_unsigned || r.is_unsigned;
    auto truth = [](bool b) { return Value{b, false}; };
    auto less = [&](Value a, Value b) { return u ? a.bits < b.bits : a.as_signed() < b.as_signed(); };
    switch (op) {
      case Tok::TokStar:
        return {l.bits * r.bits, u};
      case Tok::TokPlus:
        return {l.bits + r.bits, u};
      case Tok::TokMinus:
        return {l.bits - r.bits, u};
      case Tok::TokSlash:
      case Tok::TokPercent: {
        bool quotient = op == Tok::TokSlash;
        if (r.bits == 0) return live ? fail("division by zero in preprocessor expression") : Value{};
        if (u) return {quotient ? l.bits / r.bits : l.bits % r.bits, true};
        if (r.as_signed() == -1) return {quotient ? 0 - l.bits : 0, false};
        int64_t result = quotient ? l.as_signed() / r.as_signed() : l.as_signed() % r.as_signed();
        return {static_cast<uint64_t>(result), false};
      }
      case Tok::TokLessLess:
        return {l.bits << (r.bits & 63), l.is_unsigned};
      case Tok::TokGreaterGreater:
        return {
            l.is_unsigned ? l.bits >> (r.bits & 63) : static_cast<uint64_t>(l.as_signed() >> (r.bits & 63)),
            l.is_unsigned};
      case Tok::TokLess:
        return truth(less(l, r));
      case Tok::TokGreater:
        return truth(less(r, l));
      case Tok::TokLessEqual:
        return truth(!less(r, l));
      case Tok::TokGreaterEqual:
        return truth(!less(l, r));
      case Tok::TokEqualEqual:
        return truth(l.bits == r.bits);
      case Tok::TokBangEqual:
        return truth(l.bits != r.bits);
      case Tok::TokAmp:
        return {l.bits & r.bits, u};
      case Tok::TokCaret:
        return {l.bits ^ r.bits, u};
      case Tok::TokPipe:
        return {l.bits | r.bits, u};
      case Tok::TokAmpAmp:
        return truth(l.bits && r.bits);
      default:
        return truth(l.bits || r.bits);
    }
  }

  Value unary(bool live) {
    if (++nesting_ > MaxNesting) return fail("this expression is nested too deeply");
    Value v;
    if (accept(Tok::TokBang)) {
      v = {unary(live).bits == 0, false};
    } else if (accept(Tok::TokTilde)) {
      v = unary(live);
      v.bits = ~v.bits;
    } else if (accept(Tok::TokMinus)) {
      v = unary(live);
      v.bits = 0 - v.bits;
    } else if (accept(Tok::TokPlus)) {
      v = unary(live);
    } else if (accept(Tok::TokLParen)) {
      v = conditional(live);
      if (!failed_ && !accept(Tok::TokRParen)) return fail("expected ')' in preprocessor expression");
    } else {
      v = primary();
    }
    --nesting_;
    return v;
  }

  // Identifiers that are not macros evaluate to 0.
  Value primary() {
    if (kind() == Tok::TokIdentifier && tokens_[at_].text == "defined") return defined();
    if (accept(Tok::TokIdentifier)) return {};
    if (kind() == Tok::TokCharacter) return character(tokens_[at_].text);
    if (kind() != Tok::TokNumber) return fail("expected value in preprocessor expression");
    return number(tokens_[at_].text);
  }

  // The preprocessor leaves the operand of `defined` unexpanded.
  Value defined() {
    ++at_;
    bool parenthesis = accept(Tok::TokLParen);
    if (kind() != Tok::TokIdentifier)
      return fail(at_ < tokens_.size() ? "macro name must be an identifier"
                                       : "macro name missing after 'defined'");
    const Token& name = tokens_[at_++];
    if (parenthesis && !accept(Tok::TokRParen)) return fail("missing ')' after 'defined'");
    return {name.identifier && name.identifier->macro, false};
  }

  Value number(std::string_view text) {
    bool hex = text.starts_with("0x") || text.starts_with("0X");
    bool binary = text.starts_with("0b") || text.starts_with("0B");
    int base = hex ? 16 : binary ? 2 : text[0] == '0' ? 8 : 10;
    Value v;
    const char *begin = text.data() + (hex || binary ? 2 : 0), *end = text.data() + text.size();
    auto [stop, error] = std::from_chars(begin, end, v.bits, base);
    std::string_view suffix(stop, static_cast<size_t>(end - stop));
    static constexpr std::string_view Suffixes[] = {"",    "u",   "U",   "l",   "L",   "ul",  "uL", "Ul",
                                                    "UL",  "lu",  "lU",  "Lu",  "LU",  "ll",  "LL", "ull",
                                                    "uLL", "Ull", "ULL", "llu", "llU", "LLu", "LLU"};
    bool known = std::find(std::begin(Suffixes), std::end(Suffixes), suffix) != std::end(Suffixes);
    if (error == std::errc::result_out_of_range)
      return fail(fmt::format("'{}' is too large for a preprocessor expression", text.substr(0, 40)));
    if (error != std::errc() || !known)
      return fail(
          fmt::format("'{}' is not an integer; preprocessor expressions have no others", text.substr(0, 40)));
    v.is_unsigned = suffix.find_first_of("uU") != std::string_view::npos || v.bits > INT64_MAX;
    ++at_;
    return v;
  }

  // A character has 8 bits and is signed. In a constant of several characters, each one shifts the previous
  // ones up.
  Value character(std::string_view text) {
    if (text.starts_with('L')) text.remove_prefix(1);
    if (tokens_[at_].malformed) return fail("expected value in preprocessor expression");
    text = text.substr(1, text.size() - 2);
    if (text.empty()) return fail("this character constant is empty");
    uint32_t value = 0;
    size_t count = 0;
    for (size_t i = 0; i < text.size(); ++count) {
      unsigned c = static_cast<unsigned char>(text[i++]);
      if (c == '\\' && !escape(text, i, c))
        return fail("unknown or too large escape in this character constant");
      value = value << 8 | c;
    }
    if (count > 4) return fail("this character constant is too long");
    ++at_;
    int64_t result = count == 1 ? static_cast<int8_t>(value) : static_cast<int32_t>(value);
    return {static_cast<uint64_t>(result), false};
  }

  static bool escape(std::string_view text, size_t& i, unsigned& c) {
    static constexpr std::string_view Letters = "abefnrtv\\'\"?", Values = "\a\b\x1b\f\n\r\t\v\\'\"?";
    if (i == text.size()) return false;
    bool hex = text[i] == 'x';
    if (size_t at = Letters.find(text[i]); at != std::string_view::npos)
      return c = static_cast<unsigned char>(Values[at]), ++i, true;
    size_t begin = i + hex, end = std::min(text.size(), hex ? text.size() : i + 3);
    auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, c, hex ? 16 : 8);
    i = static_cast<size_t>(stop - text.data());
    return error == std::errc() && c < 256;
  }

  std::span<const Token> tokens_;
  SourceRange directive_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  int nesting_ = 0;
  bool failed_ = false;
};

}  // namespace

bool evaluate_condition(std::span<const Token> tokens, SourceRange directive, Diagnostics& diagnostics) {
  return Evaluator(tokens, directive, diagnostics).run();
}

}  // namespace kc::front
