// SPDX-License-Identifier: Apache-2.0
// Vectors: components, literals, and conversions to vectors.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

struct Selection {
  uint64_t bits = 0;  // as in MemberExpr
  unsigned count = 0;

  void add(unsigned index) { bits |= static_cast<uint64_t>(index) << (4 * count++); }
  unsigned at(unsigned i) const { return static_cast<unsigned>(bits >> (4 * i)) & 15; }
  unsigned highest() const {
    unsigned result = 0;
    for (unsigned i = 0; i < count; ++i) result = std::max(result, at(i));
    return result;
  }
  bool repeats() const {
    unsigned seen = 0;
    for (unsigned i = 0; i < count; seen |= 1u << at(i++))
      if (seen >> at(i) & 1) return true;
    return false;
  }
};

// The components that a name selects; a vector of three allows the fourth. Empty if the name is invalid.
Selection select(std::string_view name, unsigned length) {
  Selection s;
  unsigned full = length == 3 ? 4 : length;
  static constexpr std::string_view Halves[] = {"lo", "hi", "even", "odd"};
  for (unsigned h = 0; h < 4; ++h)
    if (name == Halves[h])
      for (unsigned i = 0; i < full / 2; ++i) s.add(h < 2 ? h * full / 2 + i : 2 * i + h - 2);
  if (s.count > 0) return s;
  static constexpr std::string_view Digits = "0123456789abcdefABCDEF";
  bool numeric = name.size() > 1 && (name[0] == 's' || name[0] == 'S');
  std::string_view letters = name.find_first_of("rgba") == std::string_view::npos ? "xyzw" : "rgba";
  for (char c : name.substr(numeric)) {
    size_t at = (numeric ? Digits : letters).find(c);
    if (at == std::string_view::npos || s.count == 16) return {};
    s.add(static_cast<unsigned>(at >= 16 ? at - 6 : at));
  }
  return s;
}

bool is_length(unsigned n) { return n <= 4 || n == 8 || n == 16; }

}  // namespace

Expr* Sema::zero_of(const Type* type, SourceRange range) {
  NumberExpr* zero = arena_.make<NumberExpr>();
  zero->kind = ExprKind::Number;
  zero->range = range;
  zero->type = type;
  if (type->is_integer()) set_constant(zero, 0);
  return zero;
}

// `v.xy`, `v.s03`, `v.hi`, on an rvalue or an lvalue. A swizzle of a swizzle becomes one swizzle of the
// underlying vector.
Expr* Sema::check_swizzle(MemberExpr* e) {
  if (e->arrow) {
    UnaryExpr* object = arena_.make<UnaryExpr>();
    object->kind = ExprKind::Unary;
    object->op = UnaryOp::Deref;
    object->range = object->op_range = e->base->range;
    object->depth = e->base->depth;
    object->operand = e->base;
    e->base = dereference(object, e->base->type, e->range);
    e->arrow = false;
  }
  const Type* vector = e->base->type;
  auto bad = [&](const std::string& text) {
    diagnostics_.error_at(e->op_range.begin, e->range, text);
    return failed(e);
  };
  Selection s = select(e->member, vector->components());
  unsigned full = vector->length == 3 && (e->member == "hi" || e->member == "odd") ? 4 : vector->components();
  if (s.count == 0)
    return bad(fmt::format("'{}' is not a name of components of '{}'", e->member, type_name(vector)));
  if (s.highest() >= full)
    return bad(fmt::format("vector component access '{}' exceeds type '{}'", e->member, type_name(vector)));
  if (!is_length(s.count))
    return bad(fmt::format(
        "vector component access has {} components; there are vectors of 2, 3, 4, 8 and 16", s.count));
  // the fourth of three components: it has no value and reads as 0
  bool beyond = s.highest() >= vector->length;
  e->kind = ExprKind::Swizzle;
  e->type = s.count == 1 ? vector->element : types_.vector(vector->element, s.count);
  e->is_lvalue = e->base->is_lvalue && !s.repeats();
  e->space = e->base->space;
  e->qualifiers = e->base->qualifiers;
  e->selection = s.bits;
  if (e->base->kind == ExprKind::Swizzle) {
    const MemberExpr* inner = as<MemberExpr>(e->base);
    e->selection = 0;
    for (unsigned i = 0; i < s.count; ++i)
      e->selection |= (inner->selection >> (4 * s.at(i)) & 15) << (4 * i);
    e->base = inner->base;
  }
  if (!beyond) return e;
  const Type* type = e->type;
  e->type = vector->element;
  Expr* items[] = {e, zero_of(e->type, e->range)};
  return make_vector(type, items, e);
}

