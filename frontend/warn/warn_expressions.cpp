// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

bool is_bitwise(BinaryOp op) { return op == BinaryOp::And || op == BinaryOp::Xor || op == BinaryOp::Or; }
bool is_shift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr; }
bool is_additive(BinaryOp op) { return op == BinaryOp::Add || op == BinaryOp::Sub; }

// The operand as a binary operator without parentheses around it, or null.
const BinaryExpr* bare_binary(const Expr* e) {
  e = without_conversions(e);
  return e->kind == ExprKind::Binary && !e->parenthesized ? as<BinaryExpr>(e) : nullptr;
}

bool gives_truth(const Expr* e) {
  e = without_conversions(e);
  if (e->type->kind == TypeKind::Bool) return true;
  if (e->kind == ExprKind::Unary) return as<UnaryExpr>(e)->op == UnaryOp::Not;
  if (e->kind != ExprKind::Binary) return false;
  BinaryOp op = as<BinaryExpr>(e)->op;
  return is_comparison(op) || op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr;
}

class Expressions : public Visitor {
 public:
  explicit Expressions(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void expression(const Expr* e, const Use& use) override {
    if (use.discarded) check_discarded(e);
    if (e->kind == ExprKind::Assign) check_assignment(as<AssignExpr>(e), use);
    if (e->kind == ExprKind::Binary) check_binary(as<BinaryExpr>(e));
  }

 private:
  bool from_macro(Position p) const { return diagnostics_.sources().in_macro(p); }

  void check_discarded(const Expr* e) {
    switch (e->kind) {
      case ExprKind::Name:
      case ExprKind::Number:
      case ExprKind::Character:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::Swizzle:
      case ExprKind::VectorLiteral:
      case ExprKind::Elementwise:
      case ExprKind::Cast:
      case ExprKind::Unary:
        break;
      case ExprKind::Binary:
        if (as<BinaryExpr>(e)->op == BinaryOp::Comma) return;  // its operands are checked separately
        if (is_comparison(as<BinaryExpr>(e)->op)) return check_dropped_comparison(as<BinaryExpr>(e));
        break;
      case ExprKind::Call:
        if (as<CallExpr>(e)->call_kind == CallKind::Function && !as<CallExpr>(e)->builtin) return;
        break;
      default:
        return;
    }
    if (e->type->is_void() || has_effects(e) || from_macro(e->range.begin)) return;
    Position caret = e->kind == ExprKind::Binary ? as<BinaryExpr>(e)->op_range.begin : e->range.begin;
    diagnostics_.warning_at(Warning::UnusedValue, caret, e->range,
                            "the value of this expression is not used");
  }

  void check_dropped_comparison(const BinaryExpr* e) {
    if (from_macro(e->op_range.begin)) return;
    Diagnostic& d = diagnostics_.warning_at(Warning::UnusedValue, e->op_range.begin, e->range,
                                            "the result of this comparison is not used");
    if (e->op == BinaryOp::Eq && without_conversions(e->left)->is_lvalue)
      d.note(e->op_range, "use '=' to turn it into an assignment");
  }

  void check_assignment(const AssignExpr* e, const Use& use) {
    if (from_macro(e->op_range.begin)) return;
    if (!e->compound && use.condition && !e->parenthesized) {
      diagnostics_
          .warning_at(Warning::AssignmentInCondition, e->op_range.begin, e->range,
                      "the result of an assignment is used as a condition; did you mean '=='?")
          .fix(e->op_range, "==")
          .note(e->range, "parentheses around the assignment silence this warning");
    }
    const Expr* value = without_conversions(e->right);
    if (!e->compound && same_expression(e->left, value) && !has_effects(e->left) &&
        !from_macro(e->range.begin))
      diagnostics_.warning_at(Warning::SelfAssign, e->op_range.begin, e->range, "this is assigned to itself");
  }

  void check_binary(const BinaryExpr* e) {
    if (from_macro(e->op_range.begin)) return;
    const BinaryExpr *left = bare_binary(e->left), *right = bare_binary(e->right);
    if (is_bitwise(e->op)) check_bitwise(e, left, right);
    if (is_shift(e->op))
      for (const BinaryExpr* operand : {left, right})
        if (operand && is_additive(operand->op)) binds_tighter(Warning::ShiftOpParentheses, e, operand);
    if (e->op == BinaryOp::LogicalOr)
      for (const BinaryExpr* operand : {left, right})
        if (operand && operand->op == BinaryOp::LogicalAnd)
          binds_tighter(Warning::LogicalOpParentheses, e, operand);
    if (is_comparison(e->op)) check_comparison(e, left);
    check_same_sides(e);
  }

  // `a & b == c`. With comparisons on both sides the grouping is clear.
  void check_bitwise(const BinaryExpr* e, const BinaryExpr* left, const BinaryExpr* right) {
    bool l = left && is_comparison(left->op), r = right && is_comparison(right->op);
    if (l == r) return;
    const Expr* other = l ? e->right : e->left;
    if (gives_truth(other)) return;
    binds_tighter(Warning::BitwiseOpParentheses, e, l ? left : right);
  }

  void binds_tighter(Warning flag, const BinaryExpr* e, const BinaryExpr* operand) {
    if (from_macro(operand->op_range.begin)) return;
    const char *inner = spelling(operand->op), *outer = spelling(e->op);
    diagnostics_
        .warning_at(flag, e->op_range.begin, operand->range,
                    fmt::format("'{}' binds tighter than '{}' and is evaluated first", inner, outer))
        .note(operand->range,
              fmt::format("parentheses around the '{}' expression silence this warning", inner));
  }

  void check_comparison(const BinaryExpr* e, const BinaryExpr* left) {
    bool relational = e->op != BinaryOp::Eq && e->op != BinaryOp::Ne;
    if (relational && left && is_comparison(left->op) && left->op != BinaryOp::Eq && left->op != BinaryOp::Ne)
      diagnostics_.warning_at(
          Warning::ChainedComparison, e->op_range.begin, e->range,
          fmt::format("the left operand of this '{0}' is 0 or 1; 'a {1} b {0} c' does not compare b "
                      "with both others",
                      spelling(e->op), spelling(left->op)));
    const Expr* l = without_conversions(e->left);
    if (l->kind != ExprKind::Unary || l->parenthesized || as<UnaryExpr>(l)->op != UnaryOp::Not) return;
    const Expr* negated = without_conversions(as<UnaryExpr>(l)->operand);
    if (gives_truth(e->right) || gives_truth(negated) || from_macro(l->range.begin)) return;
    diagnostics_
        .warning_at(Warning::LogicalNotParentheses, as<UnaryExpr>(l)->op_range.begin, l->range,
                    fmt::format("'!' applies to the left operand of '{}' only", spelling(e->op)))
        .underline(e->op_range)
        .note(l->range, "parentheses around the left operand silence this warning");
  }

  // `x == x`, `a && a`. Comparing a float with itself is a NaN test and causes no warning.
  void check_same_sides(const BinaryExpr* e) {
    bool logical = e->op == BinaryOp::LogicalAnd || e->op == BinaryOp::LogicalOr;
    if (!logical && !is_comparison(e->op)) return;
    const Expr *l = without_conversions(e->left), *r = without_conversions(e->right);
    if (l->is_constant || l->type->is_floating() || from_macro(l->range.begin) || from_macro(r->range.begin))
      return;
    if (!same_expression(l, r) || has_effects(l)) return;
    if (logical) {
      diagnostics_.warning_at(Warning::DuplicateCondition, e->op_range.begin, e->range,
                              fmt::format("both operands of '{}' are the same", spelling(e->op)));
      return;
    }
    bool holds = e->op == BinaryOp::Eq || e->op == BinaryOp::Le || e->op == BinaryOp::Ge;
    diagnostics_.warning_at(Warning::TautologicalCompare, e->op_range.begin, e->range,
                            fmt::format("comparing a value with itself is always {}", holds));
  }

  Diagnostics& diagnostics_;
};

}  // namespace

std::unique_ptr<Visitor> expression_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Expressions>(diagnostics);
}

}  // namespace kc::front
