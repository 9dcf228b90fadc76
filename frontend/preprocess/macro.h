// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "frontend/source/interner.h"
#include "frontend/source/token.h"

namespace kc::front {

enum class BuiltinMacro : uint8_t {
  None,
  Line,
  File,
  Counter,
  HasBuiltin,
  HasAttribute,
  HasInclude,
  HasOther
};

struct Macro {
  SourceRange name_range;  // in the definition
  SourceRange body_range;
  std::vector<Token> body;
  // for each token of the body: 1 + the index of the parameter it names, or 0
  std::vector<uint16_t> parameter_of;
  std::vector<Identifier*> parameters;
  BuiltinMacro builtin = BuiltinMacro::None;
  bool function_like = false;
  bool variadic = false;   // the last parameter takes all remaining arguments
  bool has_paste = false;  // the body contains ##
  bool disabled = false;   // under expansion: its name is not expanded again
};

// The arguments of one macro invocation.
struct MacroArguments {
  std::vector<Token> tokens;    // of all arguments, unexpanded
  std::vector<size_t> starts;   // in `tokens`, one more than the number of arguments
  std::vector<Token> expanded;  // the expanded arguments
  struct Piece {
    size_t begin = 0, end = 0;  // in `expanded`
    bool done = false;
  };
  std::vector<Piece> pieces;  // for each argument

  std::span<const Token> as_written(size_t i) const {
    return std::span(tokens).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

}  // namespace kc::front
