// SPDX-License-Identifier: Apache-2.0
// A token of the source. The kinds are those that the grammar declares.
#pragma once
#include <string_view>

#include "frontend/source.h"
#include "parser.h"

namespace kc::front {

using TokenKind = Parser::token_kind_type;
using Tok = Parser::token;

struct Token {
  TokenKind kind = Tok::TokEnd;
  bool at_line_start = false;
  bool from_macro = false;
  SourceRange range;              // in the original text; of a macro's tokens, where the macro was used
  std::string_view text;          // spelling
  const char* problem = nullptr;  // of a malformed token
};

}  // namespace kc::front
