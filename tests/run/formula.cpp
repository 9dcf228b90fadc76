// SPDX-License-Identifier: Apache-2.0
#include "tests/run/formula.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace kc::test {
namespace {

using Value = FormulaValue;

[[noreturn]] void fail(std::string message) { throw FormulaError{std::move(message)}; }

int64_t as_signed(const Value& v) { return static_cast<int64_t>(v.integer); }

Value integer_of(Value::Kind kind, uint64_t bits) { return {kind, bits, 0}; }
Value truth(bool b) { return Value::of(int64_t{b}); }

template <typename T>
Value convert_integer(const Value& v) {
  T t{};
  if (v.is_float()) {
    double whole = std::trunc(v.number);
    if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
          whole <= static_cast<double>(std::numeric_limits<T>::max())))
      fail("a float does not fit the integer that it is converted to");
    t = static_cast<T>(whole);
  } else {
    t = static_cast<T>(v.integer);
  }
  return integer_of(std::is_same_v<T, uint64_t> ? Value::Uint : Value::Int,
                    static_cast<uint64_t>(static_cast<int64_t>(t)));
}

float to_float(const Value& v) {
  if (v.is_float()) return static_cast<float>(v.number);
  return v.kind == Value::Uint ? static_cast<float>(v.integer) : static_cast<float>(as_signed(v));
}

template <typename F>
Value float_binary(std::string_view op, F a, F b) {
  if (op == "+") return Value::of(a + b);
  if (op == "-") return Value::of(a - b);
  if (op == "*") return Value::of(a * b);
  if (op == "/") return Value::of(a / b);
  if (op == "<") return truth(a < b);
  if (op == "<=") return truth(a <= b);
  if (op == ">") return truth(a > b);
  if (op == ">=") return truth(a >= b);
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  fail("operator " + std::string(op) + " on floats");
}

template <typename I>
Value integer_binary(std::string_view op, Value::Kind kind, uint64_t x, uint64_t y) {
  I a = static_cast<I>(x), b = static_cast<I>(y);
  auto made = [kind](auto v) { return integer_of(kind, static_cast<uint64_t>(v)); };
  if (op == "+") return made(x + y);
  if (op == "-") return made(x - y);
  if (op == "*") return made(x * y);
  if (op == "/" || op == "%") {
    if (b == 0) fail("division by zero");
    if (kind == Value::Int && y == ~uint64_t{0}) return made(op == "/" ? 0 - x : 0);
    return op == "/" ? made(a / b) : made(a % b);
  }
  if (op == "&") return made(x & y);
  if (op == "|") return made(x | y);
  if (op == "^") return made(x ^ y);
  if (op == "<<" || op == ">>") {
    if (y > 63) fail("a shift by 64 or more");
    return op == "<<" ? made(x << y) : made(a >> y);
  }
  if (op == "<") return truth(a < b);
  if (op == "<=") return truth(a <= b);
  if (op == ">") return truth(a > b);
  if (op == ">=") return truth(a >= b);
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  fail("unknown operator " + std::string(op));
}

Value binary(std::string_view op, const Value& a, const Value& b) {
  if (a.kind == Value::F64 || b.kind == Value::F64) return float_binary(op, a.as_double(), b.as_double());
  if (a.is_float() || b.is_float()) return float_binary(op, to_float(a), to_float(b));
  bool shift = op == "<<" || op == ">>";
  if (a.kind == Value::Uint || (b.kind == Value::Uint && !shift))
    return integer_binary<uint64_t>(op, Value::Uint, a.integer, b.integer);
  return integer_binary<int64_t>(op, Value::Int, a.integer, b.integer);
}

struct Level {
  std::string_view ops[4];
};
// From the lowest to the highest precedence.
constexpr Level kLevels[] = {{{"||"}},
                             {{"&&"}},
                             {{"|"}},
                             {{"^"}},
                             {{"&"}},
                             {{"==", "!="}},
                             {{"<=", ">=", "<", ">"}},
                             {{"<<", ">>"}},
                             {{"+", "-"}},
                             {{"*", "/", "%"}}};

class Parser {
 public:
  Parser(std::string_view text, FormulaNames names) : text_(text), names_(std::move(names)) {}

