// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "frontend/sema/value_range.h"
#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

class Conversions : public Visitor {
 public:
  explicit Conversions(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void expression(const Expr* e, const Use& use) override {
    if (use.unevaluated) return;
    if (e->kind == ExprKind::Convert) check_conversion(as<CastExpr>(e));
    if (e->kind == ExprKind::Binary && is_comparison(as<BinaryExpr>(e)->op)) check_signs(as<BinaryExpr>(e));
    if (e->kind == ExprKind::Assign) check_compound(as<AssignExpr>(e));
  }

 private:
  bool from_macro(const Expr* e) const { return diagnostics_.sources().in_macro(e->range.begin); }

  void check_conversion(const CastExpr* e) {
    const Type *from = e->operand->type, *to = e->type;
    if (!from->is_arithmetic() || !to->is_arithmetic() || to->kind == TypeKind::Bool || from_macro(e)) return;
    if (e->operand->kind == ExprKind::Convert) return;  // inserted by sema for its own purposes
    check_promotion(e->operand, from, to);
    if (e->operand->is_constant && from->is_integer())
      to->is_integer() ? check_integer_constant(e) : check_rounding(e);
    else if (double real = 0; literal_value(e->operand, real) && to->is_integer())
      check_real_constant(e, real);
    else
      check_narrowing(e->operand, from, to);
  }

  void changes(const CastExpr* e, const std::string& before, const std::string& after) {
    diagnostics_.warning(Warning::ConstantConversion, e->operand->range,
                         fmt::format("implicit conversion from '{}' to '{}' changes value from {} to {}",
                                     type_name(e->operand->type), type_name(e->type), before, after));
  }

  // Bit patterns cause no warning: -1 for all ones, hexadecimal constants that fill the type, unsigned to
  // signed.
  void check_integer_constant(const CastExpr* e) {
    const Type *from = e->operand->type, *to = e->type;
    WideInt value = constant_value(e->operand);
    if (ValueRange{value, value}.within(range_of_type(to))) return;
    int bits = 8 * static_cast<int>(to->size());
    bool fills = value >= -(WideInt{1} << (bits - 1)) && value < (WideInt{1} << bits);
    bool pattern =
        value < 0 || (!from->is_signed() && from->size() == to->size()) || written_in_bits(e->operand);
    if (fills && pattern) return;
    auto text = [](const Expr* x) {
      return x->type->is_signed() ? fmt::format("{}", x->constant)
                                  : fmt::format("{}", static_cast<uint64_t>(x->constant));
    };
    changes(e, text(e->operand), text(e));
  }

  static bool written_in_bits(const Expr* e) {
    std::vector<const Expr*> pending{e};
    while (!pending.empty()) {
      const Expr* x = pending.back();
      pending.pop_back();
      if (x->kind == ExprKind::Number && as<NumberExpr>(x)->text.starts_with("0")) return true;
      if (x->kind == ExprKind::Character) return true;
      if (x->kind == ExprKind::Unary && as<UnaryExpr>(x)->op == UnaryOp::BitNot) return true;
      if (x->kind == ExprKind::Binary && as<BinaryExpr>(x)->op == BinaryOp::Shl) return true;
      for (auto& [operand, use] : children_of(x, {}).expressions) pending.push_back(operand);
    }
    return false;
  }

  void check_rounding(const CastExpr* e) {
    WideInt value = constant_value(e->operand);
    double real = static_cast<double>(value);
    if (e->type->kind == TypeKind::Float) real = static_cast<float>(value);
    if (static_cast<WideInt>(real) == value) return;
    changes(e, fmt::format("{}", static_cast<int64_t>(value)), fmt::format("{:.0f}", real));
  }

  static bool literal_value(const Expr* e, double& real) {
    bool negative = e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Minus;
    const Expr* number = negative ? as<UnaryExpr>(e)->operand : e;
    if (number->kind != ExprKind::Number || !number->type->is_floating()) return false;
    real = as<NumberExpr>(number)->real * (negative ? -1 : 1);
    return true;
  }

  // Converts like the program: truncates and saturates to the type.
  void check_real_constant(const CastExpr* e, double real) {
    ValueRange range = range_of_type(e->type);
    double whole = std::trunc(real);
    if (whole == real && whole >= static_cast<double>(range.low) &&
        whole < static_cast<double>(range.high) + 1)
      return;
    WideInt result = whole >= static_cast<double>(range.high)  ? range.high
                     : whole <= static_cast<double>(range.low) ? range.low
                                                               : static_cast<WideInt>(whole);
    bool small = result <= INT64_MAX;
    changes(e, fmt::format("{:g}", real),
            small ? fmt::format("{}", static_cast<int64_t>(result))
                  : fmt::format("{}", static_cast<uint64_t>(result)));
  }

  void check_compound(const AssignExpr* e) {
    if (e->compound && e->operation_type && e->left->type->is_arithmetic() && !from_macro(e))
      if (e->operation_type->is_floating() && e->left->type->is_integer())
        check_narrowing(e->right, e->operation_type, e->left->type);
  }

  void check_promotion(const Expr* e, const Type* from, const Type* to) {
    double constant = 0;
    if (from->kind != TypeKind::Float || to->kind != TypeKind::Double || literal_value(e, constant)) return;
    diagnostics_.warning(Warning::DoublePromotion, e->range,
                         "implicit conversion from 'float' to 'double': the computation goes on in double");
  }

  void check_narrowing(const Expr* e, const Type* from, const Type* to) {
    const char* what = nullptr;
    if (from->is_floating() && to->is_integer())
      what = "drops the fraction";
    else if (from->is_floating() && to->size() < from->size())
      what = "loses precision";
    else if (from->is_integer() && to->is_floating() && precision_lost(range_of(e), to))
      what = "may lose precision";
    else if (from->is_integer() && to->is_integer() && to->size() < from->size() && !fits(range_of(e), to))
      what = "may lose high bits";
    if (what)
      diagnostics_.warning(
          Warning::Conversion, e->range,
          fmt::format("implicit conversion from '{}' to '{}' {}", type_name(from), type_name(to), what));
  }

  static bool precision_lost(ValueRange values, const Type* to) {
    WideInt exact = WideInt{1} << (to->kind == TypeKind::Float ? 24 : 53);
    return values.low < -exact || values.high > exact;
  }

  // Accepts signed or unsigned: a change of sign alone loses no bits.
  static bool fits(ValueRange values, const Type* to) {
    WideInt bits = 8 * static_cast<int>(to->size());
    return values.within(range_of_type(to)) ||
           (values.low >= 0 && values.high < (WideInt{1} << static_cast<int>(bits)));
  }

  // `i < n` where a signed i becomes unsigned.
  void check_signs(const BinaryExpr* e) {
    const Expr *l = without_conversions(e->left), *r = without_conversions(e->right);
    if (!l->type->is_integer() || !r->type->is_integer() || l->type->is_signed() == r->type->is_signed())
      return;
    if (e->left->type->is_signed() || diagnostics_.sources().in_macro(e->op_range.begin)) return;
    const Expr* signed_side = l->type->is_signed() ? l : r;
    bool relational = e->op != BinaryOp::Eq && e->op != BinaryOp::Ne;
    if (range_of(signed_side).low >= 0 || (signed_side->is_constant && !relational))
      return;  // `u == -1` is intentional
    diagnostics_.warning_at(
        Warning::SignCompare, e->op_range.begin, e->range,
        fmt::format("comparison of integers of different signs: '{}' and '{}'; a negative value counts as "
                    "a large one",
                    type_name(l->type), type_name(r->type)));
  }

  Diagnostics& diagnostics_;
};

}  // namespace

std::unique_ptr<Visitor> conversion_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Conversions>(diagnostics);
}

}  // namespace kc::front
