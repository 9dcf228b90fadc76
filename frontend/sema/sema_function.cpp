// SPDX-License-Identifier: Apache-2.0
// Function declarations: signatures, attributes, redeclarations, recursion.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/attributes.h"
#include "frontend/sema/sema.h"
#include "frontend/source/nearest_name.h"

namespace kc::front {

namespace {

constexpr uint64_t MaxParameterBytes = 1024;

}  // namespace

void Sema::declare_function(FunctionDecl* f) {
  check_specifiers(f);
  DeclaratorPart* part = f->declarator->parts;
  while (part && part->next) part = part->next;
  f->return_type = types_.get(TypeKind::Error);
  if (!part || part->kind != DeclaratorPart::Function) {
    diagnostics_.error(f->range, "expected ';' after top level declarator; only a function has a body");
    return;
  }
  Qualified q = resolve_declarator(resolve_specifiers(f->specifiers, f->range), f->declarator, part, false);
  f->return_type = q.type;
  if (q.type->is_array() || (f->body && !q.type->is_void() && !q.type->is_complete())) {
    diagnostics_.error(f->range, fmt::format("a function cannot return the {}type '{}'",
                                             q.type->is_array() ? "" : "incomplete ", type_name(q.type)));
    f->return_type = types_.get(TypeKind::Error);
  }
  if (q.space && !q.type->is_error())
    diagnostics_.error(q.space_range, "a return type cannot have an address space");
  declare_parameters(f, part);
  if (f->is_kernel && !f->return_type->is_void() && !f->return_type->is_error())
    diagnostics_.error(f->range, "kernel must have void return type");
  Symbol* old = find(f->name);
  FunctionDecl* first = old ? old->function : nullptr;
  FunctionDecl* same = first ? declared_before(first, f) : nullptr;
  merge_inlining(same ? same : f, f);
  if (same) {
    merge_function(same, f);
  } else if (first) {
    while (first->next_overload) first = first->next_overload;
    first->next_overload = f;
    if (f->body) f->definition = f;
  } else if (declare(f->name, f->range, {nullptr, f}) && f->body)
    f->definition = f;
}

void Sema::declare_parameters(FunctionDecl* f, DeclaratorPart* part) {
  std::vector<VarDecl*> parameters;
  bool only_void = part->parameters.size() == 1 && !part->parameters[0]->declarator->parts &&
                   part->parameters[0]->declarator->name.empty() &&
                   resolve_type_name(part->parameters[0])->is_void();
  for (TypeName* name : part->parameters) {
    if (only_void) break;
    VarDecl* p = arena_.make<VarDecl>();
    p->name = name->declarator->name;
    p->range = p->name.empty() ? name->range : name->declarator->range;
    p->index = f->variables++;
    Qualified q = resolve_declarator(resolve_specifiers(name->specifiers, name->range), name->declarator,
                                     nullptr, true);
    check_object(p, q);
    if (p->space != AddressSpace::Private && !p->type->is_error()) {
      diagnostics_.error(q.space_range,
                         fmt::format("a parameter cannot be in {} memory; only what it points to can",
                                     address_space_name(p->space)));
      p->type = types_.get(TypeKind::Error);
    }
    if (f->body && p->name.empty()) beyond_standard(name->range, "a parameter without a name");
    if (f->is_kernel) check_kernel_parameter(p, name->specifiers);
    parameters.push_back(p);
  }
  f->parameters = arena_.copy(parameters);
}

void Sema::check_kernel_parameter(VarDecl* p, const SpecifierList& specifiers) {
  if (p->type->kind == TypeKind::Bool)
    diagnostics_.error(p->range, "'bool' cannot be used as the type of a kernel parameter");
  if (p->type->kind == TypeKind::Event)
    diagnostics_.error(p->range, "'event_t' cannot be used as the type of a kernel parameter");
  if (p->type->is_record() && p->type->size() > MaxParameterBytes)
    diagnostics_.error(p->range, fmt::format("a kernel parameter of {} bytes; the limit is {}",
                                             p->type->size(), MaxParameterBytes));
  else if (p->type->is_record() && holds_pointers(p->type))
    diagnostics_.error(p->range,
                       fmt::format("a kernel parameter cannot hold pointers ('{}')", type_name(p->type)));
  for (const Specifier* s = specifiers.first; s && !p->type->is_pointer(); s = s->next) {
    const bool word = s->kind == SpecifierKind::Word;
    if (word && (s->value == static_cast<uint8_t>(TypeWord::Size) ||
                 s->value == static_cast<uint8_t>(TypeWord::Ptrdiff)))
      beyond_standard(s->range, "a kernel parameter whose size is that of a pointer");
  }
  if (!p->type->is_pointer()) return;
  if (p->type->element->is_pointer())
    diagnostics_.error(p->range, "a kernel parameter cannot be a pointer to a pointer");
  else if (p->type->space == AddressSpace::Private)
    diagnostics_.error(p->range,
                       fmt::format("a kernel parameter cannot point to private memory ('{}'); write "
                                   "'global', 'constant' or 'local'",
                                   type_name(p->type)));
}

void Sema::check_specifiers(FunctionDecl* f) {
  bool is_static = false, is_extern = false, is_inline = false;
  auto attributes_of = [&](const SpecifierList& list) {
    for (Specifier* s = list.first; s; s = s->next) {
      if (s->kind == SpecifierKind::Kernel) f->is_kernel = true;
      is_static |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Static;
      is_extern |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Extern;
      is_inline |= s->kind == SpecifierKind::Inline;
      for (const Attribute& a : s->attributes) check_attribute(f, a);
      if (s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Typedef)
        diagnostics_.error(s->range, "a function definition cannot be a typedef");
    }
  };
  attributes_of(f->specifiers);
  attributes_of(f->declarator->attributes);
  f->is_internal = is_static || (is_inline && !is_extern);
}

void Sema::check_attribute(FunctionDecl* f, const Attribute& a) {
  std::string_view name = plain_name(a.name);
  const std::span<const std::string_view> known = function_attributes();
  if (name == "reqd_work_group_size") return check_reqd_size(f, a);
  if (name == "reqd_sub_group_size" || name == "intel_reqd_sub_group_size") return check_sub_group_size(f, a);
  if (name == "always_inline") f->always_inline = true;
  if (name == "shared_region") f->shared_region = true;
  if (name == "overloadable") f->overloadable = true;
  if (name == "shared_region" && !a.arguments.empty())
    diagnostics_.error(a.range, "'shared_region' attribute takes no arguments");
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  diagnostics_.warning(Warning::UnknownAttributes, a.range,
                       fmt::format("unknown attribute '{}' ignored{}", a.name,
                                   did_you_mean(nearest_name(name, {known.begin(), known.end()}))));
}

// Attributes of any declaration apply to the definition. Mutually exclusive attributes may be on different
// declarations.
void Sema::merge_inlining(FunctionDecl* old, FunctionDecl* f) {
  bool had_problem = old != f && inlining_conflict(old);
  for (FunctionDecl* other : {old, old->definition}) {
    if (!other) continue;
    f->always_inline |= other->always_inline;
    f->shared_region |= other->shared_region;
  }
  for (FunctionDecl* other : {old, old->definition}) {
    if (!other) continue;
    other->always_inline = f->always_inline;
    other->shared_region = f->shared_region;
  }
  if (const char* what = inlining_conflict(f); what && !had_problem)
    diagnostics_.error(f->range,
                       fmt::format("{} '{}' cannot have the attribute 'shared_region'", what, f->name));
}

const char* Sema::inlining_conflict(const FunctionDecl* f) {
  if (!f->shared_region) return nullptr;
  return f->is_kernel ? "kernel" : f->always_inline ? "'always_inline' function" : nullptr;
}

void Sema::check_reqd_size(FunctionDecl* f, const Attribute& a) {
  if (a.arguments.size() != 3) {
    diagnostics_.error(a.range, "'reqd_work_group_size' attribute requires exactly 3 arguments");
    return;
  }
  for (int i = 0; i < 3; ++i) {
    Expr* e = a.arguments[i] = check_value(a.arguments[i]);
    if (e->type->is_error()) return;
    if (!e->is_constant || e->constant < 1 || e->constant > 1 << 20) {
      diagnostics_.error(e->range, "'reqd_work_group_size' requires positive integer constants");
      return;
    }
    f->reqd_size[i] = static_cast<uint32_t>(e->constant);
  }
  f->has_reqd_size = true;
}

void Sema::check_sub_group_size(FunctionDecl* f, const Attribute& a) {
  if (a.arguments.size() != 1) {
    diagnostics_.error(a.range, fmt::format("'{}' attribute requires exactly 1 argument", a.name));
    return;
  }
  Expr* e = a.arguments[0] = check_value(a.arguments[0]);
  if (e->type->is_error()) return;
  bool known =
      e->is_constant && (e->constant == 8 || e->constant == 16 || e->constant == 32 || e->constant == 64);
  if (!known) {
    diagnostics_.error(e->range, fmt::format("'{}' requires 8, 16, 32 or 64", a.name));
    return;
  }
  f->reqd_sub_group = static_cast<uint32_t>(e->constant);
}

// The function among those of a name that `f` declares again. Null if it is another one: it has other
// parameters, and the attribute `overloadable` is present.
FunctionDecl* Sema::declared_before(FunctionDecl* first, const FunctionDecl* f) {
  bool overloaded = f->overloadable;
  for (FunctionDecl* old = first; old; old = old->next_overload) {
    overloaded |= old->overloadable;
    if (std::ranges::equal(old->parameters, f->parameters, {}, &VarDecl::type, &VarDecl::type)) return old;
  }
  if (!overloaded || f->is_kernel || first->is_kernel) return first;
  beyond_standard(f->range, "'overloadable'");
  return nullptr;
}

void Sema::merge_function(FunctionDecl* old, FunctionDecl* f) {
  old->is_internal = f->is_internal = old->is_internal || f->is_internal;
  bool same = old->return_type == f->return_type && old->parameters.size() == f->parameters.size();
  bool broken = old->return_type->is_error() || f->return_type->is_error();
  for (size_t i = 0; same && i < f->parameters.size(); ++i) {
    same = old->parameters[i]->type == f->parameters[i]->type;
    broken |= old->parameters[i]->type->is_error() || f->parameters[i]->type->is_error();
  }
  if (!same && !broken) {
    diagnostics_.error(f->range, fmt::format("conflicting types for '{}'", f->name))
        .note(old->range, "previous declaration is here");
  } else if (old->definition && f->body) {
    diagnostics_.error(f->range, fmt::format("redefinition of '{}'", f->name))
        .note(old->definition->range, "previous definition is here");
  } else if (f->body) {
    old->definition = f;
    f->definition = f;
    f->is_kernel |= old->is_kernel;
  }
}

// Walks the calls depth-first with an explicit stack. The error is at the call that closes a cycle.
void check_recursion(std::span<FunctionDecl* const> definitions, const Calls& calls,
                     Diagnostics& diagnostics) {
  const std::vector<Call> none;
  auto calls_of = [&](FunctionDecl* f) -> const std::vector<Call>& {
    auto found = calls.find(f);
    return found == calls.end() ? none : found->second;
  };
  enum State { New, Open, Done };
  std::map<FunctionDecl*, State> state;
  struct Frame {
    FunctionDecl* function;
    size_t next = 0;
  };
  for (FunctionDecl* root : definitions) {
    if (state[root] != New) continue;
    std::vector<Frame> path{{root}};
    state[root] = Open;
    while (!path.empty()) {
      Frame& top = path.back();
      const std::vector<Call>& inside = calls_of(top.function);
      if (top.next == inside.size()) {
        state[top.function] = Done;
        path.pop_back();
        continue;
      }
      const Call& call = inside[top.next++];
      FunctionDecl* callee = call.callee->definition;
      if (!callee || state[callee] == Done) continue;
      if (state[callee] == New) {
        state[callee] = Open;
        path.push_back({callee});
        continue;
      }
      size_t start = 0;
      while (path[start].function != callee) ++start;
      std::string cycle = fmt::format("'{}'", callee->name);
      for (size_t i = start + 1; i < path.size() && i < start + 8; ++i)
        cycle += fmt::format(" calls '{}', which", path[i].function->name);
      diagnostics
          .error(call.range, fmt::format("recursion is not allowed: {} calls '{}'", cycle, callee->name))
          .note(callee->range, fmt::format("'{}' is defined here", callee->name));
      state[callee] = Done;  // one error per cycle
    }
  }
}

}  // namespace kc::front
