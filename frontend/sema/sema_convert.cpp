// SPDX-License-Identifier: Apache-2.0
// Conversions between types, and integer constants.
#include <fmt/format.h>

#include "frontend/sema/sema.h"
#include "ir/eval.h"

namespace kc::front {

namespace {

Elem element_of_size(const Type* type) {
  switch (type->size()) {
    case 1:
      return Elem::I8;
    case 2:
      return Elem::I16;
    case 4:
      return Elem::I32;
    default:
      return Elem::I64;
  }
}

uint64_t low_bits(int64_t value, const Type* type) {
  return type->size() == 8 ? static_cast<uint64_t>(value)
                           : static_cast<uint64_t>(value) & ((uint64_t{1} << (8 * type->size())) - 1);
}

}  // namespace

int64_t Sema::canonical(int64_t value, const Type* type) const {
  if (type->kind == TypeKind::Bool) return value != 0;
  int shift = 64 - 8 * type->size();
  if (type->is_signed()) return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift >> shift);
}

void Sema::set_constant(Expr* e, int64_t value) {
  e->is_constant = true;
  e->constant = canonical(value, e->type);
}

Expr* Sema::convert(Expr* e, const Type* to) {
  if (e->type == to || e->type->is_error() || to->is_error()) return e;
  if (to->is_vector()) {
    Expr* item = convert(e, to->element);
    return make_vector(to, {&item, 1}, e);
  }
  CastExpr* c = arena_.make<CastExpr>();
  c->kind = ExprKind::Convert;
  c->range = e->range;
  c->depth = e->depth;
  c->operand = e;
  c->type = to;
  if (e->is_constant && to->is_integer()) set_constant(c, e->constant);
  return c;
}

const Type* Sema::promoted(const Type* type) {
  return type->is_integer() && type->size() < 4 ? types_.get(TypeKind::Int) : type;
}

// The usual arithmetic conversions.
const Type* Sema::common_type(const Type* a, const Type* b) {
  a = promoted(a);
  b = promoted(b);
  return a->kind > b->kind ? a : b;  // kinds are ordered by rank, unsigned above signed
}

// An integer constant 0, possibly converted to a pointer to void.
bool Sema::is_null_constant(const Expr* e) const {
  if (e->kind == ExprKind::Cast && e->type->is_pointer() && e->type->element->is_void())
    e = as<CastExpr>(e)->operand;
  return e->is_constant && e->constant == 0 && e->type->is_integer();
}

Expr* Sema::coerce(Expr* e, const Type* to, Use use, SourceRange where, const VarDecl* parameter) {
  const Type* from = e->type;
  if (from == to || from->is_error() || to->is_error()) return e;
  if (from->is_arithmetic() && (to->is_arithmetic() || to->is_vector())) return convert(e, to);
  if ((to->is_pointer() || to->kind == TypeKind::Event) && is_null_constant(e)) return convert(e, to);
  if (to->kind == TypeKind::Bool && from->is_pointer()) return convert(e, to);
  bool pointers = to->is_pointer() && from->is_pointer();
  if (pointers && from->space == to->space) {
    bool similar = from->element == to->element || from->element->is_void() || to->element->is_void();
    if (!similar && !to->element->is_error() && !from->element->is_error())
      diagnostics_.warning(
          Warning::IncompatiblePointerTypes, e->range,
          fmt::format("incompatible pointer types: '{}' becomes '{}'", type_name(from), type_name(to)));
    else if (from->pointee_qualifiers & ~to->pointee_qualifiers)
      diagnostics_.warning(
          Warning::DiscardedQualifiers, e->range,
          fmt::format("converting '{}' to '{}' discards qualifiers", type_name(from), type_name(to)));
    return convert(e, to);
  }
  bool spaces = pointers && from->space != to->space;
  Diagnostic& d =
      refuse_coercion(e, to, use, where, spaces ? "; this changes the address space of the pointer" : "");
  if (spaces && parameter && to->space == AddressSpace::Private)
    d.note(parameter->range,
           fmt::format("a pointer without an address space points to private memory; to take '{}' the "
                       "parameter needs the word '{}'",
                       type_name(from), address_space_name(from->space)));
  return failed(e);
}

