// SPDX-License-Identifier: Apache-2.0
// Tables in constant memory. Initializers are evaluated with the IR's own constant folding, so a constant
// equals the value the program would compute.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"
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
  if (from->is_pointer() || to->is_pointer())  // only the null pointer
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
  const Type* type = e->type;
  if (e->op == UnaryOp::Plus) return bits;
  if (e->op == UnaryOp::Minus)
    return type->is_floating() ? apply(Op::fneg, type, type, {bits}) : apply(Op::sub, type, type, {0, bits});
  if (e->op == UnaryOp::BitNot && type->is_integer())
    return apply(Op::xor_, type, type, {bits, apply(Op::sub, type, type, {0, 1})});
  return std::nullopt;
}

// Returns 0 or 1.
std::optional<uint64_t> compared(BinaryOp op, const Type* type, uint64_t left, uint64_t right) {
  bool real = type->is_floating(), is_signed = type->is_signed();
  Op less = real ? Op::flt : is_signed ? Op::slt : Op::ult;
  Op at_most = real ? Op::fle : is_signed ? Op::sle : Op::ule;
  switch (op) {
    case BinaryOp::Lt:
      return apply(less, type, type, {left, right});
    case BinaryOp::Gt:
      return apply(less, type, type, {right, left});
    case BinaryOp::Le:
      return apply(at_most, type, type, {left, right});
    case BinaryOp::Ge:
      return apply(at_most, type, type, {right, left});
    case BinaryOp::Eq:
      return apply(real ? Op::feq : Op::eq, type, type, {left, right});
    default:
      return apply(real ? Op::fne : Op::ne, type, type, {left, right});
  }
}

std::optional<uint64_t> combined(const BinaryExpr* e, uint64_t left, uint64_t right) {
  const Type* type = e->type;
  if (!e->left->type->is_arithmetic() || e->left->type != e->right->type) return std::nullopt;
  if (is_comparison(e->op)) return compared(e->op, e->left->type, left, right);
  if (type != e->left->type) return std::nullopt;
  bool real = type->is_floating(), is_signed = type->is_signed();
  auto result = [&](Op op) { return apply(op, type, type, {left, right}); };
  switch (e->op) {
    case BinaryOp::Add:
      return result(real ? Op::fadd : Op::add);
    case BinaryOp::Sub:
      return result(real ? Op::fsub : Op::sub);
    case BinaryOp::Mul:
      return result(real ? Op::fmul : Op::mul);
    case BinaryOp::Div:
      return result(real ? Op::fdiv : is_signed ? Op::sdiv : Op::udiv);
    case BinaryOp::Rem:
      return result(is_signed ? Op::srem : Op::urem);
    case BinaryOp::Shl:
      return result(Op::shl);
    case BinaryOp::Shr:
      return result(is_signed ? Op::ashr : Op::lshr);
    case BinaryOp::And:
      return result(Op::and_);
    case BinaryOp::Or:
      return result(Op::or_);
    case BinaryOp::Xor:
      return result(Op::xor_);
    default:
      return std::nullopt;
  }
}

void write_bits(std::span<uint8_t> bytes, uint64_t offset, const Type* type, uint64_t bits) {
  for (uint64_t i = 0; i < type->size(); ++i) bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
}

// Evaluates an expression that is neither an operator nor a conversion.
std::optional<uint64_t> innermost_bits(const Expr* e, unsigned component) {
  if (e->is_constant && e->type->is_integer()) {
    uint64_t bits = static_cast<uint64_t>(e->constant);
    return e->type->size() < 8 ? bits & ((uint64_t{1} << (8 * e->type->size())) - 1) : bits;
  }
  if (e->kind == ExprKind::Name && as<NameExpr>(e)->variable) return as<NameExpr>(e)->variable->bits;
  if (e->kind == ExprKind::Number && e->type->is_floating()) {
    double real = as<NumberExpr>(e)->real;
    return e->type->kind == TypeKind::Float ? std::bit_cast<uint32_t>(static_cast<float>(real))
                                            : std::bit_cast<uint64_t>(real);
  }
  if (e->kind == ExprKind::Conditional) {
    const ConditionalExpr* c = as<ConditionalExpr>(e);
    std::optional<uint64_t> holds = constant_bits(c->condition, component);
    if (!holds || !c->condition->type->is_integer()) return std::nullopt;
    return constant_bits(*holds ? c->if_true : c->if_false, component);
  }
  if (e->kind != ExprKind::Component) return std::nullopt;
  const Expr* source = as<ComponentExpr>(e)->source;
  if (!source) return std::nullopt;
  return source->type->is_vector() ? constant_component(source, component) : constant_bits(source);
}

}  // namespace

