// SPDX-License-Identifier: Apache-2.0
// Format strings and string arguments of printf calls, for sema and lowering.
#pragma once
#include <string_view>

#include "frontend/parse/ast.h"

namespace kc::front {

/// The string literal that the expression consists of, or null. Sema has converted it to a pointer.
const StringExpr* literal_of(const Expr* e);
/// A compile-time text in constant memory: a literal or an array of characters. Null for any other
/// expression.
const VarDecl* known_text(const Expr* e);
/// The text of a literal up to the first zero, as printf reads it.
std::string_view printf_text(const StringExpr* e);

}  // namespace kc::front
