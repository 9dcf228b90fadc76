// SPDX-License-Identifier: Apache-2.0
// Scripts of `kernelc run --script`: buffers, launches of many kernels, and decisions in between.
// docs/script.md describes the language.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/text.h"

namespace kc {

struct ScriptPlace {
  uint32_t line = 0, column = 0;
};

/// An integer of 64 bits or a double.
using ScriptValue = std::variant<int64_t, double>;

struct ScriptExpr;
using ScriptExprPtr = std::unique_ptr<ScriptExpr>;
struct ScriptExpr {
  enum Kind : uint8_t { Number, Name, Element, Unary, Binary } kind = Number;
  ScriptPlace place;
  ScriptValue value;
  std::string text;                  // a name, or an operator
  std::vector<ScriptExprPtr> parts;  // of an element its index
};

/// What a launch gives one parameter.
struct ScriptArgument {
  ScriptPlace place;
  std::string name;     // of the parameter; empty: the next one
  std::string literal;  // what --arg would take: (1,2,3) or the TYPE of local memory
  ScriptExprPtr value;  // a number, a buffer's name, or how many elements of TYPE
};

struct ScriptStatement {
  enum Kind : uint8_t { Let, Buffer, Set, Fill, Swap, Launch, Print, Dump, Image, While, Repeat, If };
  Kind kind = Let;
  ScriptPlace place;
  std::string name, other;  // what it is about; the second one of a swap
  std::string text;         // a filler, a file, the element type of a buffer
  std::vector<ScriptExprPtr> exprs;
  std::vector<ScriptExprPtr> global, local, offset;
  std::vector<ScriptArgument> arguments;
  std::vector<ScriptStatement> body, otherwise;
};

/// Reads a script; the error has a place.
std::expected<std::vector<ScriptStatement>, TextError> parse_script(std::string_view text);

}  // namespace kc
