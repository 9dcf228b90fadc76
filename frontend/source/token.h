// SPDX-License-Identifier: Apache-2.0
// A token of the source. The grammar declares the kinds.
#pragma once
#include <string_view>

#include "frontend/source/source.h"
#include "parser.h"

namespace kc::front {

using TokenKind = Parser::token_kind_type;
using Tok = Parser::token;
struct Identifier;

struct Token {
  struct Spacing {  // whitespace before it
    bool line_start = false;
    bool space = false;
  };

  TokenKind kind = Tok::TokEnd;
  Spacing before;
  bool malformed : 1 = false;   // an unterminated literal
  bool from_macro : 1 = false;  // produced by macro expansion
  bool detached : 1 = false;    // follows a macro whose expansion may be empty
  bool blocked : 1 = false;     // a macro name that is never expanded again
  SourceRange range;
  std::string_view text;             // spelling
  Identifier* identifier = nullptr;  // of an identifier in compiled text

  bool is_bad() const { return malformed || kind == Tok::TokYYUNDEF; }
};

}  // namespace kc::front
