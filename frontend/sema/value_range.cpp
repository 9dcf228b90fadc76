// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/value_range.h"

namespace kc::front {

ValueRange range_of_type(const Type* type) {
  if (type->kind == TypeKind::Bool) return {0, 1};
  int bits = 8 * static_cast<int>(type->size());
  if (!type->is_signed()) return {0, (WideInt{1} << bits) - 1};
  return {-(WideInt{1} << (bits - 1)), (WideInt{1} << (bits - 1)) - 1};
}

WideInt constant_value(const Expr* e) {
  return e->type->is_signed() ? WideInt{e->constant} : WideInt{static_cast<uint64_t>(e->constant)};
}

// The possible values of an integer expression, derived from its shape.
ValueRange range_of(const Expr* e) {
  ValueRange all = range_of_type(e->type);
  for (;;) {  // conversions that preserve every value
    if (e->is_constant) return {constant_value(e), constant_value(e)};
    if (e->kind != ExprKind::Convert || !as<CastExpr>(e)->operand->type->is_integer()) break;
    const Expr* operand = as<CastExpr>(e)->operand;
    if (!range_of_type(operand->type).within(range_of_type(e->type))) break;
    e = operand;
    all = range_of_type(e->type);
  }
  if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Not) return {0, 1};
  if (e->kind != ExprKind::Binary) return all;
  const BinaryExpr* b = as<BinaryExpr>(e);
  if (is_comparison(b->op) || b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr) return {0, 1};
  if (!b->right->is_constant || !b->right->type->is_integer()) return all;
  WideInt c = constant_value(b->right);
  WideInt width = 8 * static_cast<int>(e->type->size());
  switch (b->op) {
    case BinaryOp::And:
      return c >= 0 ? ValueRange{0, c} : all;
    case BinaryOp::Rem:
      return c > 0 ? ValueRange{all.low < 0 ? 1 - c : 0, c - 1} : all;
    case BinaryOp::Shr:
      return c >= 0 && c < width ? ValueRange{all.low >> static_cast<int>(c), all.high >> static_cast<int>(c)}
                                 : all;
    default:
      return all;
  }
}

}  // namespace kc::front
