// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "frontend/lower/lower.h"
#include "frontend/warn/walk.h"

namespace kc::front {

// Once a budget is exceeded, every value is invalid and nothing more is built.
Value KernelLowering::lower(const Expr* e) {
  if (over_budget(e->range)) return {};
  ++nesting_;
  at(e->range);
  Value value = lower_inner(e);
  --nesting_;
  return failed_ ? Value() : value;
}

Value KernelLowering::lower_inner(const Expr* e) {
  if (e->is_constant) {
    uint64_t bits = static_cast<uint64_t>(e->constant);
    return f_->constant(ir_type(e->type), bits);
  }
  switch (e->kind) {
    case ExprKind::Number: {
      double real = as<NumberExpr>(e)->real;
      bool single = e->type->kind == TypeKind::Float;
      return f_->constant(ir_type(e->type), single ? std::bit_cast<uint32_t>(static_cast<float>(real))
                                                   : std::bit_cast<uint64_t>(real));
    }
    case ExprKind::Name:
      if (Value value = argument_of(e); value.valid()) return value;
      return load(lvalue(e));
    case ExprKind::Index:
    case ExprKind::String:
    case ExprKind::CompoundLiteral:
      return load(lvalue(e));
    case ExprKind::Member:
      return lower_member(as<MemberExpr>(e));
    case ExprKind::StatementExpr:
      return lower_statement_expression(as<StatementExpr>(e));
    case ExprKind::Unary:
      return lower_unary(as<UnaryExpr>(e));
    case ExprKind::Binary:
    case ExprKind::Convert:
      return lower_chain(e);
    case ExprKind::Assign:
      return lower_assign(as<AssignExpr>(e));
    case ExprKind::Conditional:
      return lower_conditional(as<ConditionalExpr>(e));
    case ExprKind::Cast: {
      const CastExpr* c = as<CastExpr>(e);
      Value value = lower(c->operand);
      at(e->range);
      if (failed_ || e->type->is_void()) return {};
      return convert(value, c->operand->type, e->type);
    }
    case ExprKind::Call:
      return lower_call(as<CallExpr>(e));
    case ExprKind::Swizzle:
      return lower_swizzle(as<MemberExpr>(e));
    case ExprKind::VectorLiteral:
      return lower_vector_literal(as<VectorLiteralExpr>(e));
    case ExprKind::Elementwise:
      return lower_elementwise(as<ElementwiseExpr>(e));
    case ExprKind::Component:
      return lower_component(as<ComponentExpr>(e));
    case ExprKind::Mask: {
      ValueId bit = lower_bit(as<CastExpr>(e)->operand);
      return failed_ ? ValueId() : b_.make(Op::sext, ir_type(e->type), {bit});
    }
    default:
      return zero(e->type);  // the remaining expressions are constants or were rejected
  }
}

// The argument's value, for a parameter that is bound directly to it, or a part of that value; otherwise
// empty.
Value KernelLowering::argument_of(const Expr* e) {
  if (e->kind == ExprKind::Name) {
    const VarDecl* v = as<NameExpr>(e)->variable;
    const bool is_parameter = v->space == AddressSpace::Private && v->index < frame_->arguments.size();
    return is_parameter ? frame_->arguments[v->index] : Value();
  }
  if (!is_part(e)) return {};
  const MemberExpr* m = as<MemberExpr>(e);
  const Value whole = argument_of(m->base);
  if (!whole.valid()) return {};
  if (e->kind == ExprKind::Member) return whole.slice(m->base->type->part_at(m->offset), e->type->parts());
  return whole.select(m->selection, e->type->components());
}

Value KernelLowering::lower_member(const MemberExpr* e) {
  if (Value value = argument_of(e); value.valid()) return value;
  const Type* whole = e->base->type;
  if (e->arrow || e->base->is_lvalue || whole->parts() == 0) return load(lvalue(e));
  Value value = lower(e->base);
  return failed_ ? Value() : value.slice(whole->part_at(e->offset), e->type->parts());
}

Value KernelLowering::lower_unary(const UnaryExpr* e) {
  switch (e->op) {
    case UnaryOp::Deref:
      return load(lvalue(e));
    case UnaryOp::AddressOf:
      return lvalue(e->operand).address;
    case UnaryOp::Not:
      return b_.make(Op::zext, kI32, {lower_bit(e)});
    case UnaryOp::Plus:
      return lower(e->operand);
    case UnaryOp::Minus:
    case UnaryOp::BitNot:
      break;
    default:
      return lower_increment(e);
  }
  ValueId v = lower(e->operand);
  if (failed_) return {};
  at(e->op_range);
  kc::Type type = ir_type(e->type);
  if (e->type->is_floating()) return b_.make(Op::fneg, type, {v});
  if (e->op == UnaryOp::Minus) return b_.make(Op::sub, type, {f_->constant(type, 0), v});
  return b_.make(Op::xor_, type, {v, f_->constant(type, ~uint64_t{0})});
}

ValueId KernelLowering::stepped(const UnaryExpr* e, const Type* type, ValueId old) {
  bool down = e->op == UnaryOp::PreDec || e->op == UnaryOp::PostDec;
  if (type->is_pointer()) return element(old, type, b_.i64(down ? -1 : 1), false);
  if (type->kind == TypeKind::Bool) {  // ++ gives true; -- inverts the value
    ValueId one = f_->constant(kI1, 1);
    return down ? b_.make(Op::xor_, kI1, {old, one}) : one;
  }
  uint64_t one = type->kind == TypeKind::Float    ? std::bit_cast<uint32_t>(1.0f)
                 : type->kind == TypeKind::Double ? std::bit_cast<uint64_t>(1.0)
                                                  : 1;
  return arithmetic(down ? BinaryOp::Sub : BinaryOp::Add, type, old, f_->constant(ir_type(type), one));
}

Value KernelLowering::lower_increment(const UnaryExpr* e) {
  LValue p = lvalue(e->operand);
  Value old = load(p), changed;
  if (failed_) return {};
  at(e->op_range);
  for (unsigned i = 0; i < e->type->components(); ++i)
    changed.add(stepped(e, e->type->component(), old.part(i)));
  store(p, changed);
  return e->op == UnaryOp::PostInc || e->op == UnaryOp::PostDec ? old : changed;
}

Value KernelLowering::lower_assign(const AssignExpr* e) {
  LValue p = lvalue(e->left);
  if (failed_) return {};
  if (!e->compound) {
    Value value = lower(e->right);
    at(e->op_range);
    store(p, value);
    return p.type->parts() ? value : Value(p.address);
  }
  if (e->old) {
    operands_[e->old] = load(p);
    Value value = lower(e->right);
    at(e->op_range);
    store(p, value);
    return value;
  }
  ValueId old = load(p), result;
  const Type* type = e->operation_type;
  if (type->is_pointer()) {
    ValueId index = lower(e->right);
    if (failed_) return {};
    at(e->op_range);
    result = element(old, type, index, e->op == BinaryOp::Sub);
  } else {
    old = convert(old, p.type, type);
    if (fuses(e, e->op, type) && is_product(e->right)) {
      Product product = lower_product(e->right);
      if (failed_) return {};
      at(e->op_range);
      result = fuse_right(e->op, old, product);
    } else {
      ValueId right = lower(e->right);
      if (failed_) return {};
      at(e->op_range);
      result = arithmetic(e->op, type, old, right);
    }
    result = convert(result, type, p.type);
  }
  store(p, result);
  return result;
}

Value KernelLowering::lower_conditional(const ConditionalExpr* e) {
  BlockId yes = new_block("yes"), no = new_block("no"), join = new_block("endcond");
  lower_condition(e->condition, yes, no);
  const unsigned passed = e->type->is_void() ? 0 : e->type->parts();
  Value either;            // of one arm; the parts of the other arm have the same types
  VariableStorage result;  // for a type without parts
  if (e->type->parts() == 0) result = add_storage("either", e->type);
  auto arm = [&](BlockId block, const Expr* value) {
    start(block);
    Value v = lower(value);
    if (failed_) return;
    if (result.object.valid()) store(lvalue_of(result, e->type), v);
    ValueList parts;
    for (unsigned i = 0; i < passed; ++i) parts.push_back(v.part(i));
    either = v;
    if (!failed_) b_.br(join, std::move(parts));
  };
  arm(yes, e->if_true);
  arm(no, e->if_false);
  if (failed_) return {};
  start(join);
  if (result.object.valid()) return lvalue_of(result, e->type).address;
  Value value;
  for (unsigned i = 0; i < passed; ++i) value.add(f_->add_param(join, f_->type(either.part(i))));
  return value;
}

Value KernelLowering::lower_statement_expression(const StatementExpr* e) {
  Value value;
  std::span<Stmt*> items = as<CompoundStmt>(e->body)->items;
  for (Stmt*& item : items) {
    if (&item == &items.back() && item->kind == StmtKind::Expression)
      value = lower(as<ExpressionStmt>(item)->expression);
    else
      lower(item);
  }
  return value;
}

// Walks `a && b && c` along its left operands in a loop, so its length is unlimited.
void KernelLowering::lower_condition(const Expr* e, BlockId if_true, BlockId if_false) {
  if (over_budget(e->range)) return;
  ++nesting_;
  const BinaryExpr* b = e->kind == ExprKind::Binary && !e->is_constant ? as<BinaryExpr>(e) : nullptr;
  const UnaryExpr* u = e->kind == ExprKind::Unary && !e->is_constant ? as<UnaryExpr>(e) : nullptr;
  if (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr)) {
    bool conjunction = b->op == BinaryOp::LogicalAnd;
    std::vector<const Expr*> operands;
    const Expr* left = e;
    while (left->kind == ExprKind::Binary && as<BinaryExpr>(left)->op == b->op &&
           (left == e || !left->parenthesized)) {
      operands.push_back(as<BinaryExpr>(left)->right);
      left = as<BinaryExpr>(left)->left;
    }
    operands.push_back(left);
    for (size_t i = operands.size(); i-- > 0;) {
      if (i == 0) {
        lower_condition(operands[0], if_true, if_false);
        break;
      }
      BlockId next = new_block(conjunction ? "and" : "or");
      lower_condition(operands[i], conjunction ? next : if_true, conjunction ? if_false : next);
      start(next);
    }
  } else if (u && u->op == UnaryOp::Not) {
    lower_condition(u->operand, if_false, if_true);
  } else {
    ValueId bit = lower_bit(e);
    if (!failed_) b_.br_if(bit, {if_true, {}}, {if_false, {}});
  }
  --nesting_;
}

