// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/sema/builtins.h"
#include "frontend/sema/sema.h"

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
  return call_builtin_named(e, name);
}

// A call of a function that the language defines.
Expr* Sema::call_builtin_named(CallExpr* e, std::string_view name) {
  const SourceRange where = e->callee->range;
  if (const BuiltinRow* row = find_builtin(name)) return bind_prelude(call_builtin(e, row));
  if (std::optional<Conversion> conversion = find_conversion(name)) return call_conversion(e, *conversion);
  if (std::optional<TypeShape> to = find_reinterpretation(name))
    return call_reinterpretation(e, type_of(*to));
  if (std::optional<VectorAccess> access = find_vector_access(name)) return call_access(e, *access);
  if (name.starts_with("__builtin_"))
    if (Expr* known = call_gnu_builtin(e, name.substr(10))) return known;
  if (report_missing_feature(where, name)) return failed(e);
  if (is_unsupported_builtin(name))
    unsupported(where, fmt::format("the built-in function '{}' is", name));
  else if (!tainted_.contains(name))
    undeclared("function", name, where, visible_names(true));
  return failed(e);
}

// `__builtin_NAME` is the function NAME of the language, whatever a declaration with that name is. A function
// on numbers takes doubles, as in C; with an `f` after its name it takes floats. Null if there is none.
Expr* Sema::call_gnu_builtin(CallExpr* e, std::string_view name) {
  const BuiltinRow* row = find_builtin(name);
  const BuiltinRow* single =
      row || !name.ends_with('f') ? nullptr : find_builtin(name.substr(0, name.size() - 1));
  const BuiltinRow* real = single ? single : row;
  if (!real || real->shape < BuiltinShape::Float)
    return row || find_conversion(name) || find_reinterpretation(name) ? call_builtin_named(e, name)
                                                                       : nullptr;
  const Type* type = types_.get(single ? TypeKind::Float : TypeKind::Double);
  for (size_t i = 0; i < e->arguments.size(); ++i)
    if (Expr*& a = e->arguments[i];
        a->type->is_arithmetic() && !(real->shape == BuiltinShape::Scale && i > 0))
      a = convert(a, type);
  return bind_prelude(call_builtin(e, real));
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

}  // namespace kc::front
