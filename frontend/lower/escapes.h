// SPDX-License-Identifier: Apache-2.0
// Decodes the spelling of character and string literals.
#pragma once
#include <optional>
#include <string_view>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

/// Removes the first character, or a whole escape sequence, from the text between the quotes of a literal.
/// Returns none and leaves the text unchanged if the escape sequence is invalid.
std::optional<char> next_character(std::string_view& text);

/// Sets the string's text from its pieces. Returns false, with an error, if a piece is invalid.
bool read_text(StringExpr* e, Arena& arena, Diagnostics& diagnostics);

}  // namespace kc::front
