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
  int value = 0;  // a TypeWord, AddressSpace, Qualifiers or Storage, depending on the kind
};

// Null for identifiers that are not keywords. `try`, `catch` and `throw` depend on context and are not in the
// table.
const KeywordRow* find_keyword(std::string_view word);
// Types of OpenCL C that this version does not implement: images, vectors of half, ... `before_word`: whether
// a word follows, without which `complex` and `pipe` are names.
bool is_unsupported_type(std::string_view word, bool before_word);
bool is_unsupported_vector(std::string_view word);
// Types whose names a declaration may shadow: `float4`, `half`, `event_t`.
std::optional<TypeShape> find_hidable_type(std::string_view word);
// The type that a keyword names by itself: of `size_t`, not of `unsigned`.
std::optional<TypeKind> kind_of_word(TypeWord word);
// The types that can occur in the names `convert_T` and `as_T`: `float`, `float4`.
std::optional<TypeShape> find_number_type(std::string_view word);
// The keywords that may begin a declaration, for suggestions.
std::vector<std::string_view> declaration_words();

}  // namespace kc::front