// `v[i]`: a component with a constant index, or one that is read from memory.
Expr* Sema::check_component(IndexExpr* e) {
  const Type* vector = e->base->type;
  if (!e->index->type->is_integer()) {
    diagnostics_.error(e->index->range, "vector subscript is not an integer");
    return failed(e);
  }
  uint64_t index = static_cast<uint64_t>(e->index->constant);
  if (e->index->is_constant && index >= vector->length) {
    diagnostics_.error(e->index->range, fmt::format("vector subscript exceeds type '{}'", type_name(vector)));
    return failed(e);
  }
  if (e->index->is_constant) {
    static constexpr std::string_view Names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                                 "s8", "s9", "sa", "sb", "sc", "sd", "se", "sf"};
    MemberExpr* m = arena_.make<MemberExpr>();
    m->range = e->range;
    m->op_range = e->index->range;
    m->depth = e->depth;
    m->base = e->base;
    m->member = Names[index];
    return check_swizzle(m);
  }
  if (!e->base->is_lvalue || e->base->kind == ExprKind::Swizzle) {
    diagnostics_.error(e->base->range,
                       "only a vector in a variable or in memory has components by number; "
                       "this one is a value");
    return failed(e);
  }
  take_address(e->base);
  UnaryExpr* address = arena_.make<UnaryExpr>();
  address->kind = ExprKind::Unary;
  address->op = UnaryOp::AddressOf;
  address->range = address->op_range = e->base->range;
  address->depth = e->base->depth;
  address->operand = e->base;
  address->type = types_.pointer(vector, e->base->space, e->base->qualifiers & ~Restrict);
  e->base =
      convert(address, types_.pointer(vector->element, e->base->space, e->base->qualifiers & ~Restrict));
  e->index = convert(e->index, types_.get(e->index->type->is_signed() ? TypeKind::Long : TypeKind::ULong));
  return dereference(e, e->base->type, e->range);
}

// Concatenates the items, or repeats one number for all components. `whole` is the expression in the source.
Expr* Sema::make_vector(const Type* type, std::span<Expr*> items, const Expr* whole) {
  VectorLiteralExpr* v = arena_.make<VectorLiteralExpr>();
  v->kind = ExprKind::VectorLiteral;
  v->range = whole->range;
  v->depth = whole->depth;
  v->parenthesized = whole->parenthesized;
  v->contraction = whole->contraction;
  v->type = type;
  unsigned count = 0;
  bool good = true;
  for (Expr*& item : items) {
    const Type* part = item->type;
    if (part->is_error()) good = false;
    if (part->is_arithmetic())
      item = convert(item, type->element);
    else if (part->component() != type->element)
      item =
          coerce(item, part->is_vector() ? types_.vector(type->element, part->components()) : type->element,
                 Use::Initialize, item->range);
    good = good && !item->type->is_error();
    count += part->components();
  }
  bool splat = items.size() == 1 && count == 1;
  if (good && !splat && count != type->length) {
    diagnostics_.error(
        v->range, fmt::format("too {} components for '{}': expected {}, have {}",
                              count < type->length ? "few" : "many", type_name(type), type->length, count));
    good = false;
  }
  v->items = arena_.copy(std::vector<Expr*>(items.begin(), items.end()));
  return good ? v : failed(v);
}

Expr* Sema::vector_of_list(InitListExpr* list, const Type* type) {
  std::vector<Expr*> items(list->items.begin(), list->items.end());
  for (Expr*& item : items) item = check_value(item);
  if (items.empty()) items.assign(type->length, zero_of(type->element, list->range));
  if (items.size() == 1 && items[0]->type->is_arithmetic()) {
    diagnostics_.error(list->range, fmt::format("too few components for '{}': expected {}, have 1",
                                                type_name(type), type->length));
    return failed(list);
  }
  return make_vector(type, items, list);
}

// `(float4)(a, b.xy, c)`, whose operand is a list and not a comma operator, and `(float4)a`.
Expr* Sema::check_vector_cast(CastExpr* e, const Type* to) {
  std::vector<Expr*> items;
  Expr* rest = e->operand;
  if (rest->parenthesized)
    while (rest->kind == ExprKind::Binary && as<BinaryExpr>(rest)->op == BinaryOp::Comma &&
           (rest == e->operand || !rest->parenthesized)) {
      items.push_back(as<BinaryExpr>(rest)->right);
      rest = as<BinaryExpr>(rest)->left;
    }
  items.push_back(rest);
  std::reverse(items.begin(), items.end());
  for (Expr*& item : items) item = check_value(item);
  if (items.size() > 1) return make_vector(to, items, e);
  const Type* from = items[0]->type;
  if (from->is_error()) return failed(e);
  if (from->kind == TypeKind::Bool) items[0] = mask(items[0], mask_type(to->element));
  if (from->is_arithmetic() || from == to) return make_vector(to, items, e);
  diagnostics_.error(e->range, fmt::format("cannot cast from '{}' to '{}'{}", type_name(from), type_name(to),
                                           from->is_vector() ? "; use 'convert_' or 'as_'" : ""));
  return failed(e);
}

// Widens a scalar operand beside a vector. Null, with an error, if the conversion would lose more than a
// literal does.
Expr* Sema::widen(Expr* e, const Type* vector) {
  const Type *from = e->type, *to = vector->element;
  bool keeps = to->is_floating() ? from->is_integer() || from->size() <= to->size() || constant_bits(e)
                                 : from->is_integer() && from->size() <= to->size();
  if (e->is_constant && to->is_integer()) {
    int unused = 64 - 8 * static_cast<int>(to->size());
    int64_t wide = e->constant;
    keeps = unused == 0 ||
            (wide >> (63 - unused) == 0 || wide >> (63 - unused) == 1 || wide >> (63 - unused) == -1);
  }
  if (keeps) return convert(e, to);
  diagnostics_.error(e->range,
                     fmt::format("operand of type '{}' has a greater rank than the components of '{}'",
                                 type_name(from), type_name(vector)));
  return nullptr;
}

}  // namespace kc::front