// The truth value of an expression as i1, without an intermediate int.
ValueId KernelLowering::lower_bit(const Expr* e) {
  if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Not && !e->is_constant) {
    if (over_budget(e->range)) return {};
    ++nesting_;
    ValueId inner = lower_bit(as<UnaryExpr>(e)->operand);
    --nesting_;
    if (failed_) return {};
    at(e->range);
    return b_.make(Op::xor_, kI1, {inner, f_->constant(kI1, 1)});
  }
  if (e->kind == ExprKind::Mask) return lower_bit(as<CastExpr>(e)->operand);
  ValueId v = lower(e);
  if (failed_) return {};
  if (e->type->kind == TypeKind::Int && !f_->is_inline(v)) {  // undo the widening of a comparison
    InstId def = f_->def(v);
    if (def.valid() && f_->inst(def).op == Op::zext && f_->type(f_->inst(def).operands[0]) == kI1)
      return f_->inst(def).operands[0];
  }
  return to_bit(v, e->type);
}

ValueId KernelLowering::lower_logical(const Expr* e) {
  BlockId yes = new_block("true"), no = new_block("false"), join = new_block("endlogic");
  lower_condition(e, yes, no);
  if (failed_) return {};
  start(yes);
  b_.br(join, {b_.i32(1)});
  start(no);
  b_.br(join, {b_.i32(0)});
  start(join);
  return f_->add_param(join, kI32);
}

}  // namespace kc::front
