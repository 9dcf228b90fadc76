// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/printf_formats.h"

namespace kc::front {

namespace {

const Expr* without_decay(const Expr* e) {
  while (e->kind == ExprKind::Convert) e = as<CastExpr>(e)->operand;
  return e;
}

}  // namespace

const StringExpr* literal_of(const Expr* e) {
  e = without_decay(e);
  return e->kind == ExprKind::String ? as<StringExpr>(e) : nullptr;
}

const VarDecl* known_text(const Expr* e) {
  e = without_decay(e);
  if (e->kind == ExprKind::String) return as<StringExpr>(e)->variable;
  const VarDecl* v = e->kind == ExprKind::Name ? as<NameExpr>(e)->variable : nullptr;
  bool is_text = v && v->space == AddressSpace::Constant && v->type->is_array() &&
                 v->type->element->is_integer() && v->type->element->size() == 1;
  return is_text ? v : nullptr;
}

std::string_view printf_text(const StringExpr* e) { return e->text.substr(0, e->text.find('\0')); }

}  // namespace kc::front
