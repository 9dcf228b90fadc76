// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions: parameter and result types.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/builtins.h"
#include "frontend/sema/prelude.h"
#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

std::string types_of(const CallExpr* e) {
  std::string types;
  for (const Expr* a : e->arguments) types += (types.empty() ? "'" : ", '") + type_name(a->type) + "'";
  return types;
}

// Numbers of several types, or no floating number where a function has only forms for these: where the forms
// are overloads, several of them fit equally well.
void warn_ambiguous(const CallExpr* e, Diagnostics& diagnostics) {
  const BuiltinShape shape = e->builtin->shape;
  const bool floats = shape == BuiltinShape::Float || shape == BuiltinShape::FloatTest;
  const bool integers = shape == BuiltinShape::Integer || shape == BuiltinShape::Unsigned;
  if (!floats && !integers && shape != BuiltinShape::Number) return;
  if (e->builtin->id == Builtin::mul24 || e->builtin->id == Builtin::mad24) return;  // forms of 32 bits alone
  std::vector<const Type*> types;
  for (const Expr* a : e->arguments) {
    if (!a->type->is_arithmetic()) return;  // an error, elsewhere
    const bool decides = !floats || a->type->is_floating();
    if (decides && std::ranges::find(types, a->type) == types.end()) types.push_back(a->type);
  }
  if (types.size() == 1) return;
  diagnostics.warning(
      Warning::Pedantic, e->range,
      fmt::format("several forms of '{}' in OpenCL C fit {} equally well: elsewhere the call is "
                  "ambiguous",
                  e->builtin->name, types_of(e)));
}

}  // namespace

const Type* Sema::common_float(std::span<Expr*> arguments) {
  const Type* type = types_.get(TypeKind::Float);
  for (Expr* a : arguments) {
    if (!a->type->is_arithmetic()) return nullptr;
    if (a->type->kind == TypeKind::Double) type = a->type;
  }
  return type;
}

// Mixed signedness follows the usual arithmetic conversions; narrow types stay narrow if all arguments agree.
const Type* Sema::common_integer(std::span<Expr*> arguments) {
  const Type* type = arguments[0]->type;
  for (Expr* a : arguments) {
    if (!a->type->is_integer()) return nullptr;
    if (a->type != type) type = common_type(type, a->type);
  }
  return type->kind == TypeKind::Bool ? types_.get(TypeKind::Int) : type;
}

const Type* Sema::common_number(std::span<Expr*> arguments) {
  const Type* type = common_integer(arguments);
  return type ? type : common_float(arguments);
}

// The unsigned type of the same width.
const Type* Sema::unsigned_type(const Type* type) {
  return type->is_signed() ? types_.get(static_cast<TypeKind>(static_cast<int>(type->kind) + 1)) : type;
}

Expr* Sema::refuse_arguments(CallExpr* e, std::string_view hint) {
  if (e->componentwise) return failed(e);  // the caller that handles the vectors reports the error
  diagnostics_.error(e->callee->range,
                     fmt::format("no form of the built-in function '{}' takes {}{}{}",
                                 as<NameExpr>(e->callee)->name, types_of(e), hint.empty() ? "" : "; ", hint));
  return failed(e);
}

