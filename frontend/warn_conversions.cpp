// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "frontend/walk.h"
#include "frontend/warn.h"

namespace kc::front {

namespace {

using Wide = __int128;

struct Range {
  Wide low, high;
};

Range range_of(const Type* type) {
  if (type->kind == TypeKind::Bool) return {0, 1};
  int bits = 8 * static_cast<int>(type->size());
  if (!type->is_signed()) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

bool within(Range inner, Range outer) { return inner.low >= outer.low && inner.high <= outer.high; }

Wide value_of(const Expr* e) {
  return e->type->is_signed() ? Wide{e->constant} : Wide{static_cast<uint64_t>(e->constant)};
}

// What an integer expression can be, as far as its shape tells.
Range possible(const Expr* e) {
  Range all = range_of(e->type);
  for (;;) {  // conversions that keep every value
    if (e->is_constant) return {value_of(e), value_of(e)};
    if (e->kind != ExprKind::Convert || !as<CastExpr>(e)->operand->type->is_integer()) break;
    const Expr* operand = as<CastExpr>(e)->operand;
    if (!within(range_of(operand->type), range_of(e->type))) break;
    e = operand;
    all = range_of(e->type);
  }
  if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Not) return {0, 1};
  if (e->kind != ExprKind::Binary) return all;
  const BinaryExpr* b = as<BinaryExpr>(e);
  if (is_comparison(b->op) || b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr) return {0, 1};
  if (!b->right->is_constant || !b->right->type->is_integer()) return all;
  Wide c = value_of(b->right);
  Wide width = 8 * static_cast<int>(e->type->size());
  switch (b->op) {
    case BinaryOp::And:
      return c >= 0 ? Range{0, c} : all;
    case BinaryOp::Rem:
      return c > 0 ? Range{all.low < 0 ? 1 - c : 0, c - 1} : all;
    case BinaryOp::Shr:
      return c >= 0 && c < width ? Range{all.low >> static_cast<int>(c), all.high >> static_cast<int>(c)}
                                 : all;
    default:
      return all;
  }
}

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
    if (e->operand->kind == ExprKind::Convert) return;  // made by sema for its own ends
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

  // Bit patterns are silent: -1 for all ones, hexadecimal constants that fill the type, unsigned to signed.
  void check_integer_constant(const CastExpr* e) {
    const Type *from = e->operand->type, *to = e->type;
    Wide value = value_of(e->operand);
    if (within({value, value}, range_of(to))) return;
    int bits = 8 * static_cast<int>(to->size());
    bool fills = value >= -(Wide{1} << (bits - 1)) && value < (Wide{1} << bits);
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
    Wide value = value_of(e->operand);
    double real = static_cast<double>(value);
    if (e->type->kind == TypeKind::Float) real = static_cast<float>(value);
    if (static_cast<Wide>(real) == value) return;
    changes(e, fmt::format("{}", static_cast<int64_t>(value)), fmt::format("{:.0f}", real));
  }

  static bool literal_value(const Expr* e, double& real) {
    bool negative = e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Minus;
    const Expr* number = negative ? as<UnaryExpr>(e)->operand : e;
    if (number->kind != ExprKind::Number || !number->type->is_floating()) return false;
    real = as<NumberExpr>(number)->real * (negative ? -1 : 1);
    return true;
  }

  // As the program would: truncated, and kept within the type.
  void check_real_constant(const CastExpr* e, double real) {
    Range range = range_of(e->type);
    double whole = std::trunc(real);
    if (whole == real && whole >= static_cast<double>(range.low) &&
        whole < static_cast<double>(range.high) + 1)
      return;
    Wide result = whole >= static_cast<double>(range.high)  ? range.high
                  : whole <= static_cast<double>(range.low) ? range.low
                                                            : static_cast<Wide>(whole);
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

  void check_narrowing(const Expr* e, const Type* from, const Type* to) {
    const char* what = nullptr;
    if (from->is_floating() && to->is_integer())
      what = "drops the fraction";
    else if (from->is_floating() && to->size() < from->size())
      what = "loses precision";
    else if (from->is_integer() && to->is_floating() && precision_lost(possible(e), to))
      what = "may lose precision";
    else if (from->is_integer() && to->is_integer() && to->size() < from->size() && !fits(possible(e), to))
      what = "may lose high bits";
    if (what)
      diagnostics_.warning(
          Warning::Conversion, e->range,
          fmt::format("implicit conversion from '{}' to '{}' {}", type_name(from), type_name(to), what));
  }

  static bool precision_lost(Range values, const Type* to) {
    Wide exact = Wide{1} << (to->kind == TypeKind::Float ? 24 : 53);
    return values.low < -exact || values.high > exact;
  }

  // Signed or unsigned: a change of sign alone is no loss of bits.
  static bool fits(Range values, const Type* to) {
    Wide bits = 8 * static_cast<int>(to->size());
    return within(values, range_of(to)) ||
           (values.low >= 0 && values.high < (Wide{1} << static_cast<int>(bits)));
  }

  // `i < n` with a signed i that becomes unsigned.
  void check_signs(const BinaryExpr* e) {
    const Expr *l = without_conversions(e->left), *r = without_conversions(e->right);
    if (!l->type->is_integer() || !r->type->is_integer() || l->type->is_signed() == r->type->is_signed())
      return;
    if (e->left->type->is_signed() || diagnostics_.sources().in_macro(e->op_range.begin)) return;
    const Expr* signed_side = l->type->is_signed() ? l : r;
    bool relational = e->op != BinaryOp::Eq && e->op != BinaryOp::Ne;
    if (possible(signed_side).low >= 0 || (signed_side->is_constant && !relational))
      return;  // `u == -1` is meant
    diagnostics_.warning_at(
        Warning::SignCompare, e->op_range.begin, e->range,
        fmt::format("comparison of integers of different signs: '{}' and '{}'; a negative value counts as "
                    "a large one",
                    type_name(l->type), type_name(r->type)));
  }

  Diagnostics& diagnostics_;
};

}  // namespace

void warn_conversions(const FunctionDecl& f, Diagnostics& diagnostics) {
  Conversions visitor(diagnostics);
  walk(f.body, visitor);
}

}  // namespace kc::front
