// SPDX-License-Identifier: Apache-2.0
// A token of the source. The kinds are those that the grammar declares.
#pragma once
#include <string_view>

#include "frontend/source/source.h"
#include "parser.h"

namespace kc::front {

using TokenKind = Parser::token_kind_type;
using Tok = Parser::token;
struct Identifier;

struct Token {
  struct Spacing {  // what stands before it
    bool line_start = false;
    bool space = false;
  };

  TokenKind kind = Tok::TokEnd;
  Spacing before;
  bool malformed : 1 = false;   // a literal without its end
  bool from_macro : 1 = false;  // came out of a macro
  bool detached : 1 = false;    // a macro stood before it that may have left nothing
  bool blocked : 1 = false;     // the name of a macro that is not to be expanded any more
  SourceRange range;
  std::string_view text;             // spelling
  Identifier* identifier = nullptr;  // of an identifier in text that is compiled

  bool is_bad() const { return malformed || kind == Tok::TokYYUNDEF; }
};

}  // namespace kc::front