Expr* Sema::call_builtin(CallExpr* e, const BuiltinRow* row) {
  e->call_kind = CallKind::Builtin;
  e->builtin = row;
  if (row->shape == BuiltinShape::Printf) return call_printf(e);
  if (row->shape == BuiltinShape::AtomicObject) return call_atomic_object(e);
  const bool has_scope = row->id == Builtin::work_group_barrier || row->id == Builtin::sub_group_barrier;
  if (has_scope && e->arguments.size() == 2)  // the second is a memory scope
    e->arguments = e->arguments.first(1);
  auto expected = static_cast<size_t>(row->parameters);
  if (row->shape == BuiltinShape::GroupBroadcast)  // a value, and a place in one to three dimensions
    expected = std::clamp<size_t>(e->arguments.size(), 2, 4);
  if (!check_count(e, expected, NoRange)) return failed(e);
  for (Expr* a : e->arguments)
    if (a->type->is_error()) return failed(e);
  bool vectors = std::ranges::any_of(e->arguments, [](const Expr* a) { return a->type->is_vector(); });
  if (vectors && row->shape >= BuiltinShape::Number) return call_elementwise(e);
  e->type = types_.get(TypeKind::Void);
  std::span<Expr*> arguments = e->arguments;
  auto to_all = [&](const Type* type) {
    if (!type) return refuse_arguments(e);
    for (Expr*& a : arguments) a = convert(a, type);
    e->type = type;
    return static_cast<Expr*>(e);
  };
  if (diagnostics_.wants(Warning::Pedantic) && !e->componentwise) warn_ambiguous(e, diagnostics_);
  switch (row->shape) {
    case BuiltinShape::WorkItem:
      if (!arguments[0]->type->is_arithmetic()) return refuse_arguments(e);
      to_all(types_.get(TypeKind::UInt));
      e->type = types_.get(TypeKind::ULong);
      return e;
    case BuiltinShape::LinearId:
      e->type = types_.get(TypeKind::ULong);
      return e;
    case BuiltinShape::WorkDim:
      e->type = types_.get(TypeKind::UInt);
      return e;
    case BuiltinShape::Barrier:
    case BuiltinShape::Fence:
      if (!arguments[0]->type->is_integer()) return refuse_arguments(e);
      arguments[0] = convert(arguments[0], types_.get(TypeKind::UInt));
      return e;
    case BuiltinShape::Assert:
      return arguments[0]->type->is_scalar() ? e : refuse_arguments(e);
    case BuiltinShape::Prefetch:
      return arguments[0]->type->is_pointer() && arguments[1]->type->is_integer() ? e : refuse_arguments(e);
    case BuiltinShape::Atomic:
    case BuiltinShape::AtomicOrdered:
    case BuiltinShape::AtomicExchange:
    case BuiltinShape::AtomicStep:
      return call_atomic(e);
    case BuiltinShape::SubGroupBallot:
    case BuiltinShape::SubGroupVote:
    case BuiltinShape::SubGroupEqual:
    case BuiltinShape::SubGroupLane:
    case BuiltinShape::SubGroupFold:
    case BuiltinShape::SubGroupBits:
      return call_sub_group(e);
    case BuiltinShape::GroupVote:
    case BuiltinShape::GroupBroadcast:
    case BuiltinShape::GroupFold:
      return call_work_group(e);
    case BuiltinShape::AsyncCopy:
    case BuiltinShape::AsyncWait:
      return call_async(e);
    case BuiltinShape::CopyBytes:
    case BuiltinShape::SetBytes:
      return call_bytes(e);
    case BuiltinShape::IntegerDot:
      return call_integer_dot(e);
    case BuiltinShape::BallotMask:
    case BuiltinShape::BallotQuery:
    case BuiltinShape::Geometric:
    case BuiltinShape::Quantifier:
    case BuiltinShape::Shuffle:
      return call_of_vectors(e);
    case BuiltinShape::Number:
      return to_all(common_number(arguments));
    case BuiltinShape::Integer:
      return to_all(common_integer(arguments));
    case BuiltinShape::Unsigned:
      if (!to_all(common_integer(arguments))->type->is_error()) e->type = unsigned_type(e->type);
      return e;
    case BuiltinShape::Float:
      return to_all(common_float(arguments));
    case BuiltinShape::FloatTest:
      if (!to_all(common_float(arguments))->type->is_error()) e->type = types_.get(TypeKind::Int);
      return e;
    default:
      return call_mixed(e);
  }
}

Expr* Sema::call_sub_group(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const BuiltinShape shape = e->builtin->shape;
  e->type = types_.get(shape == BuiltinShape::SubGroupBallot ? TypeKind::ULong : TypeKind::Int);
  if (shape == BuiltinShape::SubGroupBallot || shape == BuiltinShape::SubGroupVote) {
    if (!arguments.empty() && !arguments[0]->type->is_scalar()) return refuse_arguments(e);
    return e;
  }
  const Type* value = shape == BuiltinShape::SubGroupBits ? common_integer(arguments.first(1))
                                                          : common_number(arguments.first(1));
  if (!value) return refuse_arguments(e);
  arguments[0] = convert(arguments[0], value);
  if (shape == BuiltinShape::SubGroupLane) {
    if (!arguments[1]->type->is_integer()) return refuse_arguments(e);
    arguments[1] = convert(arguments[1], types_.get(TypeKind::UInt));
  }
  if (shape != BuiltinShape::SubGroupEqual) e->type = value;
  return e;
}

