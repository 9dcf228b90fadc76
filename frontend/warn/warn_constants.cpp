// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>
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
    switch (s->kind) {
      case StmtKind::Switch:
        return check_cases(as<SwitchStmt>(s));
      case StmtKind::If: {
        const IfStmt* i = as<IfStmt>(s);
        const auto taken = left_out_.contains(i->condition) ? std::nullopt : truth(i->condition);
        if (taken) leave_out(*taken ? i->else_body : i->then_body);
        return;
      }
      case StmtKind::While:
      case StmtKind::For: {
        const LoopStmt* l = as<LoopStmt>(s);
        if (!l->condition || left_out_.contains(l->condition) || truth(l->condition) != false) return;
        leave_out(l->body), leave_out(l->step);
        return;
      }
      default:
        return;
    }
  }

  void expression(const Expr* e, const Use& use) override {
    if (use.unevaluated || left_out_.contains(e)) return;
    switch (e->kind) {
      case ExprKind::Number:
        return check_literal(as<NumberExpr>(e));
      case ExprKind::Unary:
        if (as<UnaryExpr>(e)->op == UnaryOp::AddressOf) note_address(as<UnaryExpr>(e)->operand);
        return check_negation(as<UnaryExpr>(e));
      case ExprKind::Index:
        return check_index(as<IndexExpr>(e));
      case ExprKind::Conditional: {
        const auto* c = as<ConditionalExpr>(e);
        if (const auto taken = truth(c->condition)) leave_out(*taken ? c->if_false : c->if_true);
        return;
      }
      case ExprKind::Binary: {
        const BinaryExpr* b = as<BinaryExpr>(e);
        check_operation(b->op, b->left->type, b->right, b->op_range);
        check_overflow(b);
        if (is_comparison(b->op)) check_comparison(b);
        if ((b->op == BinaryOp::LogicalAnd && truth(b->left) == false) ||
            (b->op == BinaryOp::LogicalOr && truth(b->left) == true))
          leave_out(b->right);
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

  // Whether a condition holds, if constants in it decide that.
  static std::optional<bool> truth(const Expr* e, int depth = 16) {
    e = without_conversions(e);
    if (!e->type->is_integer() && e->type->kind != TypeKind::Bool) return {};
    if (e->is_constant) return constant_value(e) != 0;
    if (e->kind != ExprKind::Binary || depth == 0) return {};
    const BinaryExpr* b = as<BinaryExpr>(e);
    if (b->op != BinaryOp::LogicalAnd && b->op != BinaryOp::LogicalOr) return {};
    const bool decides = b->op == BinaryOp::LogicalOr;  // the value of one side that is enough
    const auto left = truth(b->left, depth - 1), right = truth(b->right, depth - 1);
    if (left == decides || right == decides) return decides;
    if (left && right) return !decides;
    return {};
  }

  template <class Node>
  void leave_out(const Node* unreached) {
    struct Collector : Visitor {
      explicit Collector(std::unordered_set<const Expr*>& all) : all_(all) {}
      void expression(const Expr* e, const Use&) override { all_.insert(e); }
      std::unordered_set<const Expr*>& all_;
    } collector(left_out_);
    if (unreached) walk(unreached, collector);
  }

  // The elements of arrays on the way to a place whose address is taken: `&a[2].x`, `&b[2][0]`.
  void note_address(const Expr* place) {
    for (;;) {
      place = without_conversions(place);
      if (const IndexExpr* element = element_of_array(place))
        addresses_.insert(place), place = array_of(element);
      else if (place->kind == ExprKind::Member && !as<MemberExpr>(place)->arrow)
        place = as<MemberExpr>(place)->base;
      else
        return;
    }
  }

  static const IndexExpr* element_of_array(const Expr* e) {
    if (e->kind != ExprKind::Index) return nullptr;
    return array_of(as<IndexExpr>(e))->type->is_array() ? as<IndexExpr>(e) : nullptr;
  }

  // The row behind the last one has an address, but no elements.
  void check_index(const IndexExpr* e) {
    const bool is_address = addresses_.contains(e);
    check_element(e, is_address || e->type->is_array());
    const IndexExpr* row = element_of_array(array_of(e));
    if (row && !is_address && index_of(row)->is_constant && constant_value(index_of(row)) == length_of(row))
      check_element(row, false);
  }

  // `a[2]` may be written `2[a]`.
  static const Expr* array_of(const IndexExpr* e) {
    return without_conversions(e->index->type->is_pointer() ? e->index : e->base);
  }
  static const Expr* index_of(const IndexExpr* e) {
    return without_conversions(e->index->type->is_pointer() ? e->base : e->index);
  }
  static WideInt length_of(const IndexExpr* e) { return static_cast<WideInt>(array_of(e)->type->length); }

  // Whether the last member of a structure has one element in place of many.
  static bool stands_for_many(const Expr* array) {
    if (array->kind != ExprKind::Member || array->type->length != 1) return false;
    const MemberExpr* m = as<MemberExpr>(array);
    const Type* record = m->arrow ? m->base->type->element : m->base->type;
    return record->is_record() && !record->record->fields.empty() &&
           record->record->fields.back().name == m->member;
  }

  // `is_address`: the place behind the last element will do.
  void check_element(const IndexExpr* e, bool is_address) {
    const Expr *array = array_of(e), *index = index_of(e);
    if (!array->type->is_array() || !index->is_constant) return;
    if (array->type->lacks_length() || array->type->length == 0) return;
    const WideInt at = constant_value(index), length = length_of(e);
    if (at >= 0 && (at < length || (is_address && at == length) || stands_for_many(array))) return;
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
  std::unordered_set<const Expr*> left_out_;   // not evaluated
  std::unordered_set<const Expr*> addresses_;  // elements of which only the address is taken
};

}  // namespace

std::unique_ptr<Visitor> constant_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Constants>(diagnostics);
}

}  // namespace kc::front
