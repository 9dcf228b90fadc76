// SPDX-License-Identifier: Apache-2.0
// What a call of printf says about its texts, for those who check and those who lower it.
#pragma once
#include <string_view>

#include "frontend/parse/ast.h"

namespace kc::front {

/// The literal that the expression is, if it is one; sema has made a pointer of it.
const StringExpr* literal_of(const Expr* e);
/// A text in constant memory that is known here: a literal, or an array of characters. Null if it is another
/// expression.
const VarDecl* known_text(const Expr* e);
/// The text of a literal as printf sees it: up to the first zero.
std::string_view printed_text(const StringExpr* e);

}  // namespace kc::front
