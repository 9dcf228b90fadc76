// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions with vector parameters or results, and of those named after types.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/builtins.h"
#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

// The forms with numbers beside vectors that OpenCL C has: bit i stands for a number as argument i.
unsigned numbers_in_standard(Builtin id) {
  static constexpr std::pair<Builtin, unsigned> Forms[] = {
      {Builtin::min, 0b10},   {Builtin::max, 0b10},         {Builtin::fmin, 0b10},
      {Builtin::fmax, 0b10},  {Builtin::clamp, 0b110},      {Builtin::mix, 0b100},
      {Builtin::step, 0b001}, {Builtin::smoothstep, 0b011}, {Builtin::ldexp, 0b10}};
  const auto* form = std::ranges::find(Forms, id, &std::pair<Builtin, unsigned>::first);
  return form == std::end(Forms) ? 0 : form->second;
}

const Type* vector_behind(const Type* type) { return type->is_pointer() ? type->element : type; }

}  // namespace

// The vector that decides what numbers beside it become. Null if none of the arguments may decide: the
// exponents of `ldexp` and `frexp` do not.
const Type* Sema::deciding_vector(const CallExpr* e) {
  BuiltinShape shape = e->builtin->shape;
  size_t deciding = e->arguments.size();
  if (shape == BuiltinShape::Scale || shape == BuiltinShape::Upsample) deciding = 1;
  if (shape == BuiltinShape::SplitExponent || shape == BuiltinShape::SplitQuotient ||
      e->builtin->id == Builtin::select)
    --deciding;
  for (const Expr* a : e->arguments.first(deciding))
    if (vector_behind(a->type)->is_vector()) return vector_behind(a->type);
  return nullptr;
}

// Numbers beside vectors become components of the vector's type, as arguments of the only form that fits.
bool Sema::widen_arguments(CallExpr* e, const Type* vector) {
  unsigned numbers = 0;
  BuiltinShape shape = e->builtin->shape;
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    Expr*& a = e->arguments[i];
    const Type* type = vector_behind(a->type);
    if (type->is_vector() ? type->length != vector->length : !a->type->is_arithmetic()) return false;
    if (type->is_vector()) continue;
    numbers |= 1u << i;
    if (shape == BuiltinShape::Scale && i > 0) continue;  // an integer of any type
    a = convert(a,
                shape == BuiltinShape::Upsample && i > 0 ? unsigned_type(vector->element) : vector->element);
  }
  if (numbers != 0 && numbers != numbers_in_standard(e->builtin->id))
    diagnostics_.warning(Warning::Pedantic, e->range,
                         fmt::format("OpenCL C has no form of '{}' that mixes numbers and vectors like this",
                                     e->builtin->name));
  return true;
}

// Applies a scalar function to each component. The scalar form, applied to the components, determines
// parameter and result types; vectors are not converted.
Expr* Sema::call_elementwise(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const std::vector<Expr*> original(arguments.begin(), arguments.end());
  auto refuse = [&] {
    std::ranges::copy(original, arguments.begin());
    e->componentwise = false;
    return refuse_arguments(e);
  };
  const Type* vector = deciding_vector(e);
  if (!vector || !widen_arguments(e, vector)) return refuse();
  if (e->builtin->id == Builtin::select) {
    Expr* selected = select_elementwise(e, vector);
    return selected ? selected : refuse();
  }
  const std::vector<Expr*> given(arguments.begin(), arguments.end());
  ElementwiseExpr* w = open_elementwise(e);
  for (Expr*& a : arguments) a = component_of(w, a);
  const std::vector<Expr*> components(arguments.begin(), arguments.end());
  e->componentwise = true;
  e->repeated = static_cast<uint8_t>(vector->length);
  Expr* scalar = bind_prelude(call_builtin(e, e->builtin));
  if (scalar->type->is_error()) return refuse();
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i]->type->is_vector() && e->arguments[i] != components[i]) return refuse();
  bool test = e->builtin->shape == BuiltinShape::FloatTest && !e->builtin->in_prelude;
  return close_elementwise(w, test ? mask(e, mask_type(vector->element)) : e, vector->components());
}

