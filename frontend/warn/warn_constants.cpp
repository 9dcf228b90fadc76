// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "frontend/sema/value_range.h"
#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

class Constants : public Visitor {
 public:
  explicit Constants(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // What a constant condition leaves out is often only right for other constants: `if (n % 8) x >> (8 - n %
  // 8) * 8`.
  void statement(const Stmt* s) override {
    if (s->kind == StmtKind::Switch) check_cases(as<SwitchStmt>(s));
    if (s->kind != StmtKind::If) return;
    const IfStmt* i = as<IfStmt>(s);
    const Expr* condition = without_conversions(i->condition);
    if (!condition->is_constant || left_out_.contains(condition)) return;
    struct Collector : Visitor {
      explicit Collector(std::unordered_set<const Expr*>& all) : all_(all) {}
      void expression(const Expr* e, const Use&) override { all_.insert(e); }
      std::unordered_set<const Expr*>& all_;
    } collector(left_out_);
    if (const Stmt* arm = constant_value(condition) != 0 ? i->else_body : i->then_body) walk(arm, collector);
  }

  void expression(const Expr* e, const Use& use) override {
    if (use.unevaluated || left_out_.contains(e)) return;
    switch (e->kind) {
      case ExprKind::Number:
        return check_literal(as<NumberExpr>(e));
      case ExprKind::Unary:
        return check_negation(as<UnaryExpr>(e));
      case ExprKind::Index:
        return check_element(as<IndexExpr>(e), use);
      case ExprKind::Binary: {
        const BinaryExpr* b = as<BinaryExpr>(e);
        check_operation(b->op, b->left->type, b->right, b->op_range);
        check_overflow(b);
        if (is_comparison(b->op)) check_comparison(b);
        return;
      }
      case ExprKind::Assign: {
        const AssignExpr* a = as<AssignExpr>(e);
        if (a->compound && a->operation_type)
          check_operation(a->op, a->operation_type, a->right, a->op_range);
        return;
      }
      default:
        return;
    }
  }

 private:
  bool from_macro(Position p) const { return diagnostics_.sources().in_macro(p); }

  // Division by zero and excessive shift counts, whose results the language defines.
  void check_operation(BinaryOp op, const Type* type, const Expr* right, SourceRange op_range) {
    const Expr* written = without_conversions(right);
    if (!type->is_integer() || !written->is_constant) return;
    bool divides = op == BinaryOp::Div, remains = op == BinaryOp::Rem;
    if ((divides || remains) && constant_value(written) == 0)
      diagnostics_
          .warning_at(Warning::DivisionByZero, op_range.begin, op_range,
                      divides ? "division by zero; the result has all bits set"
                              : "remainder of a division by zero; the result is the left operand")
          .underline(written->range);
    if (op != BinaryOp::Shl && op != BinaryOp::Shr) return;
    int width = 8 * static_cast<int>(type->size());
    WideInt count = constant_value(written);
    if (count >= 0 && count < width) return;
    diagnostics_
        .warning_at(
            Warning::ShiftCount, op_range.begin, op_range,
            fmt::format("shift count {} is {}; it is taken modulo {}, the width of '{}', which gives {}",
                        static_cast<int64_t>(count), count < 0 ? "negative" : "too large", width,
                        type_name(type), static_cast<int>(count & (width - 1))))
        .underline(written->range);
  }

  void check_overflow(const BinaryExpr* e) {
    const Expr *l = e->left, *r = e->right;
    if (!e->is_constant || !e->type->is_integer() || !e->type->is_signed()) return;
    if (!l->is_constant || !r->is_constant || l->type != e->type || r->type != e->type) return;
    WideInt result = 0;
    switch (e->op) {
      case BinaryOp::Add:
        result = constant_value(l) + constant_value(r);
        break;
      case BinaryOp::Sub:
        result = constant_value(l) - constant_value(r);
        break;
      case BinaryOp::Mul:
        result = constant_value(l) * constant_value(r);
        break;
      case BinaryOp::Div:
        if (constant_value(r) == 0) return;
        result = constant_value(l) / constant_value(r);
        break;
      default:
        return;
    }
    if (result >= range_of_type(e->type).low && result <= range_of_type(e->type).high) return;
    report_overflow(e, e->op_range.begin);
  }

  void check_negation(const UnaryExpr* e) {
    if (e->op != UnaryOp::Minus || !e->is_constant || !e->type->is_signed()) return;
    if (e->operand->is_constant && constant_value(e->operand) == range_of_type(e->type).low)
      report_overflow(e, e->op_range.begin);
  }

  void report_overflow(const Expr* e, Position caret) {
    diagnostics_.warning_at(Warning::IntegerOverflow, caret, e->range,
                            fmt::format("overflow in a constant; wrapped, it is {} of type '{}'", e->constant,
                                        type_name(e->type)));
  }

  static bool is_array_element(const Expr* e) {
    return e->kind == ExprKind::Index && without_conversions(as<IndexExpr>(e)->base)->type->is_array();
  }

  void check_element(const IndexExpr* e, const Use& use) {
    const bool is_operand = use.parent && use.parent->kind == ExprKind::Unary &&
                            as<UnaryExpr>(use.parent)->op == UnaryOp::AddressOf;
    check_element(e, is_operand || e->type->is_array());
    const Expr* row = without_conversions(e->base);  // it exists, if it has elements
    if (is_array_element(row)) check_element(as<IndexExpr>(row), false, true);
  }

  // An element of an array that the array does not have. The place behind the last one has an address, and
  // the last member of a structure is often declared with one element in place of many.
  void check_element(const IndexExpr* e, bool is_address, bool just_last = false) {
    const bool swapped = e->index->type->is_pointer();
    const Expr* array = without_conversions(swapped ? e->index : e->base);
    const Expr* index = without_conversions(swapped ? e->base : e->index);
    if (!array->type->is_array() || array->type->length == 0 || !index->is_constant) return;
    const WideInt at = constant_value(index), length = static_cast<WideInt>(array->type->length);
    if (just_last ? at != length : at >= 0 && (at < length || (is_address && at == length))) return;
    if (array->kind == ExprKind::Member && length == 1) return;
    Diagnostic& d = diagnostics_.warning_at(
        Warning::ArrayBounds, index->range.begin, e->range,
        at < 0 ? fmt::format("element {} lies in front of the array of type '{}'", static_cast<int64_t>(at),
                             type_name(array->type))
               : fmt::format("there is no element {} in an array of type '{}'; the last one is {}",
                             static_cast<uint64_t>(at), type_name(array->type),
                             static_cast<uint64_t>(length - 1)));
    if (const VarDecl* v = named_variable(array))
      d.note(v->range, fmt::format("'{}' is declared here", v->name));
  }

  // Cases that differ from every value of the type that the switch is over, before it becomes an int.
  void check_cases(const SwitchStmt* s) {
    const Type* type = without_conversions(s->value)->type;
    if (!type->is_integer() || type->size() >= s->value->type->size()) return;
    const auto [low, high] = range_of_type(type);
    for (const CaseStmt* c = s->cases; c; c = c->next)
      if (c->kind == StmtKind::Case && (c->last_constant < low || c->constant > high))
        diagnostics_.warning(
            Warning::Switch, c->value->range,
            fmt::format("this case is never reached: a value of type '{}' is between {} and {}",
                        type_name(type), static_cast<int64_t>(low), static_cast<int64_t>(high)));
  }

  // A comparison whose result follows from the type of one operand.
  void check_comparison(const BinaryExpr* e) {
    if (e->is_constant || from_macro(e->op_range.begin)) return;
    if (e->right->is_constant)
      compare(e, e->op, e->left, e->right);
    else if (e->left->is_constant)
      compare(e, mirrored(e->op), e->right, e->left);
  }

  static BinaryOp mirrored(BinaryOp op) {
    return op == BinaryOp::Lt   ? BinaryOp::Gt
           : op == BinaryOp::Gt ? BinaryOp::Lt
           : op == BinaryOp::Le ? BinaryOp::Ge
           : op == BinaryOp::Ge ? BinaryOp::Le
                                : op;
  }

  void compare(const BinaryExpr* e, BinaryOp op, const Expr* side, const Expr* constant) {
    const Expr* written = without_conversions(side);
    const Type *from = written->type, *type = side->type;
    if (!from->is_integer() || !type->is_integer() || written->is_constant) return;
    // The range of the source type, unless the conversion changes values.
    bool kept = range_of_type(from).low >= range_of_type(type).low &&
                range_of_type(from).high <= range_of_type(type).high;
    WideInt low = range_of_type(kept ? from : type).low, high = range_of_type(kept ? from : type).high,
            c = constant_value(constant);
    if (constant->type != type) return;
    int answer = -1;
    switch (op) {
      case BinaryOp::Lt:
        answer = high < c ? 1 : low >= c ? 0 : -1;
        break;
      case BinaryOp::Le:
        answer = high <= c ? 1 : low > c ? 0 : -1;
        break;
      case BinaryOp::Gt:
        answer = low > c ? 1 : high <= c ? 0 : -1;
        break;
      case BinaryOp::Ge:
        answer = low >= c ? 1 : high < c ? 0 : -1;
        break;
      default:
        answer = c < low || c > high ? op == BinaryOp::Ne : -1;
    }
    if (answer < 0) return;
    bool at_zero = c == 0 && low == 0;
    Warning flag = at_zero ? Warning::TautologicalUnsignedZeroCompare : Warning::TautologicalConstantCompare;
    const Type* shown = kept ? from : type;
    diagnostics_.warning_at(
        flag, e->op_range.begin, e->range,
        fmt::format("this comparison is always {}: a value of type '{}' is between {} and {}", answer != 0,
                    type_name(shown), static_cast<int64_t>(low),
                    high > INT64_MAX ? fmt::format("{}", static_cast<uint64_t>(high))
                                     : fmt::format("{}", static_cast<int64_t>(high))));
  }

  void check_literal(const NumberExpr* e) {
    if (!e->type->is_floating() || from_macro(e->range.begin)) return;
    std::string text(e->text);
    bool single = e->type->kind == TypeKind::Float;
    size_t digit = text.find_first_of(
        text.starts_with("0x") || text.starts_with("0X") ? "123456789abcdefABCDEF" : "123456789",
        text.starts_with("0x") || text.starts_with("0X") ? 2 : 0);
    size_t exponent = text.find_first_of(text.find_first_of("xX") == 1 ? "pP" : "eE");
    bool is_zero = digit == std::string::npos || (exponent != std::string::npos && digit > exponent);
    auto range = [&](const char* why, const char* becomes) {
      diagnostics_.warning(
          Warning::LiteralRange, e->range,
          fmt::format("this literal is too {} for type '{}'; it is {}", why, type_name(e->type), becomes));
    };
    if (std::isinf(e->real)) return range("large", "infinity");
    if (e->real == 0 && !is_zero) return range("small", "zero");
    // Excess decimal digits are common and harmless; excess hexadecimal digits are an error.
    if (single && text.find_first_of("xX") == 1 && std::strtod(text.c_str(), nullptr) != e->real)
      diagnostics_.warning(Warning::LiteralRange, e->range,
                           "this literal has more bits than type 'float'; it is rounded");
  }

  Diagnostics& diagnostics_;
  std::unordered_set<const Expr*> left_out_;
};

}  // namespace

std::unique_ptr<Visitor> constant_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Constants>(diagnostics);
}

}  // namespace kc::front
