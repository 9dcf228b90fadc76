// SPDX-License-Identifier: Apache-2.0
// Binary operators, conversions, and contraction to fused multiply-add.
//
// In `x + y` a product on the left is fused first, otherwise one on the right; the sign of `x - y` is applied
// to the addend or to one factor. Only a product that is a direct operand is fused: conversions, casts and
// calls prevent fusion.
#include "frontend/lower/lower.h"
#include "frontend/lower/real_constant.h"

namespace kc::front {

bool KernelLowering::fuses(const Expr* e, BinaryOp op, const Type* type) const {
  bool on = e->contraction == Contraction::ByOption ? options_.contract : e->contraction == Contraction::On;
  return on && type->is_floating() && (op == BinaryOp::Add || op == BinaryOp::Sub);
}

bool KernelLowering::is_product(const Expr* e) const {
  return e->kind == ExprKind::Binary && as<BinaryExpr>(e)->op == BinaryOp::Mul && e->type->is_floating();
}

Product KernelLowering::lower_product(const Expr* e) {
  const BinaryExpr* b = as<BinaryExpr>(e);
  ValueId left = lower(b->left);
  return {left, lower(b->right)};
}

ValueId KernelLowering::fuse_left(BinaryOp op, const Product& p, ValueId addend) {
  kc::Type type = f_->type(addend);
  if (op == BinaryOp::Sub) addend = b_.make(Op::fneg, type, {addend});
  return b_.make(Op::ffma, type, {p.left, p.right, addend});
}

ValueId KernelLowering::fuse_right(BinaryOp op, ValueId addend, const Product& p) {
  kc::Type type = f_->type(addend);
  ValueId left = op == BinaryOp::Sub ? b_.make(Op::fneg, type, {p.left}) : p.left;
  return b_.make(Op::ffma, type, {left, p.right, addend});
}

// Lowers a chain of left operands in a loop, innermost first. Implicit conversions between the operators
// belong to the chain.
Value KernelLowering::lower_chain(const Expr* e) {
  std::vector<const Expr*> chain;
  const Expr* left = e;
  for (;;) {
    bool logical = left->kind == ExprKind::Binary && (as<BinaryExpr>(left)->op == BinaryOp::LogicalAnd ||
                                                      as<BinaryExpr>(left)->op == BinaryOp::LogicalOr);
    bool links = (left->kind == ExprKind::Binary && !logical && (left == e || !left->parenthesized)) ||
                 left->kind == ExprKind::Convert;
    if (!links || left->is_constant) break;
    chain.push_back(left);
    left = left->kind == ExprKind::Convert ? as<CastExpr>(left)->operand : as<BinaryExpr>(left)->left;
  }
  if (chain.empty()) return left->is_constant ? lower(left) : Value(lower_logical(left));
  auto fused_above = [&](size_t i) {  // whether chain[i - 1] fuses this operand into an fma
    if (i == 0 || chain[i - 1]->kind != ExprKind::Binary) return false;
    const BinaryExpr* user = as<BinaryExpr>(chain[i - 1]);
    return fuses(user, user->op, user->type);
  };
  std::optional<Product> pending;
  Value value;
  if (fused_above(chain.size()) && is_product(left))
    pending = lower_product(left);
  else
    value = lower(left);
  const Type* type = left->type;
  for (size_t i = chain.size(); i-- > 0;) {
    if (over_budget(chain[i]->range)) return {};
    if (chain[i]->kind == ExprKind::Convert) {
      at(chain[i]->range);
      value = convert(value, type, chain[i]->type);
      type = chain[i]->type;
      continue;
    }
    const BinaryExpr* b = as<BinaryExpr>(chain[i]);
    type = b->type;
    if (is_product(b) && fused_above(i)) {
      pending = Product{value, lower(b->right)};
      continue;
    }
    if (pending) {
      ValueId addend = lower(b->right);
      if (failed_) return {};
      at(b->op_range);
      value = fuse_left(b->op, *pending, addend);
      pending.reset();
    } else if (fuses(b, b->op, b->type) && is_product(b->right)) {
      Product product = lower_product(b->right);
      if (failed_) return {};
      at(b->op_range);
      value = fuse_right(b->op, value, product);
    } else {
      Value right = lower(b->right);
      if (failed_) return {};
      at(b->op_range);
      if (b->op == BinaryOp::Comma)
        value = right;
      else if (is_comparison(b->op))
        value = b_.make(Op::zext, kI32, {compare(b->op, b->left->type, value, right)});
      else if (b->left->type->is_pointer() || b->right->type->is_pointer())
        value = pointer_arithmetic(b, value, right);
      else
        value = arithmetic(b->op, b->type, value, right);
    }
  }
  return value;
}

/// Whether looser arithmetic is allowed here. The functions of the math library are what they are.
bool KernelLowering::fast_math() const { return options_.fast_math && !frame_->function->is_prelude; }

ValueId KernelLowering::arithmetic(BinaryOp op, const Type* type, ValueId l, ValueId r) {
  bool real = type->is_floating(), is_signed = type->is_signed();
  Op code = Op::Count_;
  switch (op) {
    case BinaryOp::Mul:
      code = real ? Op::fmul : Op::mul;
      break;
    case BinaryOp::Div:
      if (real && fast_math()) {
        const kc::Type t = ir_type(type);
        return b_.make(Op::fmul, t, {l, b_.make(Op::fdiv, t, {real_constant(b_.f, t, 1), r})});
      }
      code = real ? Op::fdiv : is_signed ? Op::sdiv : Op::udiv;
      break;
    case BinaryOp::Rem:
      code = is_signed ? Op::srem : Op::urem;
      break;
    case BinaryOp::Add:
      code = real ? Op::fadd : Op::add;
      break;
    case BinaryOp::Sub:
      code = real ? Op::fsub : Op::sub;
      break;
    case BinaryOp::Shl:
      code = Op::shl;
      break;
    case BinaryOp::Shr:
      code = is_signed ? Op::ashr : Op::lshr;
      break;
    case BinaryOp::And:
      code = Op::and_;
      break;
    case BinaryOp::Xor:
      code = Op::xor_;
      break;
    default:
      code = Op::or_;
      break;
  }
  return b_.make(code, ir_type(type), {l, r});
}

ValueId KernelLowering::compare(BinaryOp op, const Type* type, ValueId l, ValueId r) {
  if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
    std::swap(l, r);
    op = op == BinaryOp::Gt ? BinaryOp::Lt : BinaryOp::Le;
  }
  bool real = type->is_floating(), is_signed = type->is_signed();
  Op code = Op::Count_;
  switch (op) {
    case BinaryOp::Lt:
      code = real ? Op::flt : is_signed ? Op::slt : Op::ult;
      break;
    case BinaryOp::Le:
      code = real ? Op::fle : is_signed ? Op::sle : Op::ule;
      break;
    case BinaryOp::Eq:
      code = real ? Op::feq : Op::eq;
      break;
    default:
      code = real ? Op::fne : Op::ne;
      break;
  }
  return b_.make(code, kI1, {l, r});
}

