// SPDX-License-Identifier: Apache-2.0
// Addresses of constants inside constants. No engine knows them before a launch, so a pointer in a table is
// kept as the number of its object (high half) and an offset in bytes (low half). Lowering turns what it
// reads there into an address. 0 is the null pointer.
#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

uint64_t moved(uint64_t place, uint64_t bytes) {
  return (place & ~uint64_t{UINT32_MAX}) | static_cast<uint32_t>(place + bytes);
}

uint64_t read_bits(std::span<const uint8_t> bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes.size(); ++i) bits |= uint64_t{bytes[i]} << (8 * i);
  return bits;
}

// Where an lvalue is if a null pointer leads to it, as in `((struct s*)0)->member`.
std::optional<uint64_t> place_from_null(const Expr* e) {
  if (e->kind == ExprKind::Member) {
    const MemberExpr* m = as<MemberExpr>(e);
    const std::optional<uint64_t> base = m->arrow ? offset_from_null(m->base) : place_from_null(m->base);
    return base ? std::optional(*base + m->offset) : std::nullopt;
  }
  if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Deref)
    return offset_from_null(as<UnaryExpr>(e)->operand);
  if (e->kind != ExprKind::Index || !as<IndexExpr>(e)->base->type->is_pointer()) return std::nullopt;
  const std::optional<uint64_t> base = offset_from_null(as<IndexExpr>(e)->base),
                                index = constant_bits(as<IndexExpr>(e)->index);
  return base && index ? std::optional(*base + *index * e->type->size()) : std::nullopt;
}

}  // namespace

std::optional<uint64_t> offset_from_null(const Expr* pointer) {
  if (pointer->kind == ExprKind::Unary && as<UnaryExpr>(pointer)->op == UnaryOp::AddressOf)
    return place_from_null(as<UnaryExpr>(pointer)->operand);
  if (pointer->kind != ExprKind::Convert && pointer->kind != ExprKind::Cast) return std::nullopt;
  const Expr* from = as<CastExpr>(pointer)->operand;
  if (from->type->is_pointer()) return offset_from_null(from);
  if (from->type->is_array()) return place_from_null(from);
  const bool null = from->type->is_integer() && from->is_constant && from->constant == 0;
  return null ? std::optional<uint64_t>(0) : std::nullopt;
}

std::optional<uint64_t> Sema::place_of_object(VarDecl* v) {
  if (!v || v->space != AddressSpace::Constant || v->type->is_error()) return std::nullopt;
  if (v->address_number == 0) {
    addressed_.push_back(v);
    v->address_number = static_cast<uint32_t>(addressed_.size());
  }
  return uint64_t{v->address_number} << 32;
}

// Where an lvalue in constant memory lies.
std::optional<uint64_t> Sema::constant_place(const Expr* e) {
  uint64_t bytes = 0;
  for (; e->kind == ExprKind::Member && !as<MemberExpr>(e)->arrow; e = as<MemberExpr>(e)->base)
    bytes += as<MemberExpr>(e)->offset;
  std::optional<uint64_t> place;
  if (e->kind == ExprKind::Name) {
    place = place_of_object(as<NameExpr>(e)->variable);
  } else if (e->kind == ExprKind::String) {
    place = place_of_object(as<StringExpr>(e)->variable);
  } else if (e->kind == ExprKind::Member) {
    place = constant_address(as<MemberExpr>(e)->base);
    bytes += as<MemberExpr>(e)->offset;
  } else if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Deref) {
    place = constant_address(as<UnaryExpr>(e)->operand);
  } else if (e->kind == ExprKind::Index && as<IndexExpr>(e)->base->type->is_pointer()) {
    std::optional<uint64_t> index = constant_bits(as<IndexExpr>(e)->index);
    place = index ? constant_address(as<IndexExpr>(e)->base) : std::nullopt;
    bytes += index.value_or(0) * e->type->size();
  }
  return place ? std::optional(moved(*place, bytes)) : std::nullopt;
}

// Where a pointer to constant memory points.
std::optional<uint64_t> Sema::constant_address(const Expr* e) {
  uint64_t bytes = 0;
  while (e->kind == ExprKind::Binary && e->type->is_pointer()) {
    const BinaryExpr* b = as<BinaryExpr>(e);
    const bool swapped = b->right->type->is_pointer();
    std::optional<uint64_t> steps = constant_bits(swapped ? b->left : b->right);
    if (!steps || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return std::nullopt;
    uint64_t distance = *steps * e->type->element->step();
    bytes += b->op == BinaryOp::Add ? distance : 0 - distance;
    e = swapped ? b->right : b->left;
  }
  std::optional<uint64_t> place;
  if (e->kind == ExprKind::Convert || e->kind == ExprKind::Cast) {
    const Expr* from = as<CastExpr>(e)->operand;
    place = from->type->is_array() ? constant_place(from) : constant_address(from);
  } else if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::AddressOf) {
    place = constant_place(as<UnaryExpr>(e)->operand);
  } else if (e->kind == ExprKind::Name && e->type->is_pointer()) {
    const VarDecl* v = as<NameExpr>(e)->variable;
    if (v && v->space == AddressSpace::Constant && v->bytes.size() == 8) place = read_bits(v->bytes);
  }
  return place ? std::optional(moved(*place, bytes)) : std::nullopt;
}

}  // namespace kc::front
