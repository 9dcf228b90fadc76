// SPDX-License-Identifier: Apache-2.0
// Tables in constant memory: their initializers are computed here, with the IR's own evaluation functions, so
// that a constant means what the program would compute.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontend/constant_bits.h"
#include "frontend/sema.h"
#include "ir/op.h"

namespace kc::front {

namespace {

constexpr uint64_t MaxConstantBytes = 1 << 20;

Elem element_of(const Type* type) {
  if (type->kind == TypeKind::Float) return Elem::F32;
  if (type->kind == TypeKind::Double) return Elem::F64;
  if (type->kind == TypeKind::Bool) return Elem::I1;
  constexpr Elem BySize[] = {Elem::Void, Elem::I8,   Elem::I16,  Elem::Void, Elem::I32,
                             Elem::Void, Elem::Void, Elem::Void, Elem::I64};
  return BySize[type->size()];
}

uint64_t apply(Op op, const Type* from, const Type* to, std::initializer_list<uint64_t> operands) {
  return info(op).eval(element_of(from), element_of(to))(operands.begin());
}

std::optional<uint64_t> converted(uint64_t bits, const Type* from, const Type* to) {
  if (from == to) return bits;
  if (from->is_pointer() || to->is_pointer())  // the null pointer only
    return bits == 0 ? std::optional<uint64_t>(0) : std::nullopt;
  if (to->kind == TypeKind::Bool)
    return from->is_floating() ? apply(Op::fne, from, to, {bits, 0}) : uint64_t{bits != 0};
  if (from->is_floating() && to->is_floating())
    return apply(to->kind == TypeKind::Double ? Op::fpext : Op::fptrunc, from, to, {bits});
  if (from->is_floating()) return apply(to->is_signed() ? Op::fptosi : Op::fptoui, from, to, {bits});
  if (to->is_floating() && from->kind == TypeKind::Bool)
    return to->kind == TypeKind::Float ? std::bit_cast<uint32_t>(static_cast<float>(bits))
                                       : std::bit_cast<uint64_t>(static_cast<double>(bits));
  if (to->is_floating()) return apply(from->is_signed() ? Op::sitofp : Op::uitofp, from, to, {bits});
  if (to->size() == from->size() && from->kind != TypeKind::Bool) return bits;
  if (to->size() < from->size()) return apply(Op::trunc, from, to, {bits});
  return apply(from->is_signed() ? Op::sext : Op::zext, from, to, {bits});
}

std::optional<uint64_t> negated(const UnaryExpr* e, uint64_t bits) {
  if (e->op == UnaryOp::Plus) return bits;
  if (e->op == UnaryOp::Minus && e->type->is_floating()) return apply(Op::fneg, e->type, e->type, {bits});
  return std::nullopt;  // integers were folded before
}

std::optional<uint64_t> combined(const BinaryExpr* e, uint64_t left, uint64_t right) {
  if (!e->type->is_floating()) return std::nullopt;
  switch (e->op) {
    case BinaryOp::Add:
      return apply(Op::fadd, e->type, e->type, {left, right});
    case BinaryOp::Sub:
      return apply(Op::fsub, e->type, e->type, {left, right});
    case BinaryOp::Mul:
      return apply(Op::fmul, e->type, e->type, {left, right});
    case BinaryOp::Div:
      return apply(Op::fdiv, e->type, e->type, {left, right});
    default:
      return std::nullopt;
  }
}

void write_bits(std::span<uint8_t> bytes, uint64_t offset, const Type* type, uint64_t bits) {
  for (uint64_t i = 0; i < type->size(); ++i) bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
}

}  // namespace

// The encoding of a constant expression. Chains of left operands and conversions are walked with a loop.
std::optional<uint64_t> constant_bits(const Expr* e) {
  std::vector<const Expr*> chain;
  while (!e->is_constant) {
    if (e->kind == ExprKind::Binary) {
      chain.push_back(e);
      e = as<BinaryExpr>(e)->left;
    } else if (e->kind == ExprKind::Convert || e->kind == ExprKind::Cast) {
      chain.push_back(e);
      e = as<CastExpr>(e)->operand;
    } else if (e->kind == ExprKind::Unary) {
      chain.push_back(e);
      e = as<UnaryExpr>(e)->operand;
    } else {
      break;
    }
  }
  std::optional<uint64_t> bits;
  if (e->is_constant && e->type->is_integer()) {
    bits = static_cast<uint64_t>(e->constant);
    if (e->type->size() < 8) *bits &= (uint64_t{1} << (8 * e->type->size())) - 1;
  } else if (e->kind == ExprKind::Number && e->type->is_floating()) {
    double real = as<NumberExpr>(e)->real;
    bits = e->type->kind == TypeKind::Float ? std::bit_cast<uint32_t>(static_cast<float>(real))
                                            : std::bit_cast<uint64_t>(real);
  } else if (e->kind == ExprKind::Conditional && as<ConditionalExpr>(e)->condition->is_constant) {
    const ConditionalExpr* c = as<ConditionalExpr>(e);
    bits = constant_bits(c->condition->constant ? c->if_true : c->if_false);
  }
  for (size_t i = chain.size(); i-- > 0 && bits;) {
    const Expr* outer = chain[i];
    if (outer->kind == ExprKind::Unary) {
      bits = negated(as<UnaryExpr>(outer), *bits);
    } else if (outer->kind == ExprKind::Binary) {
      std::optional<uint64_t> right = constant_bits(as<BinaryExpr>(outer)->right);
      bits = right ? combined(as<BinaryExpr>(outer), *bits, *right) : std::nullopt;
    } else {
      const Type* from = as<CastExpr>(outer)->operand->type;
      bits =
          from->is_scalar() && outer->type->is_scalar() ? converted(*bits, from, outer->type) : std::nullopt;
    }
  }
  return bits;
}

// Writes the value into the bytes; an error if it is not a constant.
void Sema::write_constant(std::span<uint8_t> bytes, uint64_t offset, const Type* type, const Expr* value) {
  if (value->type->is_error()) return;
  std::optional<uint64_t> bits;
  if (type->is_vector()) {
    for (unsigned i = 0; i < type->length; ++i) {
      bits = constant_component(value, i);
      if (!bits) break;
      write_bits(bytes, offset + i * type->element->size(), type->element, *bits);
    }
    if (bits) return;
  }
  if (type->is_scalar()) bits = constant_bits(value);
  if (!bits && type->is_pointer()) {
    unsupported(value->range, "addresses in the initializer of a variable in constant memory are");
    return;
  }
  if (!bits) {
    diagnostics_.error(value->range,
                       "the initializer of a variable in constant memory must be a constant expression");
    return;
  }
  write_bits(bytes, offset, type, *bits);
}

// Computes all bytes of a variable in constant memory whose initializer has been checked.
void Sema::evaluate_constant(VarDecl* v) {
  if (v->type->is_error() || v->initializer->type->is_error()) return;
  uint64_t size = v->type->size();
  if (size > MaxConstantBytes - constant_bytes_) {
    diagnostics_.error(v->range, fmt::format("more than {} bytes of constant memory", MaxConstantBytes));
    return;
  }
  constant_bytes_ += size;
  std::vector<uint8_t> bytes(size);
  if (v->initializer->kind == ExprKind::String && v->type->is_aggregate())
    std::ranges::copy(as<StringExpr>(v->initializer)->text, bytes.begin());
  else if (v->initializer->kind == ExprKind::InitList && v->type->is_aggregate())
    for (const InitStep& s : as<InitListExpr>(v->initializer)->steps)
      write_constant(bytes, s.offset, s.type, s.value);
  else
    write_constant(bytes, 0, v->type, v->initializer);
  v->bytes = arena_.copy(bytes);
}

}  // namespace kc::front
