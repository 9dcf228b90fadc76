// SPDX-License-Identifier: Apache-2.0
// The integer expressions of #if and #elif, after macro expansion.
#pragma once
#include <span>

#include "frontend/diagnostics.h"
#include "frontend/token.h"

namespace kc::front {

// `defined` has been replaced by 0 or 1. Malformed expressions are reported and count as false.
bool evaluate_condition(std::span<const Token> tokens, SourceRange directive, Diagnostics& diagnostics);

}  // namespace kc::front