Expr* Sema::call_work_group(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  e->type = types_.get(TypeKind::Int);
  if (e->builtin->shape == BuiltinShape::GroupVote)
    return arguments[0]->type->is_scalar() ? e : refuse_arguments(e);
  const Type* value = common_number(arguments.first(1));
  if (!value) return refuse_arguments(e);
  for (Expr*& place : arguments.subspan(1)) {
    if (!place->type->is_integer()) return refuse_arguments(e);
    place = convert(place, types_.get(TypeKind::UInt));
  }
  arguments[0] = value->is_integer() ? promote(arguments[0]) : convert(arguments[0], value);
  e->type = arguments[0]->type;
  return e;
}

// Replaces a call of a function written in the kernel language by an ordinary call of its definition.
Expr* Sema::bind_prelude(Expr* e) {
  if (e->kind != ExprKind::Call) return e;  // a vector call, already handled
  CallExpr* call = as<CallExpr>(e);
  if (e->type->is_error() || !call->builtin->in_prelude) return e;
  call->function = prelude_ ? prelude_->find(*call->builtin, call->arguments) : nullptr;
  if (!call->function) {
    unsupported(call->callee->range, fmt::format("the built-in function '{}' of '{}' is", call->builtin->name,
                                                 type_name(e->type)));
    return failed(e);
  }
  call->call_kind = CallKind::Function;
  return e;
}

// Built-ins whose arguments have different types.
Expr* Sema::call_mixed(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type *first = arguments[0]->type, *last = arguments.back()->type;
  switch (e->builtin->shape) {
    case BuiltinShape::Select: {
      const Type* type = common_number(arguments.first(2));
      if (!type || !last->is_integer()) return refuse_arguments(e);
      arguments[0] = convert(arguments[0], type);
      arguments[1] = convert(arguments[1], type);
      e->type = type;
      return e;
    }
    case BuiltinShape::Upsample: {
      bool narrow = last->is_integer() && (last->size() <= 4 || arguments[1]->is_constant);
      if (!first->is_integer() || first->size() > 4 || first->kind == TypeKind::Bool || !narrow)
        return refuse_arguments(e);
      arguments[1] = convert(arguments[1], unsigned_type(first));
      e->type = types_.get(static_cast<TypeKind>(static_cast<int>(first->kind) + 2));
      return e;
    }
    case BuiltinShape::FromBits:
      if (!first->is_integer()) return refuse_arguments(e);
      e->type = types_.get(first->size() == 8 ? TypeKind::Double : TypeKind::Float);
      arguments[0] = convert(first->size() == 8 ? arguments[0] : promote(arguments[0]),
                             types_.get(first->size() == 8 ? TypeKind::ULong : TypeKind::UInt));
      return e;
    case BuiltinShape::Scale:
      if (!last->is_arithmetic() || !first->is_arithmetic()) return refuse_arguments(e);
      if (!last->is_integer())
        diagnostics_.warning(
            Warning::Pedantic, e->range,
            fmt::format("OpenCL C has no form of '{}' that takes '{}' as its second argument",
                        e->builtin->name, type_name(last)));
      e->type = common_float(arguments.first(1));
      arguments[0] = convert(arguments[0], e->type);
      arguments[1] = convert(arguments[1], types_.get(TypeKind::Int));
      return e;
    default: {  // values, and a pointer that receives a second result
      bool exponent = e->builtin->shape != BuiltinShape::Split;
      std::span<Expr*> values = arguments.first(arguments.size() - 1);
      const Type* type = common_float(values);
      if (!type || !last->is_pointer()) return refuse_arguments(e);
      e->type = exponent ? type : last->element;
      const Type* target = exponent ? types_.get(TypeKind::Int) : e->type;
      bool writable = last->space != AddressSpace::Constant && !(last->pointee_qualifiers & Const);
      if (last->element != target || !e->type->is_floating() || !writable) return refuse_arguments(e);
      for (Expr*& value : values) value = convert(value, e->type);
      return e;
    }
  }
}

