// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

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
  if (e->to_type) return check_conversion(e, callee);
  std::string_view name = callee->name;
  if (Symbol* symbol = find(name)) {
    if (FunctionDecl* f = symbol->function) {
      if (f->next_overload && std::ranges::any_of(e->arguments, &Type::is_error, &Expr::type))
        return failed(e);
      if (f->next_overload || (f->overloadable && is_language_function(name))) f = choose_overload(e, f);
      if (!f && is_language_function(name)) return call_builtin_named(e, name);
      return f ? call_function(e, f) : refuse_overload(e, symbol->function);
    }
    if (!symbol->variable->type->is_error())
      diagnostics_.error(callee->range, fmt::format("called object type '{}' is not a function",
                                                    type_name(symbol->variable->type)));
    return failed(e);
  }
  return call_builtin_named(e, name);
}

// `__builtin_astype(x, unsigned int)` is `as_uint(x)`.
Expr* Sema::check_conversion(CallExpr* e, NameExpr* callee) {
  const Type* to = resolve_type_name(e->to_type);
  if (to->is_error()) return failed(e);
  callee->name = arena_.copy(fmt::format("{}{}", callee->name, type_name(to)));
  if (to->component()->is_arithmetic() &&
      (find_conversion(callee->name) || find_reinterpretation(callee->name)))
    return call_builtin_named(e, callee->name);
  diagnostics_.error(e->to_type->range,
                     fmt::format("a conversion to '{}'; it must be a number or a vector", type_name(to)));
  return failed(e);
}

// A call of a function that the language defines.
Expr* Sema::call_builtin_named(CallExpr* e, std::string_view name) {
  const SourceRange where = e->callee->range;
  if (const BuiltinRow* row = find_builtin(name)) return bind_prelude(call_builtin(e, row));
  if (std::optional<Conversion> conversion = find_conversion(name)) return call_conversion(e, *conversion);
  if (std::optional<TypeShape> to = find_reinterpretation(name))
    return call_reinterpretation(e, type_of(*to));
  if (std::optional<VectorAccess> access = find_vector_access(name)) return call_access(e, *access);
  if (name.starts_with("__kernelc_")) return call_builtin_named(e, name.substr(10));
  if (name.starts_with("__builtin_"))
    if (std::optional<GnuFunction> f = find_gnu_function(name)) return call_gnu_builtin(e, *f);
  if (report_missing_feature(where, name)) return failed(e);
  const bool missing = is_unsupported_builtin(name);
  std::vector<std::string_view> near = missing ? functions_near(name) : visible_names(true);
  if (missing && near.empty())
    unsupported(where, fmt::format("the built-in function '{}' is", name));
  else if (!tainted_.contains(name))
    undeclared("function", name, where, near);
  return failed(e);
}

// `__builtin_NAME` and `__builtin_NAMEf` are functions on doubles and on floats, as in C. The macros of the
// compiler itself have the others.
Expr* Sema::call_gnu_builtin(CallExpr* e, const GnuFunction& f) {
  const Type* type = types_.get(f.type);
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    bool exponent = f.row->shape == BuiltinShape::Scale && i > 0;
    if (e->arguments[i]->type->is_arithmetic() && !exponent) e->arguments[i] = convert(e->arguments[i], type);
  }
  return bind_prelude(call_builtin(e, f.row));
}

namespace {

// How far an argument is from a parameter; the worst fits no parameter.
enum class Fit : uint8_t { Exact, Qualified, Promoted, Converted, Widened, Other, None };

Fit fit_of(const Type* from, const Type* to, bool is_null) {
  if (from == to) return Fit::Exact;
  if (from->is_arithmetic() && to->is_arithmetic()) {
    bool integers = from->is_integer() && from->size() < 4 && to->kind == TypeKind::Int;
    return integers || (from->kind == TypeKind::Float && to->kind == TypeKind::Double) ? Fit::Promoted
                                                                                       : Fit::Converted;
  }
  if (from->is_arithmetic() && to->is_vector()) return Fit::Widened;
  if (to->is_pointer() && is_null) return Fit::Converted;
  if (!from->is_pointer() || !to->is_pointer() || from->space != to->space) return Fit::None;
  if (from->pointee_qualifiers & ~to->pointee_qualifiers) return Fit::Other;
  return from->element == to->element ? Fit::Qualified : to->element->is_void() ? Fit::Converted : Fit::Other;
}

}  // namespace

// The function that fits all arguments at least as well as any other one, and better than each in one of
// them. Null if none or several do.
FunctionDecl* Sema::choose_overload(CallExpr* e, FunctionDecl* first) {
  std::vector<std::pair<FunctionDecl*, std::vector<Fit>>> candidates;
  for (FunctionDecl* f = first; f; f = f->next_overload) {
    if (f->parameters.size() != e->arguments.size()) continue;
    std::vector<Fit> fits;
    for (size_t i = 0; i < f->parameters.size(); ++i)
      fits.push_back(
          fit_of(e->arguments[i]->type, f->parameters[i]->type, is_null_constant(e->arguments[i])));
    if (std::ranges::find(fits, Fit::None) == fits.end()) candidates.emplace_back(f, std::move(fits));
  }
  auto beats = [](const auto& a, const auto& b) {
    return a.second != b.second && std::ranges::equal(a.second, b.second, std::less_equal<>());
  };
  for (const auto& one : candidates)
    if (std::ranges::all_of(candidates, [&](const auto& o) { return &o == &one || beats(one, o); }))
      return one.first;
  return nullptr;
}

Expr* Sema::refuse_overload(CallExpr* e, const FunctionDecl* first) {
  std::string types;
  for (const Expr* a : e->arguments)
    types += (types.empty() ? "" : ", ") + fmt::format("'{}'", type_name(a->type));
  Diagnostic& d = diagnostics_.error(
      e->callee->range,
      fmt::format("no declaration of '{}' fits the arguments ({}) best", first->name, types));
  for (const FunctionDecl* f = first; f; f = f->next_overload) d.note(f->range, "this is one of them");
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

}  // namespace kc::front
