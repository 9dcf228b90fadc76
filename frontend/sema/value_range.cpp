// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/value_range.h"

#include <algorithm>

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

namespace {

// Operands of operands are looked at down to this depth: each conversion in a long expression asks.
constexpr int kDepth = 8;

ValueRange hull(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

ValueRange range_of(const Expr* e, int depth);

// Of `e`, whose type has the range `all`.
ValueRange range_of_binary(const BinaryExpr* e, const ValueRange& all, int depth) {
  if (is_comparison(e->op) || e->op == BinaryOp::LogicalAnd || e->op == BinaryOp::LogicalOr) return {0, 1};
  if (!e->left->type->is_integer() || !e->right->type->is_integer()) return all;
  const ValueRange a = range_of(e->left, depth - 1), b = range_of(e->right, depth - 1);
  const auto unless_wrapped = [&](const ValueRange& r) { return r.within(all) ? r : all; };
  const bool by_positive = e->right->is_constant && b.low > 0;
  switch (e->op) {
    case BinaryOp::And:
      if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
      return a.low >= 0 ? ValueRange{0, a.high} : b.low >= 0 ? ValueRange{0, b.high} : all;
    case BinaryOp::Or:
    case BinaryOp::Xor: {
      if (a.low < 0 || b.low < 0) return all;
      WideInt bits = 1;
      while (bits <= std::max(a.high, b.high)) bits *= 2;
      return {0, bits - 1};
    }
    case BinaryOp::Add:
      return unless_wrapped({a.low + b.low, a.high + b.high});
    case BinaryOp::Sub:
      return unless_wrapped({a.low - b.high, a.high - b.low});
    case BinaryOp::Div:
      return by_positive ? ValueRange{a.low / b.low, a.high / b.low} : all;
    case BinaryOp::Rem:
      if (!by_positive) return all;
      return {a.low < 0 ? std::max(a.low, 1 - b.low) : 0, std::max<WideInt>(0, std::min(a.high, b.low - 1))};
    case BinaryOp::Shr: {
      const WideInt width = 8 * static_cast<int>(e->type->size());
      if (!e->right->is_constant || b.low < 0 || b.low >= width) return all;
      return {a.low >> static_cast<int>(b.low), a.high >> static_cast<int>(b.low)};
    }
    default:
      return all;
  }
}

ValueRange range_of(const Expr* e, int depth) {
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
  if (depth == 0) return all;
  if (e->kind == ExprKind::Binary) return range_of_binary(as<BinaryExpr>(e), all, depth);
  if (e->kind != ExprKind::Conditional) return all;
  const auto* choice = as<ConditionalExpr>(e);
  return hull(range_of(choice->if_true, depth - 1), range_of(choice->if_false, depth - 1));
}

}  // namespace

ValueRange range_of(const Expr* e) { return range_of(e, kDepth); }

}  // namespace kc::front