// Copies between local and global memory by all work-items of a group, and waits for them.
Expr* Sema::call_async(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type* event = types_.get(TypeKind::Event);
  const Type* first = arguments[0]->type;
  if (e->builtin->shape == BuiltinShape::AsyncWait) {
    const Type* list = arguments[1]->type;
    if (!first->is_integer() || !list->is_pointer() || list->element != event) return refuse_arguments(e);
    return e;
  }
  const Type* source = arguments[1]->type;
  if (!first->is_pointer() || !source->is_pointer() || first->element != source->element ||
      !first->element->component()->is_arithmetic() || (first->pointee_qualifiers & Const))
    return refuse_arguments(e);
  bool to_local = first->space == AddressSpace::Local &&
                  (source->space == AddressSpace::Global || source->space == AddressSpace::Constant);
  bool from_local = first->space == AddressSpace::Global && source->space == AddressSpace::Local;
  if (!to_local && !from_local) return refuse_arguments(e);
  for (size_t i = 2; i + 1 < arguments.size(); ++i) {
    if (!arguments[i]->type->is_integer()) return refuse_arguments(e);
    arguments[i] = convert(arguments[i], types_.get(TypeKind::ULong));
  }
  if (arguments.back()->type != event && !is_null_constant(arguments.back())) return refuse_arguments(e);
  arguments.back() = convert(arguments.back(), event);
  e->type = event;
  return e;
}

// `__builtin_memcpy(to, from, size)`, likewise `memmove`, and `__builtin_memset(to, byte, size)`: pointers of
// any types and spaces.
Expr* Sema::call_bytes(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type *to = arguments[0]->type, *second = arguments[1]->type;
  const bool copies = e->builtin->shape == BuiltinShape::CopyBytes;
  if (!to->is_pointer() || !(copies ? second->is_pointer() : second->is_integer()) ||
      !arguments[2]->type->is_integer())
    return refuse_arguments(e);
  if (to->space == AddressSpace::Constant || (to->pointee_qualifiers & Const)) {
    diagnostics_.error(arguments[0]->range,
                       fmt::format("'{}' cannot write to '{}'", e->builtin->name, type_name(to)));
    return failed(e);
  }
  if (copies && second->space == AddressSpace::Constant && second->element != to->element &&
      holds_pointers(second->element)) {
    unsupported(arguments[1]->range, "copies of addresses in constant memory as bytes are");
    return failed(e);
  }
  if (!copies) arguments[1] = convert(arguments[1], types_.get(TypeKind::UChar));
  arguments[2] = convert(arguments[2], types_.get(TypeKind::ULong));
  beyond_standard(e->callee->range, fmt::format("'{}'", e->builtin->name));
  return e;
}

// Products of four bytes each, in a vector or packed in a number, and their sum. The forms with vectors are
// those with numbers, whose names say which operand is signed.
Expr* Sema::call_integer_dot(CallExpr* e) {
  std::span<Expr*> arguments = e->arguments;
  const Type *word = types_.get(TypeKind::UInt), *sum = word;
  auto is_signed = [](const Expr* a) { return a->type->element->kind == TypeKind::Char; };
  if (const std::string_view name = e->builtin->name; name.find("packed") == name.npos) {
    for (const Expr* a : arguments.first(2))
      if (!a->type->is_vector() || a->type->length != 4 || a->type->element->size() != 1)
        return refuse_arguments(e);
    const bool a = is_signed(arguments[0]), b = is_signed(arguments[1]);
    e->builtin = find_builtin(
        fmt::format("{}_4x8packed_{}{}_{}", name, a ? 's' : 'u', b ? 's' : 'u', a || b ? "int" : "uint"));
    for (Expr*& argument : arguments.first(2)) {
      CallExpr* bits = arena_.make<CallExpr>();
      bits->kind = ExprKind::Call;
      bits->call_kind = CallKind::Bitcast;
      bits->range = argument->range;
      bits->depth = argument->depth;
      bits->type = word;
      bits->arguments = arena_.copy(std::vector<Expr*>{argument});
      argument = bits;
    }
  }
  if (e->builtin->otherwise & 3) sum = types_.get(TypeKind::Int);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]->type->is_integer()) return refuse_arguments(e);
    arguments[i] = convert(arguments[i], i < 2 ? word : sum);
  }
  e->type = sum;
  beyond_standard(e->callee->range, fmt::format("'{}'", e->builtin->name));
  return e;
}

