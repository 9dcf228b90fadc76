// SPDX-License-Identifier: Apache-2.0
// What the spelling of literals stands for.
#pragma once
#include <optional>
#include <string_view>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

/// Takes the first character off the text between the quotes of a literal, an escape sequence as a whole.
/// None, with the text as it was, if that is not one.
std::optional<char> next_character(std::string_view& text);

/// Sets the string's text from its pieces. False, with an error, if one cannot be read.
bool read_text(StringExpr* e, Arena& arena, Diagnostics& diagnostics);

}  // namespace kc::front
