// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "frontend/token.h"

namespace kc::front {

struct KeywordRow {
  std::string_view word;
  TokenKind kind = Tok::TokIdentifier;
  int value = 0;  // a TypeWord, AddressSpace, Qualifiers or Storage, by the kind
};

// Null for words that are not keywords. `try`, `catch` and `throw` depend on their position and are not here.
const KeywordRow* find_keyword(std::string_view word);
// Types of OpenCL C that this version does not have: vectors, images, half, ...
bool is_unsupported_type(std::string_view word);
bool is_vector_type_name(std::string_view word);
// All words that name a type, for suggestions.
std::vector<std::string_view> type_words();

}  // namespace kc::front