// `atomic_load(p)`, `atomic_fetch_add_explicit(p, x, order, scope)`, ...
Expr* Sema::call_atomic_object(CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  const bool compares = row.op == Op::atomic_cmpxchg;
  const auto values = static_cast<size_t>(row.parameters);
  const size_t orders = row.otherwise == 0 ? 0 : compares ? 2 : 1, given = e->arguments.size();
  const bool has_scope = orders > 0 && given == values + orders + 1;
  if (!check_count(e, values + orders + has_scope, NoRange)) return failed(e);
  if (std::ranges::any_of(e->arguments, &Type::is_error, &Expr::type)) return failed(e);
  const Type* pointer = e->arguments[0]->type;
  const Type* type = pointer->is_pointer() ? pointer->element : pointer;
  const bool moves = row.op == Op::store || row.op == Op::volatile_load || row.op == Op::volatile_store;
  const bool fits = (type->is_integer() && type->size() >= 4) || (moves && type->is_floating()) ||
                    (row.op == Op::atomic_xchg && type->kind == TypeKind::Float);
  if (!pointer->is_pointer() || !fits || (pointer->pointee_qualifiers & Const)) return refuse_arguments(e);
  if (pointer->space != AddressSpace::Global && pointer->space != AddressSpace::Local)
    return refuse_atomic_space(e);
  for (size_t i = 1; i < given; ++i) {
    const Type* wanted = i < values ? type : types_.get(TypeKind::Int);
    if (compares && i == 1) {
      const Type* expected = e->arguments[1]->type;
      bool writable = expected->is_pointer() && expected->space != AddressSpace::Constant &&
                      !(expected->pointee_qualifiers & Const);
      if (!writable || expected->element != type) return refuse_arguments(e);
    } else {
      e->arguments[i] = coerce(e->arguments[i], wanted, Use::Pass, e->arguments[i]->range);
      if (e->arguments[i]->type->is_error()) return failed(e);
    }
  }
  const bool stores = row.op == Op::store || row.op == Op::volatile_store;
  const bool answers = compares || row.id == Builtin::atomic_flag_test_and_set ||
                       row.id == Builtin::atomic_flag_test_and_set_explicit;
  e->type = stores ? types_.get(TypeKind::Void) : answers ? types_.get(TypeKind::Bool) : type;
  beyond_standard(e->callee->range, fmt::format("'{}'", row.name));
  return e;
}

Expr* Sema::refuse_atomic_space(CallExpr* e) {
  diagnostics_.error(e->arguments[0]->range,
                     fmt::format("'{}' needs a pointer to global or local memory, not '{}'", e->builtin->name,
                                 type_name(e->arguments[0]->type)));
  return failed(e);
}

Expr* Sema::call_atomic(CallExpr* e) {
  const Type* pointer = e->arguments[0]->type;
  if (!pointer->is_pointer()) return refuse_arguments(e, "the first argument is a pointer");
  const Type* type = pointer->element;
  bool integer = type->is_integer() && type->size() >= 4;
  bool exchanged_float = e->builtin->shape == BuiltinShape::AtomicExchange && type->kind == TypeKind::Float;
  if (!integer && !exchanged_float)
    return refuse_arguments(e,
                            "atomic operations are on integers of 32 and 64 bits, exchanges also on floats");
  if (pointer->space != AddressSpace::Global && pointer->space != AddressSpace::Local)
    return refuse_atomic_space(e);
  if (pointer->pointee_qualifiers & Const) return refuse_arguments(e);
  for (size_t i = 1; i < e->arguments.size(); ++i) {
    e->arguments[i] = coerce(e->arguments[i], type, Use::Pass, e->arguments[i]->range);
    if (e->arguments[i]->type->is_error()) return failed(e);
  }
  e->type = type;
  return e;
}

}  // namespace kc::front
