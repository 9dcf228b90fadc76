// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/sema/types.h"
#include "frontend/source/token.h"

namespace kc::front {

struct KeywordRow {
  std::string_view word;
  TokenKind kind = Tok::TokIdentifier;
  int value = 0;  // a TypeWord, AddressSpace, Qualifiers or Storage, by the kind
};

// Null for words that are not keywords. `try`, `catch` and `throw` depend on their position and are not here.
const KeywordRow* find_keyword(std::string_view word);
// Types of OpenCL C that this version does not have: images, vectors of half, ...
bool is_unsupported_type(std::string_view word);
bool is_unsupported_vector(std::string_view word);
// Types whose names declarations can hide: `float4`, `half`, `event_t`.
std::optional<TypeShape> find_hidable_type(std::string_view word);
// `float`, `float4`: what `convert_T` and `as_T` are named after.
std::optional<TypeShape> find_number_type(std::string_view word);
// All words that name a type, for suggestions.
std::vector<std::string_view> type_words();

}  // namespace kc::front