Diagnostic& Sema::refuse_coercion(Expr* e, const Type* to, Use use, SourceRange where, const char* why) {
  std::string a = type_name(e->type), b = type_name(to);
  switch (use) {
    case Use::Initialize:
      return diagnostics_.error_at(
          where.begin, e->range,
          fmt::format("initializing '{}' with an expression of incompatible type '{}'{}", b, a, why));
    case Use::Assign:
      return diagnostics_.error_at(where.begin, e->range,
                                   fmt::format("assigning to '{}' from incompatible type '{}'{}", b, a, why));
    case Use::Pass:
      return diagnostics_.error(
          e->range, fmt::format("passing '{}' to parameter of incompatible type '{}'{}", a, b, why));
    case Use::Return:
      break;
  }
  return diagnostics_.error(
      e->range,
      fmt::format("returning '{}' from a function with incompatible result type '{}'{}", a, b, why));
}

void Sema::fold_unary(UnaryExpr* e) {
  if (!e->operand->is_constant) return;
  uint64_t v = static_cast<uint64_t>(e->operand->constant);
  switch (e->op) {
    case UnaryOp::Plus:
      return set_constant(e, static_cast<int64_t>(v));
    case UnaryOp::Minus:
      return set_constant(e, static_cast<int64_t>(0 - v));
    case UnaryOp::BitNot:
      return set_constant(e, static_cast<int64_t>(~v));
    case UnaryOp::Not:
      return set_constant(e, v == 0);
    default:
      return;
  }
}

// Folds with the IR's own constant folding, so a constant equals the value the program would compute.
void Sema::fold_binary(BinaryExpr* e) {
  if (!e->left->is_constant || !e->right->is_constant || !e->type->is_integer()) return;
  const Type* type = e->left->type;
  if (!type->is_integer()) return;
  bool s = type->is_signed();
  int64_t l = e->left->constant, r = e->right->constant;
  uint64_t ul = static_cast<uint64_t>(l), ur = static_cast<uint64_t>(r);
  Elem element = element_of_size(type);
  auto apply = [&](EvalSelect select) {
    uint64_t operands[2] = {low_bits(l, type), low_bits(r, type)};
    set_constant(e, static_cast<int64_t>(select(element, element)(operands)));
  };
  switch (e->op) {
    case BinaryOp::Mul:
      return apply(eval::mul);
    case BinaryOp::Div:
      return apply(s ? eval::sdiv : eval::udiv);
    case BinaryOp::Rem:
      return apply(s ? eval::srem : eval::urem);
    case BinaryOp::Add:
      return apply(eval::add);
    case BinaryOp::Sub:
      return apply(eval::sub);
    case BinaryOp::Shl:
      return apply(eval::shl);
    case BinaryOp::Shr:
      return apply(s ? eval::ashr : eval::lshr);
    case BinaryOp::And:
      return apply(eval::bit_and);
    case BinaryOp::Xor:
      return apply(eval::bit_xor);
    case BinaryOp::Or:
      return apply(eval::bit_or);
    case BinaryOp::Lt:
      return set_constant(e, s ? l < r : ul < ur);
    case BinaryOp::Gt:
      return set_constant(e, s ? l > r : ul > ur);
    case BinaryOp::Le:
      return set_constant(e, s ? l <= r : ul <= ur);
    case BinaryOp::Ge:
      return set_constant(e, s ? l >= r : ul >= ur);
    case BinaryOp::Eq:
      return set_constant(e, l == r);
    case BinaryOp::Ne:
      return set_constant(e, l != r);
    case BinaryOp::LogicalAnd:
      return set_constant(e, l && r);
    case BinaryOp::LogicalOr:
      return set_constant(e, l || r);
    case BinaryOp::Comma:
      return;
  }
}

}  // namespace kc::front