// `select(a, b, c)`: the highest bit of each component of c decides. Null if the types do not fit.
Expr* Sema::select_elementwise(CallExpr* e, const Type* vector) {
  const Type* element = vector->element;
  const Type *a = e->arguments[0]->type, *b = e->arguments[1]->type, *c = e->arguments[2]->type;
  if (a->component() != element || b->component() != element || !c->is_vector() ||
      !c->element->is_integer() || c->element->size() != element->size())
    return nullptr;
  ElementwiseExpr* w = open_elementwise(e);
  Expr* if_false = component_of(w, e->arguments[0]);
  Expr* if_true = component_of(w, e->arguments[1]);
  Expr* condition = component_of(w, e->arguments[2]);
  CallExpr* call = as<CallExpr>(choose(condition, if_true, if_false, e->range));
  return close_elementwise(w, call, vector->components());
}

// Functions on whole vectors.
Expr* Sema::call_of_vectors(CallExpr* e) {
  if (e->builtin->shape == BuiltinShape::Geometric) return call_geometric(e);
  if (e->builtin->shape == BuiltinShape::Shuffle) return call_shuffle(e);
  const Type* ballot = types_.vector(types_.get(TypeKind::UInt), 4);
  if (e->builtin->shape == BuiltinShape::BallotMask) {
    if (!e->arguments.empty() && !e->arguments[0]->type->is_scalar()) return refuse_arguments(e);
    e->type = ballot;
    return e;
  }
  if (e->builtin->shape == BuiltinShape::BallotQuery) {
    if (e->arguments[0]->type != ballot || (e->arguments.size() > 1 && !e->arguments[1]->type->is_integer()))
      return refuse_arguments(e);
    if (e->arguments.size() > 1) e->arguments[1] = convert(e->arguments[1], types_.get(TypeKind::UInt));
    bool truth = e->builtin->id == Builtin::sub_group_inverse_ballot ||
                 e->builtin->id == Builtin::sub_group_ballot_bit_extract;
    e->type = types_.get(truth ? TypeKind::Int : TypeKind::UInt);
    return e;
  }
  if (!e->arguments[0]->type->component()->is_integer()) return refuse_arguments(e);
  e->type = types_.get(TypeKind::Int);
  return e;
}

Expr* Sema::call_geometric(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type* type = arguments[0]->type;
  if (e->builtin->id == Builtin::dot && type->is_vector() && type->element->size() == 1)
    return call_integer_dot(e);
  if (std::ranges::none_of(arguments, [](const Expr* a) { return a->type->is_vector(); })) {
    type = common_float(arguments);
    if (!type) return refuse_arguments(e);
    for (Expr*& a : arguments) a = convert(a, type);
  } else if (!(type = deciding_vector(e)) || !widen_arguments(e, type)) {
    return refuse_arguments(e);
  } else {
    for (Expr*& a : arguments)
      if (a->type == type->element) a = convert(a, type);
  }
  bool cross = e->builtin->id == Builtin::cross;
  bool length = cross ? type->components() == 3 || type->components() == 4 : type->components() <= 4;
  bool same = std::ranges::all_of(arguments, [&](const Expr* a) { return a->type == type; });
  if (!same || !length || !type->component()->is_floating()) return refuse_arguments(e);
  bool vector = cross || e->builtin->id == Builtin::normalize || e->builtin->id == Builtin::fast_normalize;
  e->type = vector ? type : type->component();
  return e;
}

Expr* Sema::call_shuffle(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type *type = arguments[0]->type, *indices = arguments.back()->type;
  bool good = type->is_vector() && indices->is_vector() && indices->element->is_integer() &&
              !indices->element->is_signed() && indices->element->size() == type->element->size() &&
              (arguments.size() == 2 || arguments[1]->type == type) && type->length != 3 &&
              indices->length != 3;
  if (!good) return refuse_arguments(e);
  e->type = types_.vector(type->element, indices->components());
  return e;
}