ValueId KernelLowering::element(ValueId pointer, const Type* type, ValueId index, bool negate) {
  if (negate) index = b_.make(Op::sub, kI64, {b_.i64(0), index});
  return b_.make(Op::ptr_add, ir_type(type), {pointer, index}, {static_cast<int64_t>(type->element->step())});
}

ValueId KernelLowering::pointer_arithmetic(const BinaryExpr* e, ValueId l, ValueId r) {
  const Type *left = e->left->type, *right = e->right->type;
  if (left->is_pointer() && right->is_pointer()) {
    kc::Type word = f_->type(l).bits() == 64 ? kI64 : kI32;
    ValueId bytes =
        b_.make(Op::sub, word, {b_.make(Op::bitcast, word, {l}), b_.make(Op::bitcast, word, {r})});
    if (word == kI32) bytes = b_.make(Op::sext, kI64, {bytes});
    return b_.make(Op::sdiv, kI64, {bytes, b_.i64(static_cast<int64_t>(left->element->step()))});
  }
  return left->is_pointer() ? element(l, left, r, e->op == BinaryOp::Sub) : element(r, right, l, false);
}

ValueId KernelLowering::to_bit(ValueId v, const Type* from) {
  kc::Type type = ir_type(from);
  if (type == kI1) return v;
  return b_.make(from->is_floating() ? Op::fne : Op::ne, kI1, {v, f_->constant(type, 0)});
}

ValueId KernelLowering::convert(ValueId v, const Type* from, const Type* to) {
  if (from == to || to->is_void() || from->is_array()) return v;  // the value of an array is its address
  if (to->kind == TypeKind::Bool) return to_bit(v, from);
  kc::Type target = ir_type(to), source = ir_type(from);
  if (from->is_pointer() && to->is_pointer())  // only the null pointer changes its address space
    return source == target ? v : f_->constant(target, 0);
  if (from->is_pointer()) {
    kc::Type word = source.bits() == 64 ? kI64 : kI32;
    v = b_.make(Op::bitcast, word, {v});
    if (target == word) return v;
    return b_.make(target.bits() < word.bits() ? Op::trunc : Op::zext, target, {v});
  }
  if (source == kI1 && (to->is_floating() || to->is_pointer())) {
    source = kI32;
    v = b_.make(Op::zext, source, {v});
  }
  bool is_signed = from->is_signed();
  if (to->is_pointer()) {
    if (f_->is_const(v) && f_->value(v).bits == 0) return f_->constant(target, 0);
    kc::Type word = target.bits() == 64 ? kI64 : kI32;
    if (source.bits() > word.bits()) v = b_.make(Op::trunc, word, {v});
    if (source.bits() < word.bits()) v = b_.make(is_signed ? Op::sext : Op::zext, word, {v});
    return b_.make(Op::bitcast, target, {v});
  }
  if (from->is_floating() && to->is_floating())
    return b_.make(target == kF64 ? Op::fpext : Op::fptrunc, target, {v});
  if (from->is_floating()) return b_.make(to->is_signed() ? Op::fptosi : Op::fptoui, target, {v});
  if (to->is_floating()) return b_.make(is_signed ? Op::sitofp : Op::uitofp, target, {v});
  if (target == source) return v;
  if (target.bits() < source.bits()) return b_.make(Op::trunc, target, {v});
  return b_.make(is_signed ? Op::sext : Op::zext, target, {v});
}

}  // namespace kc::front