  Value whole() {
    Value v = conditional();
    skip();
    if (at_ < text_.size()) fail("unexpected '" + std::string(text_.substr(at_)) + "'");
    return v;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool eat(std::string_view s) {
    skip();
    if (!text_.substr(at_).starts_with(s)) return false;
    at_ += s.size();
    return true;
  }
  void expect(std::string_view s) {
    if (!eat(s)) fail("expected '" + std::string(s) + "' before '" + std::string(text_.substr(at_)) + "'");
  }

  // Both arms are evaluated; `ignoring_` suppresses errors in the arm that is not selected.
  Value conditional() {
    Value c = level(0);
    if (!eat("?")) return c;
    Value yes = guarded(c.truth(), [&] { return conditional(); });
    expect(":");
    Value no = guarded(!c.truth(), [&] { return conditional(); });
    return c.truth() ? yes : no;
  }

  template <typename F>
  Value guarded(bool counts, F part) {
    ignoring_ += !counts;
    Value v = part();
    ignoring_ -= !counts;
    return v;
  }

  std::string_view operator_of(const Level& l) {
    skip();
    std::string_view rest = text_.substr(at_);
    for (std::string_view op : l.ops) {
      if (op.empty() || !rest.starts_with(op)) continue;
      char next = rest.size() > op.size() ? rest[op.size()] : 0;
      // "<" is not the start of "<<" or "<=", nor "&" of "&&".
      if (op.size() == 1 && (next == op[0] || ((op == "<" || op == ">") && next == '=')) && op != "-" &&
          op != "+")
        continue;
      return op;
    }
    return {};
  }

  Value level(size_t k) {
    if (k == std::size(kLevels)) return unary();
    Value left = level(k + 1);
    for (;;) {
      std::string_view op = operator_of(kLevels[k]);
      if (op.empty()) return left;
      at_ += op.size();
      if (op == "&&" || op == "||") {
        bool needed = left.truth() == (op == "&&");
        Value right = guarded(needed, [&] { return level(k + 1); });
        left = truth(needed ? right.truth() : left.truth());
        continue;
      }
      Value right = level(k + 1);
      left = ignoring_ ? Value{} : binary(op, left, right);
    }
  }

  Value unary() {
    if (eat("-")) {
      Value v = unary();
      if (v.kind == Value::F32) return Value::of(-static_cast<float>(v.number));
      if (v.kind == Value::F64) return Value::of(-v.number);
      return integer_of(v.kind, 0 - v.integer);
    }
    if (eat("~")) {
      Value v = unary();
      if (v.is_float()) fail("~ of a float");
      return integer_of(v.kind, ~v.integer);
    }
    if (eat("!")) return truth(!unary().truth());
    if (eat("(")) {
      Value v = conditional();
      expect(")");
      return v;
    }
    skip();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return literal();
    return name();
  }

  Value literal() {
    size_t begin = at_;
    bool hex = text_.substr(at_).starts_with("0x");
    if (hex) at_ += 2;
    bool floating = false;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      bool exponent = hex ? c == 'p' : c == 'e' || c == 'E';
      floating = floating || exponent || c == '.';
      if (exponent && at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+'))
        ++at_;
      else if (!exponent && c != '.' &&
               !(hex ? std::isxdigit(static_cast<unsigned char>(c))
                     : std::isdigit(static_cast<unsigned char>(c))))
        break;
    }
    std::string digits(text_.substr(begin, at_ - begin));
    if (!floating) return Value::of(static_cast<int64_t>(std::strtoull(digits.c_str(), nullptr, 0)));
    if (at_ < text_.size() && text_[at_] == 'f')
      return ++at_, Value::of(std::strtof(digits.c_str(), nullptr));
    return Value::of(std::strtod(digits.c_str(), nullptr));
  }

  std::string_view word() {
    skip();
    size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    if (begin == at_) fail("expected a value before '" + std::string(text_.substr(at_)) + "'");
    return text_.substr(begin, at_ - begin);
  }

  Value name() {
    std::string_view w = word();
    if (eat("[")) {
      Value index = conditional();
      expect("]");
      return ignoring_ ? Value{} : names_.element(w, as_signed(index));
    }
    if (eat("(")) return w == "sum" ? sum() : call(w);
    if (w == "inf") return Value::of(std::numeric_limits<double>::infinity());
    if (w == "nan") return Value::of(std::numeric_limits<double>::quiet_NaN());
    auto found = names_.values.find(w);
    if (found == names_.values.end()) fail("unknown name '" + std::string(w) + "'");
    return found->second;
  }

  // sum(k, from, to, expression): `to` is excluded.
  Value sum() {
    std::string variable(word());
    expect(",");
    int64_t from = as_signed(conditional());
    expect(",");
    int64_t to = as_signed(conditional());
    expect(",");
    size_t body = at_;
    auto outer = names_.values.find(variable) == names_.values.end() ? Value{} : names_.values[variable];
    // Evaluates once without effect, to find the end.
    names_.values[variable] = Value::of(from);
    Value total = guarded(false, [&] { return conditional(); });
    total = Value{};
    size_t end = at_;
    for (int64_t k = from; k < to && !ignoring_; ++k) {
      at_ = body;
      names_.values[variable] = Value::of(k);
      Value term = conditional();
      total = k == from ? term : binary("+", total, term);
    }
    names_.values[variable] = outer;
    at_ = end;
    expect(")");
    return total;
  }

  Value call(std::string_view f) {
    std::vector<Value> a;
    if (!eat(")")) {
      do a.push_back(conditional());
      while (eat(","));
      expect(")");
    }
    if (ignoring_) return Value{};
    auto need = [&](size_t n) {
      if (a.size() != n) fail(std::string(f) + " takes " + std::to_string(n) + " operands");
    };
    if (f == "min" || f == "max") {
      need(2);
      return binary("<", a[0], a[1]).truth() == (f == "min") ? a[0] : a[1];
    }
    if (f == "fma") {
      need(3);
      if (a[0].kind == Value::F64) return Value::of(std::fma(a[0].number, a[1].number, a[2].number));
      return Value::of(std::fma(to_float(a[0]), to_float(a[1]), to_float(a[2])));
    }
    need(1);
    return call_one(f, a[0]);
  }

  static Value call_one(std::string_view f, const Value& v) {
    if (f == "i8") return convert_integer<int8_t>(v);
    if (f == "u8") return convert_integer<uint8_t>(v);
    if (f == "i16") return convert_integer<int16_t>(v);
    if (f == "u16") return convert_integer<uint16_t>(v);
    if (f == "i32") return convert_integer<int32_t>(v);
    if (f == "u32") return convert_integer<uint32_t>(v);
    if (f == "i64") return convert_integer<int64_t>(v);
    if (f == "u64") return convert_integer<uint64_t>(v);
    if (f == "f32") return Value::of(to_float(v));
    if (f == "f64") return Value::of(v.as_double());
    if (f == "as_u32") return Value::of(int64_t{std::bit_cast<uint32_t>(to_float(v))});
    if (f == "as_u64") return integer_of(Value::Uint, std::bit_cast<uint64_t>(v.as_double()));
    if (f == "as_f32") return Value::of(std::bit_cast<float>(static_cast<uint32_t>(v.integer)));
    if (f == "as_f64") return Value::of(std::bit_cast<double>(v.integer));
    if (f == "pow2") return Value::of(std::ldexp(1.0, static_cast<int>(as_signed(v))));
    if (f == "popcount") return Value::of(int64_t{std::popcount(v.integer)});
    if (f == "abs" && !v.is_float()) return as_signed(v) < 0 ? integer_of(v.kind, 0 - v.integer) : v;
    auto apply = [&](auto g) {
      return v.kind == Value::F64 ? Value::of(g(v.number)) : Value::of(g(to_float(v)));
    };
    if (f == "abs") return apply([](auto x) { return std::fabs(x); });
    if (f == "sqrt") return apply([](auto x) { return std::sqrt(x); });
    if (f == "floor") return apply([](auto x) { return std::floor(x); });
    if (f == "ceil") return apply([](auto x) { return std::ceil(x); });
    if (f == "trunc") return apply([](auto x) { return std::trunc(x); });
    if (f == "rint") return apply([](auto x) { return std::rint(x); });
    fail("unknown function '" + std::string(f) + "'");
  }

  std::string_view text_;
  FormulaNames names_;
  size_t at_ = 0;
  int ignoring_ = 0;  // nesting depth of parts whose value is ignored
};

}  // namespace

double FormulaValue::as_double() const {
  if (is_float()) return number;
  return kind == Uint ? static_cast<double>(integer) : static_cast<double>(static_cast<int64_t>(integer));
}

std::expected<FormulaValue, std::string> evaluate_formula(std::string_view text, const FormulaNames& names) {
  try {
    return Parser(text, names).whole();
  } catch (const FormulaError& e) {
    return std::unexpected(e.message);
  }
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  auto trim = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  text = trim(text);
  if (!text.starts_with('{') || !text.ends_with('}')) return parts;
  text = text.substr(1, text.size() - 2);
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    if (text[i] == ',' && depth == 0) parts.push_back(trim(text.substr(begin, i - begin))), begin = i + 1;
  }
  if (auto last = trim(text.substr(begin)); !last.empty()) parts.push_back(last);
  return parts;
}

}  // namespace kc::test
