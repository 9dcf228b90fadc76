// SPDX-License-Identifier: Apache-2.0
#include "driver/script/script_values.h"

#include <fmt/format.h>

#include <bit>

#include "frontend/source/nearest_name.h"

namespace kc {
namespace {

[[noreturn]] void fail(ScriptPlace place, std::string message) {
  throw TextError{place.line, place.column, std::move(message)};
}

double as_double(const ScriptValue& v) {
  return v.index() == 0 ? static_cast<double>(std::get<0>(v)) : std::get<1>(v);
}

ScriptValue element_value(const BufferArg& b, uint64_t i) {
  uint64_t bits = load_element(b, i);
  if (b.type.is_float()) return float_value(b.type, bits);
  unsigned unused = 64 - 8 * static_cast<unsigned>(b.type.bytes());
  if (b.type.is_unsigned) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << unused) >> unused;
}

template <typename T>
int64_t compared(std::string_view op, T a, T b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  return op == "<=" ? a <= b : a >= b;
}

// Integers wrap, as they do in kernels.
ScriptValue on_integers(const ScriptExpr& e, int64_t a, int64_t b) {
  const std::string& op = e.text;
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (op == "+") return static_cast<int64_t>(ua + ub);
  if (op == "-") return static_cast<int64_t>(ua - ub);
  if (op == "*") return static_cast<int64_t>(ua * ub);
  if (op == "/" || op == "%") {
    if (b == 0) fail(e.place, "division by zero");
    if (b == -1) return op == "/" ? static_cast<int64_t>(0 - ua) : int64_t{0};
    return op == "/" ? a / b : a % b;
  }
  if (op == "<<" || op == ">>") {
    if (b < 0 || b > 63) fail(e.place, fmt::format("a shift by {}", b));
    return op == "<<" ? static_cast<int64_t>(ua << b) : a >> b;
  }
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  return compared(op, a, b);
}

ScriptValue on_doubles(const ScriptExpr& e, double a, double b) {
  const std::string& op = e.text;
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  if (op == "%" || op == "<<" || op == ">>" || op == "&" || op == "|" || op == "^")
    fail(e.place, fmt::format("'{}' takes integers", op));
  return compared(op, a, b);
}

}  // namespace

std::vector<std::string_view> ScriptState::names() const {
  std::vector<std::string_view> all;
  for (const auto& [name, b] : buffers) all.push_back(name);
  for (const auto& [name, v] : variables) all.push_back(name);
  return all;
}

const BufferArg& ScriptState::buffer(const std::string& name, ScriptPlace place) const {
  auto found = buffers.find(name);
  if (found == buffers.end())
    fail(place, fmt::format("there is no buffer '{}'{}", name,
                            front::did_you_mean(front::nearest_name(name, names()))));
  return found->second;
}
BufferArg& ScriptState::buffer(const std::string& name, ScriptPlace place) {
  return const_cast<BufferArg&>(static_cast<const ScriptState*>(this)->buffer(name, place));
}

uint64_t ScriptState::index(const BufferArg& buffer, const ScriptExpr& e) const {
  int64_t i = whole(e);
  uint64_t count = buffer.bytes.size() / buffer.type.bytes();
  if (i < 0 || static_cast<uint64_t>(i) >= count)
    fail(e.place, fmt::format("element {} of a buffer with {}", i, count));
  return static_cast<uint64_t>(i);
}

ScriptValue ScriptState::evaluate(const ScriptExpr& e) const {
  switch (e.kind) {
    case ScriptExpr::Number:
      return e.value;
    case ScriptExpr::Name: {
      auto found = variables.find(e.text);
      if (found == variables.end())
        fail(e.place, buffers.contains(e.text)
                          ? fmt::format("'{}' is a buffer, not a number", e.text)
                          : fmt::format("there is no '{}'{}", e.text,
                                        front::did_you_mean(front::nearest_name(e.text, names()))));
      return found->second;
    }
    case ScriptExpr::Element: {
      const BufferArg& b = buffer(e.text, e.place);
      return element_value(b, index(b, *e.parts[0]));
    }
    case ScriptExpr::Unary: {
      ScriptValue v = evaluate(*e.parts[0]);
      if (e.text == "!") return int64_t{as_double(v) == 0};
      if (v.index() == 1) return -std::get<1>(v);
      return static_cast<int64_t>(0 - static_cast<uint64_t>(std::get<0>(v)));
    }
    case ScriptExpr::Binary:
      break;
  }
  ScriptValue left = evaluate(*e.parts[0]);
  if (e.text == "&&") return int64_t{as_double(left) != 0 && truth(*e.parts[1])};
  if (e.text == "||") return int64_t{as_double(left) != 0 || truth(*e.parts[1])};
  ScriptValue right = evaluate(*e.parts[1]);
  if (left.index() == 0 && right.index() == 0) return on_integers(e, std::get<0>(left), std::get<0>(right));
  return on_doubles(e, as_double(left), as_double(right));
}

int64_t ScriptState::whole(const ScriptExpr& e) const {
  ScriptValue v = evaluate(e);
  if (v.index() == 1) fail(e.place, fmt::format("an integer is needed, not {}", std::get<1>(v)));
  return std::get<0>(v);
}

uint64_t ScriptState::count(const ScriptExpr& e, std::string_view what) const {
  int64_t n = whole(e);
  if (n < 0) fail(e.place, fmt::format("{} is {}", what, n));
  return static_cast<uint64_t>(n);
}

bool ScriptState::truth(const ScriptExpr& e) const { return as_double(evaluate(e)) != 0; }

std::string ScriptState::literal(const ScriptValue& v) {
  if (v.index() == 0) return fmt::format("{}", std::get<0>(v));
  std::string text = fmt::format("{}", std::get<1>(v));
  bool plain = text.find_first_of(".en") == std::string::npos;
  return plain ? text + ".0" : text;
}

}  // namespace kc