// Chains of left operands and conversions are walked in a loop.
std::optional<uint64_t> constant_bits(const Expr* e, unsigned component) {
  std::vector<const Expr*> chain;
  while (!e->is_constant) {
    if (e->kind == ExprKind::Binary) {
      chain.push_back(e);
      e = as<BinaryExpr>(e)->left;
    } else if (e->kind == ExprKind::Convert || e->kind == ExprKind::Cast || e->kind == ExprKind::Mask) {
      chain.push_back(e);
      e = as<CastExpr>(e)->operand;
    } else if (e->kind == ExprKind::Unary) {
      chain.push_back(e);
      e = as<UnaryExpr>(e)->operand;
    } else {
      break;
    }
  }
  std::optional<uint64_t> bits = innermost_bits(e, component);
  for (size_t i = chain.size(); i-- > 0 && bits;) {
    const Expr* outer = chain[i];
    if (outer->kind == ExprKind::Unary) {
      bits = negated(as<UnaryExpr>(outer), *bits);
    } else if (outer->kind == ExprKind::Binary) {
      std::optional<uint64_t> right = constant_bits(as<BinaryExpr>(outer)->right, component);
      bits = right ? combined(as<BinaryExpr>(outer), *bits, *right) : std::nullopt;
    } else if (outer->kind == ExprKind::Mask) {
      bits = *bits ? apply(Op::sub, outer->type, outer->type, {0, 1}) : 0;
    } else {
      const Type* from = as<CastExpr>(outer)->operand->type;
      bits =
          from->is_scalar() && outer->type->is_scalar() ? converted(*bits, from, outer->type) : std::nullopt;
    }
  }
  return bits;
}

std::optional<uint64_t> constant_component(const Expr* e, unsigned index) {
  if (e->kind == ExprKind::Elementwise) return constant_bits(as<ElementwiseExpr>(e)->scalar, index);
  if (e->kind == ExprKind::Swizzle) {
    const MemberExpr* m = as<MemberExpr>(e);
    return constant_component(m->base, static_cast<unsigned>(m->selection >> (4 * index)) & 15);
  }
  if (e->kind != ExprKind::VectorLiteral) return std::nullopt;
  std::span<Expr*> items = as<VectorLiteralExpr>(e)->items;
  if (items.size() == 1 && !items[0]->type->is_vector()) return constant_bits(items[0]);
  for (const Expr* item : items) {
    if (index < item->type->components())
      return item->type->is_vector() ? constant_component(item, index) : constant_bits(item);
    index -= item->type->components();
  }
  return std::nullopt;
}

namespace {

bool has_texts(const Type* type) {
  while (type->is_array()) type = type->element;
  return type->is_record() || type->kind == TypeKind::Char || type->kind == TypeKind::UChar;
}

// Whether a copy of such an object would not see its pointers as such.
bool moves_pointers_in_words(const Type* type) {
  while (type->is_array()) type = type->element;
  if (!type->is_record()) return false;
  return std::ranges::any_of(type->record->fields, [&](const Field& f) {
    return moves_pointers_in_words(f.type) || (type->moves_in_words() && f.type->is_pointer());
  });
}

}  // namespace

// Writes the value into the bytes; reports an error if it is not constant.
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
  if (!bits && type->is_pointer() && type->space == AddressSpace::Constant) {
    bits = constant_address(value);
    addresses_written_ += bits.has_value();
  }
  if (!bits) {
    diagnostics_.error(value->range,
                       "the initializer of a variable in constant memory must be a constant expression");
    return;
  }
  write_bits(bytes, offset, type, *bits);
}

// Evaluates all bytes of a variable in constant memory whose initializer has been checked.
void Sema::evaluate_constant(VarDecl* v) {
  if (v->type->is_error() || v->initializer->type->is_error()) return;
  uint64_t size = v->type->size();
  if (size > MaxConstantBytes - constant_bytes_) {
    diagnostics_.error(v->range, fmt::format("more than {} bytes of constant memory", MaxConstantBytes));
    return;
  }
  constant_bytes_ += size;
  if (has_texts(v->type)) texts_.push_back(v);
  const uint64_t addresses = addresses_written_;
  std::vector<uint8_t> bytes(size);
  if (v->initializer->kind == ExprKind::String && v->type->is_aggregate())
    std::ranges::copy(as<StringExpr>(v->initializer)->text, bytes.begin());
  else if (v->initializer->kind == ExprKind::InitList)
    for (const InitStep& s : as<InitListExpr>(v->initializer)->steps)
      write_constant(bytes, s.offset, s.type, s.value);
  else
    write_constant(bytes, 0, v->type, v->initializer);
  v->bytes = arena_.copy(bytes);
  if (moves_pointers_in_words(v->type) && addresses_written_ > addresses)
    unsupported(v->range, "addresses in unions and packed structs in constant memory are");
}

}  // namespace kc::front
