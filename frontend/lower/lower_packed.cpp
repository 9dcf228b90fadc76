// SPDX-License-Identifier: Apache-2.0
// Packed structs: an access below the natural alignment is split into aligned pieces.
#include <algorithm>

#include "frontend/lower/lower.h"

namespace kc::front {

namespace {

uint32_t low_pointee(const Expr* pointer);

// Gives 0 for 0.
uint32_t lowest_bit(uint64_t n) { return static_cast<uint32_t>(n & (~n + 1)); }

// `align` if it is lower than the type's alignment, otherwise 0.
uint32_t if_low(uint32_t align, const Type* type) { return align < type->align() ? align : 0; }

uint32_t low_member(const MemberExpr* m) {
  const Type* record = m->arrow ? m->base->type->element : m->base->type;
  uint32_t align = m->arrow ? low_pointee(m->base) : low_alignment(m->base);
  if (align == 0) align = record->align();
  if (uint32_t bit = lowest_bit(m->offset); bit) align = std::min(align, bit);
  return if_low(align, m->type);
}

// The same for the pointee of a pointer expression, if the expression itself shows where it points.
uint32_t low_pointee(const Expr* pointer) {
  if (pointer->kind == ExprKind::Unary) {
    const UnaryExpr* u = as<UnaryExpr>(pointer);
    return u->op == UnaryOp::AddressOf ? low_alignment(u->operand) : 0;
  }
  if (pointer->kind != ExprKind::Convert && pointer->kind != ExprKind::Cast) return 0;
  const Expr* from = as<CastExpr>(pointer)->operand;
  if (from->type->is_array()) return low_alignment(from);
  return from->type->is_pointer() ? low_pointee(from) : 0;
}

}  // namespace

uint32_t low_alignment(const Expr* e) {
  switch (e->kind) {
    case ExprKind::Member:
      return low_member(as<MemberExpr>(e));
    case ExprKind::Index: {
      const IndexExpr* i = as<IndexExpr>(e);
      uint32_t align = low_pointee(i->base->type->is_pointer() ? i->base : i->index);
      return align ? if_low(std::min(align, lowest_bit(e->type->size())), e->type) : 0;
    }
    case ExprKind::Unary:
      return if_low(low_pointee(as<UnaryExpr>(e)->operand), e->type);
    default:
      return 0;
  }
}

ValueId KernelLowering::load_in_pieces(const LValue& p) {
  kc::Type type = stored_type(p.type);
  uint64_t size = type.bits() / 8;  // some pointers have fewer bits than their slot
  kc::Type whole = integer_type(size), piece = integer_type(p.align);
  ValueId value = f_->constant(whole, 0);
  for (uint64_t at = 0; at < size; at += p.align) {
    ValueId part = b_.make(load_op(p.is_volatile), piece, {offset_by(p.address, at)});
    part = b_.make(Op::zext, whole, {part});
    if (at) part = b_.make(Op::shl, whole, {part, f_->constant(whole, 8 * at)});
    value = at ? b_.make(Op::or_, whole, {value, part}) : part;
  }
  return type == whole ? value : b_.make(Op::bitcast, type, {value});
}

void KernelLowering::store_in_pieces(const LValue& p, ValueId value) {
  uint64_t size = stored_type(p.type).bits() / 8;
  kc::Type whole = integer_type(size), piece = integer_type(p.align);
  if (f_->type(value) != whole) value = b_.make(Op::bitcast, whole, {value});
  for (uint64_t at = 0; at < size; at += p.align) {
    ValueId part = at ? b_.make(Op::lshr, whole, {value, f_->constant(whole, 8 * at)}) : value;
    b_.emit(store_op(p.is_volatile), {offset_by(p.address, at), b_.make(Op::trunc, piece, {part})});
  }
}

// Copies a record to a private object with the type's natural alignment, which nothing else changes.
ValueId KernelLowering::copy_of(const LValue& p) {
  ValueId to = b_.object_address(add_object("copy", p.type, AddressSpace::Private, 1));
  copy(to, p.address, p.align ? pieces(p) : p.type, load_op(p.is_volatile));
  return to;
}

// The type of an underaligned object as an array of naturally aligned integers.
const Type* KernelLowering::pieces(const LValue& p) const {
  TypeKind kind = p.align == 1 ? TypeKind::UChar : p.align == 2 ? TypeKind::UShort : TypeKind::UInt;
  const Type* piece = types_.get(kind);
  return types_.array(piece, p.type->size() / piece->size());
}

}  // namespace kc::front
