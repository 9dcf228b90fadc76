// SPDX-License-Identifier: Apache-2.0
// The integer expressions of #if and #elif, after macro expansion.
#pragma once
#include <span>

#include "frontend/source/diagnostics.h"
#include "frontend/source/token.h"

namespace kc::front {

// The operand of `defined` is unexpanded. Malformed expressions are reported and count as false.
bool evaluate_condition(std::span<const Token> tokens, SourceRange directive, Diagnostics& diagnostics);

}  // namespace kc::front
