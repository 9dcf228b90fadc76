// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/builtins.h"
#include "frontend/sema.h"

namespace kc::front {

Expr* Sema::check_call(CallExpr* e) {
  for (Expr*& argument : e->arguments) argument = check_value(argument);
  if (e->callee->kind != ExprKind::Name) {
    e->callee = check(e->callee);
    if (!e->callee->type->is_error())
      diagnostics_.error(e->callee->range, fmt::format("called object type '{}' is not a function",
                                                       type_name(e->callee->type)));
    return failed(e);
  }
  NameExpr* callee = as<NameExpr>(e->callee);
  std::string_view name = callee->name;
  if (Symbol* symbol = find(name)) {
    if (symbol->function) return call_function(e, symbol->function);
    if (!symbol->variable->type->is_error())
      diagnostics_.error(callee->range, fmt::format("called object type '{}' is not a function",
                                                    type_name(symbol->variable->type)));
    return failed(e);
  }
  if (const BuiltinRow* row = find_builtin(name)) return call_builtin(e, row);
  TypeKind to{};
  if (is_conversion_name(name, "convert_", to)) return call_conversion(e, to, false);
  if (is_conversion_name(name, "as_", to)) return call_conversion(e, to, true);
  if (is_unsupported_builtin(name))
    unsupported(callee->range, fmt::format("the built-in function '{}' is", name));
  else if (!tainted_.contains(name))
    undeclared("function", name, callee->range, visible_names(true));
  return failed(e);
}

bool Sema::check_count(CallExpr* e, size_t expected, SourceRange declared) {
  size_t have = e->arguments.size();
  if (have == expected) return true;
  SourceRange where = have > expected
                          ? SourceRange{e->arguments[expected]->range.begin, e->arguments.back()->range.end}
                          : SourceRange{e->range.end - 1, e->range.end};
  if (where.end > e->range.end) where = e->range;
  Diagnostic& d =
      diagnostics_.error(where, fmt::format("too {} arguments to function call, expected {}, have {}",
                                            have > expected ? "many" : "few", expected, have));
  if (declared != NoRange) d.note(declared, fmt::format("'{}' declared here", as<NameExpr>(e->callee)->name));
  return false;
}

Expr* Sema::call_function(CallExpr* e, FunctionDecl* f) {
  e->call_kind = CallKind::Function;
  e->function = f;
  if (function_) calls_[function_].push_back({f, e->callee->range});
  if (!check_count(e, f->parameters.size(), f->range)) return failed(e);
  bool good = !f->return_type->is_error();
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    const Type* to = f->parameters[i]->type;
    e->arguments[i] = coerce(e->arguments[i], to, Use::Pass, e->arguments[i]->range, f->parameters[i]);
    good = good && !e->arguments[i]->type->is_error() && !to->is_error();
  }
  e->type = f->return_type;
  return good ? e : failed(e);
}

const Type* Sema::common_float(CallExpr* e) {
  const Type* type = types_.get(TypeKind::Float);
  for (Expr* a : e->arguments) {
    if (!a->type->is_arithmetic()) return nullptr;
    if (a->type->kind == TypeKind::Double) type = a->type;
  }
  return type;
}

// Mixed signedness is resolved by the usual conversions; narrow types stay narrow when all agree.
const Type* Sema::common_integer(CallExpr* e) {
  const Type* type = e->arguments[0]->type;
  for (Expr* a : e->arguments) {
    if (!a->type->is_integer()) return nullptr;
    if (a->type != type) type = common_type(type, a->type);
  }
  return type->kind == TypeKind::Bool ? types_.get(TypeKind::Int) : type;
}

void Sema::convert_arguments(CallExpr* e, const Type* to) {
  for (Expr*& a : e->arguments) a = convert(a, to);
}

Expr* Sema::call_builtin(CallExpr* e, const BuiltinRow* row) {
  e->call_kind = CallKind::Builtin;
  e->builtin = row;
  if (!check_count(e, row->parameters, NoRange)) return failed(e);
  for (Expr* a : e->arguments)
    if (a->type->is_error()) return failed(e);
  auto refuse = [&] {
    std::string types;
    for (Expr* a : e->arguments) types += (types.empty() ? "'" : ", '") + type_name(a->type) + "'";
    diagnostics_.error(e->callee->range,
                       fmt::format("no form of the built-in function '{}' takes {}", row->name, types));
    return failed(e);
  };
  const Type* operand = nullptr;
  switch (row->shape) {
    case BuiltinShape::WorkItem:
      if (!e->arguments[0]->type->is_arithmetic()) return refuse();
      convert_arguments(e, types_.get(TypeKind::UInt));
      e->type = types_.get(TypeKind::ULong);
      return e;
    case BuiltinShape::WorkDim:
      e->type = types_.get(TypeKind::UInt);
      return e;
    case BuiltinShape::Min:
    case BuiltinShape::Max:
    case BuiltinShape::Clamp:
      operand = common_integer(e);
      if (!operand) operand = common_float(e);
      break;
    case BuiltinShape::Integer:
    case BuiltinShape::Abs:
    case BuiltinShape::Multiply:
    case BuiltinShape::MultiplyAdd:
    case BuiltinShape::Rotate:
      operand = common_integer(e);
      break;
    case BuiltinShape::Float:
    case BuiltinShape::IsNan:
      operand = common_float(e);
      break;
  }
  if (!operand) return refuse();
  convert_arguments(e, operand);
  e->type = operand;
  if (row->shape == BuiltinShape::IsNan) e->type = types_.get(TypeKind::Int);
  if (row->shape == BuiltinShape::Abs && operand->is_signed())
    e->type = types_.get(static_cast<TypeKind>(static_cast<int>(operand->kind) + 1));
  return e;
}

Expr* Sema::call_conversion(CallExpr* e, TypeKind to, bool bitcast) {
  e->call_kind = bitcast ? CallKind::Bitcast : CallKind::Convert;
  e->type = types_.get(to);
  if (!check_count(e, 1, NoRange)) return failed(e);
  const Type* from = e->arguments[0]->type;
  if (from->is_error()) return failed(e);
  bool fits =
      from->is_arithmetic() && from->kind != TypeKind::Bool && (!bitcast || from->size() == e->type->size());
  if (fits) return e;
  diagnostics_.error(e->range, fmt::format("cannot {} '{}' as '{}'", bitcast ? "reinterpret" : "convert",
                                           type_name(from), type_name(e->type)));
  return failed(e);
}

}  // namespace kc::front