Expr* Sema::call_conversion(CallExpr* e, const Conversion& conversion) {
  e->call_kind = CallKind::Convert;
  const Type* to = e->type = type_of(conversion.to);
  if (!check_count(e, 1, NoRange)) return failed(e);
  const Type* from = e->arguments[0]->type;
  if (from->is_error()) return failed(e);
  if (!from->component()->is_arithmetic() || from->components() != to->components() ||
      (conversion.saturate && to->component()->is_floating())) {
    diagnostics_.error(e->range, fmt::format("cannot convert '{}' to '{}'{}", type_name(from), type_name(to),
                                             conversion.saturate ? " with saturation" : ""));
    return failed(e);
  }
  e->conversion = arena_.make(conversion);
  if (!to->is_vector()) return e;
  ElementwiseExpr* w = open_elementwise(e);
  e->arguments[0] = component_of(w, e->arguments[0]);
  e->type = to->element;
  return close_elementwise(w, e, to->components());
}

Expr* Sema::call_reinterpretation(CallExpr* e, const Type* to) {
  e->call_kind = CallKind::Bitcast;
  e->type = to;
  if (!check_count(e, 1, NoRange)) return failed(e);
  const Type* from = e->arguments[0]->type;
  if (from->is_error()) return failed(e);
  bool number = from->component()->is_arithmetic() && from->kind != TypeKind::Bool;
  if (number && from->size() == to->size()) return e;
  auto with_size = [&](const Type* type) {
    return number ? fmt::format("'{}' ({} bytes)", type_name(type), type->size())
                  : fmt::format("'{}'", type_name(type));
  };
  diagnostics_.error(e->range, fmt::format("cannot reinterpret {} as {}", with_size(from), with_size(to)));
  return failed(e);
}

// `vload4(offset, p)`, `vstore4(data, offset, p)`; half-precision memory is accessed as floats.
Expr* Sema::call_access(CallExpr* e, const VectorAccess& access) {
  e->call_kind = CallKind::Access;
  if (!check_count(e, access.store ? 3 : 2, NoRange)) return failed(e);
  std::span<Expr*> arguments = e->arguments;
  for (Expr* a : arguments)
    if (a->type->is_error()) return failed(e);
  const Type* pointer = arguments.back()->type;
  Expr*& offset = arguments[arguments.size() - 2];
  if (!pointer->is_pointer() || !offset->type->is_integer())
    return refuse_arguments(
        e, access.store ? "the arguments are value, offset, pointer" : "the arguments are offset, pointer");
  const Type* element = pointer->element;
  bool writable = pointer->space != AddressSpace::Constant && !(pointer->pointee_qualifiers & Const);
  bool fits = access.half ? element->kind == TypeKind::Half
                          : element->is_arithmetic() && element->kind != TypeKind::Bool;
  if (!fits || (access.store && !writable)) return refuse_arguments(e);
  const Type* value = access.half ? types_.get(TypeKind::Float) : element;
  if (access.store && access.half && arguments[0]->type->component()->kind == TypeKind::Double)
    value = types_.get(TypeKind::Double);
  if (access.length > 1) value = types_.vector(value, access.length);
  if (access.store && arguments[0]->type != value) {
    // A pointer to halves does not tell the type of the vector that a number would become.
    const bool is_open = access.length > 1 && access.half;
    if (is_open || !arguments[0]->type->is_arithmetic()) return refuse_arguments(e);
    arguments[0] = convert(convert(arguments[0], value->component()), value);
  }
  offset = convert(offset, types_.get(offset->type->is_signed() ? TypeKind::Long : TypeKind::ULong));
  e->access = arena_.make(access);
  e->type = access.store ? types_.get(TypeKind::Void) : value;
  return e;
}

}  // namespace kc::front
