// SPDX-License-Identifier: Apache-2.0
// Operators on vectors. A component-wise vector operation becomes one Elementwise node: a scalar expression
// whose leaves are Component nodes for the operands. An operand that is itself an Elementwise node is merged,
// so `a * b + c` is one scalar expression, and contraction treats it like any other.
#include <fmt/format.h>

#include "frontend/sema/builtins.h"
#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

// A literal can be evaluated again for each component.
bool is_literal(const Expr* e) {
  for (;;) {
    if (e->is_constant || e->kind == ExprKind::Number) return true;
    if (e->kind == ExprKind::Convert)
      e = as<CastExpr>(e)->operand;
    else if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op <= UnaryOp::BitNot)
      e = as<UnaryExpr>(e)->operand;
    else
      return false;
  }
}

}  // namespace

ElementwiseExpr* Sema::open_elementwise(const Expr* whole) {
  ElementwiseExpr* w = arena_.make<ElementwiseExpr>();
  w->kind = ExprKind::Elementwise;
  w->range = whole->range;
  w->depth = whole->depth;
  w->parenthesized = whole->parenthesized;
  w->contraction = whole->contraction;
  return w;
}

// The leaf that represents an operand, a vector or a number, inside the scalar expression.
Expr* Sema::component_of(ElementwiseExpr* w, Expr* e) {
  auto link = [&](ComponentExpr* first, ComponentExpr* last) {
    if (!first) return;
    (w->first ? w->last->next : w->first) = first;
    w->last = last;
  };
  if (e->kind == ExprKind::Elementwise) {
    ElementwiseExpr* inner = as<ElementwiseExpr>(e);
    link(inner->first, inner->last);
    return inner->scalar;
  }
  if (e->kind == ExprKind::VectorLiteral && as<VectorLiteralExpr>(e)->items.size() == 1 &&
      !as<VectorLiteralExpr>(e)->items[0]->type->is_vector())
    e = as<VectorLiteralExpr>(e)->items[0];
  if (is_literal(e)) return e;
  bool old_value = e->kind == ExprKind::Component;
  ComponentExpr* c = old_value ? as<ComponentExpr>(e) : arena_.make<ComponentExpr>();
  if (!old_value) {
    c->kind = ExprKind::Component;
    c->range = e->range;
    c->depth = e->depth;
    c->source = e;
  }
  bool pointer = e->type->is_pointer();
  c->type = pointer
                ? types_.pointer(e->type->element->component(), e->type->space, e->type->pointee_qualifiers)
                : e->type->component();
  link(c, c);
  return c;
}

Expr* Sema::close_elementwise(ElementwiseExpr* w, Expr* scalar, unsigned length) {
  w->scalar = scalar;
  w->type = scalar->type->is_error() ? scalar->type : types_.vector(scalar->type, length);
  return w;
}

// The signed integer as wide as `type`, in which vector comparisons are -1 for true and 0 for false.
const Type* Sema::mask_type(const Type* type) {
  constexpr TypeKind BySize[] = {TypeKind::Char, TypeKind::Short, TypeKind::Int, TypeKind::Long};
  uint64_t size = type->size();
  return types_.get(BySize[size == 8 ? 3 : size / 2]);
}

Expr* Sema::mask(Expr* truth, const Type* type) {
  if (truth->kind == ExprKind::Mask && truth->type == type) return truth;
  CastExpr* m = arena_.make<CastExpr>();
  m->kind = ExprKind::Mask;
  m->range = truth->range;
  m->depth = truth->depth;
  m->operand = truth;
  m->type = type;
  return m;
}

Expr* Sema::check_vector_unary(UnaryExpr* e) {
  const Type* type = e->operand->type;
  ElementwiseExpr* w = open_elementwise(e);
  e->operand = component_of(w, e->operand);
  bool logical = e->op == UnaryOp::Not;
  e->type = logical ? types_.get(TypeKind::Int) : type->element;
  Expr* scalar = logical ? mask(e, mask_type(type->element)) : e;
  return close_elementwise(w, scalar, type->components());
}

// Both operands have the same vector type, or one is a number, which is widened to all components. Shift
// counts may have another type.
Expr* Sema::check_vector_binary(BinaryExpr* e) {
  const Type *l = e->left->type, *r = e->right->type;
  const Type* vector = l->is_vector() ? l : r;
  const Type* other = l->is_vector() ? r : l;
  bool shift = e->op == BinaryOp::Shl || e->op == BinaryOp::Shr;
  bool logical = e->op == BinaryOp::LogicalAnd || e->op == BinaryOp::LogicalOr;
  bool integers = shift || e->op == BinaryOp::Rem || e->op == BinaryOp::And || e->op == BinaryOp::Xor ||
                  e->op == BinaryOp::Or;
  bool fits = other->is_vector() ? l == r || (shift && l->length == r->length)
                                 : other->is_arithmetic() && !(shift && r->is_vector());
  if (!fits || (integers && (!l->component()->is_integer() || !r->component()->is_integer())))
    return invalid_operands(e);
  const Type* type = vector->element;
  Expr*& number = l->is_vector() ? e->right : e->left;
  if (!other->is_vector() && !shift && !(number = widen(number, vector))) return failed(e);
  ElementwiseExpr* w = open_elementwise(e);
  e->left = component_of(w, e->left);
  e->right = component_of(w, e->right);
  // only the count modulo the width matters, and the conversion preserves it
  if (shift) e->right = convert(e->right, type);
  if (logical) {
    e->left = mask(e->left, mask_type(type));
    e->right = mask(e->right, mask_type(type));
    e->op = e->op == BinaryOp::LogicalAnd ? BinaryOp::And : BinaryOp::Or;
    type = mask_type(type);
  }
  bool comparison = is_comparison(e->op);
  e->type = comparison ? types_.get(TypeKind::Int) : type;
  return close_elementwise(w, comparison ? mask(e, mask_type(type)) : e, vector->components());
}

// `v op= x`: the right operand becomes `old op x`.
Expr* Sema::check_vector_assign(AssignExpr* e) {
  ComponentExpr* old = arena_.make<ComponentExpr>();
  old->kind = ExprKind::Component;
  old->range = e->left->range;
  old->depth = e->left->depth;
  old->type = e->type;
  BinaryExpr* b = arena_.make<BinaryExpr>();
  b->kind = ExprKind::Binary;
  b->range = e->range;
  b->depth = e->depth;
  b->contraction = e->contraction;
  b->op = e->op;
  b->op_range = e->op_range;
  b->left = old;
  b->right = e->right;
  Expr* result = check_vector_binary(b);
  if (result->type->is_error()) return failed(e);
  e->old = old;
  e->right = result;
  e->operation_type = e->type;
  return e;
}

// Selects the second of two scalars if the highest bit of the condition is set.
Expr* Sema::choose(Expr* condition, Expr* if_true, Expr* if_false, SourceRange range) {
  if (condition->kind != ExprKind::Mask) {
    BinaryExpr* negative = arena_.make<BinaryExpr>();
    negative->kind = ExprKind::Binary;
    negative->op = BinaryOp::Lt;
    negative->range = negative->op_range = range;
    negative->depth = condition->depth;
    negative->left = convert(condition, mask_type(condition->type));
    negative->right = zero_of(negative->left->type, range);
    negative->type = types_.get(TypeKind::Int);
    condition = negative;
  }
  CallExpr* call = arena_.make<CallExpr>();
  call->kind = ExprKind::Call;
  call->call_kind = CallKind::Builtin;
  call->builtin = find_builtin("select");
  call->range = range;
  call->depth = condition->depth;
  call->arguments = arena_.copy(std::vector<Expr*>{if_false, if_true, condition});
  call->type = if_true->type;
  return call;
}

// `c ? a : b` with a vector c: a select for each component, without a branch.
Expr* Sema::check_vector_select(ConditionalExpr* e) {
  const Type* c = e->condition->type;
  const Type *t = e->if_true->type, *f = e->if_false->type;
  auto bad = [&](SourceRange where, const std::string& text) {
    diagnostics_.error(where, text);
    return failed(e);
  };
  if (!c->element->is_integer())
    return bad(e->condition->range,
               fmt::format("a condition cannot be a vector of '{}'", type_name(c->element)));
  if (t->is_arithmetic() && f->is_arithmetic()) {
    const Type* both =
        types_.vector(t == f && t->kind != TypeKind::Bool ? t : common_type(t, f), c->components());
    e->if_true = convert(e->if_true, both);
    e->if_false = convert(e->if_false, both);
  } else if (t->is_vector() && f->is_arithmetic()) {
    if (!(e->if_false = widen(e->if_false, t))) return failed(e);
    e->if_false = convert(e->if_false, t);
  } else if (f->is_vector() && t->is_arithmetic()) {
    if (!(e->if_true = widen(e->if_true, f))) return failed(e);
    e->if_true = convert(e->if_true, f);
  }
  const Type* type = e->if_true->type;
  if (!type->is_vector() || type != e->if_false->type)
    return bad(e->range,
               fmt::format("incompatible operand types ('{}' and '{}')", type_name(t), type_name(f)));
  if (type->length != c->length || type->element->size() != c->element->size())
    return bad(e->range,
               fmt::format("a condition of type '{}' cannot choose between values of type '{}', which "
                           "have another length or width",
                           type_name(c), type_name(type)));
  ElementwiseExpr* w = open_elementwise(e);
  Expr* condition = component_of(w, e->condition);
  Expr* if_true = component_of(w, e->if_true);
  Expr* if_false = component_of(w, e->if_false);
  return close_elementwise(w, choose(condition, if_true, if_false, e->range), c->components());
}

}  // namespace kc::front
