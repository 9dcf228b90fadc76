// SPDX-License-Identifier: Apache-2.0
// Variables and typedefs.
#include <fmt/format.h>

#include "frontend/sema/sema.h"

namespace kc::front {

namespace {

const DeclaratorPart* last_part(const Declarator* d) {
  const DeclaratorPart* last = d->parts;
  while (last && last->next) last = last->next;
  return last;
}

}  // namespace

// Checks requirements for every named object. An array without a length gets it from its initializer.
void Sema::check_object(VarDecl* v, const Qualified& q) {
  v->type = q.type;
  v->qualifiers = q.qualifiers;
  v->space = q.space.value_or(AddressSpace::Private);
  if (v->space == AddressSpace::Constant) v->qualifiers |= Const;
  v->in_memory = q.type->parts() == 0 || v->space != AddressSpace::Private;
  if (q.type->kind == TypeKind::Half) {
    diagnostics_.error(v->range, "'half' is a type in memory only; no variable can have it");
    v->type = types_.get(TypeKind::Error);
  }
  if (q.type->is_error() || q.type->is_complete()) return;
  if (q.type->is_array() && q.type->length == 0 && v->initializer) return;
  if (q.type->is_array())
    diagnostics_.error(v->range, fmt::format("the size of array '{}' is missing", v->name));
  else if (!tainted_.contains(q.type->is_record() ? q.type->record->name : ""))
    diagnostics_.error(v->range, fmt::format("variable has incomplete type '{}'", type_name(q.type)));
  v->type = types_.get(TypeKind::Error);
}

// Checks the address space of a variable declared in a function.
void Sema::check_space(VarDecl* v, const Qualified& q) {
  auto refuse = [&](const std::string& text) {
    diagnostics_.error(q.space_range, text);
    v->type = types_.get(TypeKind::Error);
  };
  if (v->type->is_error() || !q.space || *q.space == AddressSpace::Private) return;
  if (*q.space == AddressSpace::Global)
    return refuse("a variable inside a function cannot be in global memory");
  if (*q.space == AddressSpace::Constant) {
    if (!v->initializer) refuse("a variable in constant memory must have an initializer");
    return;
  }
  if (!function_->is_kernel) return refuse("a variable in local memory can only be declared in a kernel");
  if (v->initializer) refuse("a variable in local memory cannot have an initializer");
}

void Sema::declare_typedef(VarDecl* v, const Qualified& q) {
  v->type = q.type;
  v->qualifiers = q.qualifiers;
  v->has_space = q.space.has_value();
  v->space = q.space.value_or(AddressSpace::Private);
  if (q.type->is_record() && q.type->record->name.empty()) types_.edit(q.type).name = v->name;
  if (v->initializer) diagnostics_.error(v->initializer->range, "a typedef cannot have an initializer");
  Symbol* old = find(v->name);
  bool same = old && old->variable && old->variable->is_typedef && old->variable->type == v->type &&
              old->variable->scope_depth == scopes_.size();
  if (!same) declare(v->name, v->range, {v, nullptr});
}

// `struct pair { ... };` and the like declare a type; any other declaration without a name is an error.
void Sema::declare_nothing(VarDecl* v) {
  bool declares = false;
  for (Specifier* s = v->specifiers.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Record) declares |= s->record->has_body || !s->record->tag.empty();
    if (s->kind == SpecifierKind::Enum) declares = true;
    bool unknown = s->kind == SpecifierKind::Word && static_cast<TypeWord>(s->value) == TypeWord::Unsupported;
    declares |= unknown && s->name.empty();  // already reported
  }
  if (declares)
    resolve_specifiers(v->specifiers, v->range);
  else
    diagnostics_.warning(Warning::MissingDeclarations, v->range, "declaration does not declare anything");
}

void Sema::declare_local(VarDecl* v) {
  if (!v->declarator) return declare_nothing(v);
  Qualified q = resolve_specifiers(v->specifiers, v->range);
  const DeclaratorPart* last = last_part(v->declarator);
  bool is_function = last && last->kind == DeclaratorPart::Function;
  q = resolve_declarator(q, v->declarator, is_function ? const_cast<DeclaratorPart*>(last) : nullptr, false);
  for (Specifier* s = v->specifiers.first; s; s = s->next) {
    Storage storage = s->kind == SpecifierKind::Storage ? static_cast<Storage>(s->value) : Storage::None;
    if (storage == Storage::Static || storage == Storage::Extern)
      diagnostics_.error(s->range, "a variable inside a function cannot be 'static' or 'extern'");
    if (s->kind == SpecifierKind::Kernel) diagnostics_.error(s->range, "'kernel' applies to functions only");
  }
  if (is_function) {
    unsupported(v->range, "function declarations inside functions are");
    return;
  }
  if (v->is_typedef) return declare_typedef(v, q);
  check_object(v, q);
  check_space(v, q);
  v->align = requested_align(v->declarator->attributes);
  declare(v->name, v->range, {v, nullptr});
  add_local(v);
  if (v->initializer) check_initializer(v);
  if (v->initializer && v->space == AddressSpace::Constant) evaluate_constant(v);
}

void Sema::declare_global(VarDecl* v) {
  if (!v->declarator) return declare_nothing(v);
  const DeclaratorPart* last = last_part(v->declarator);
  if (last && last->kind == DeclaratorPart::Function && !v->is_typedef) {
    FunctionDecl* f = arena_.make<FunctionDecl>();
    f->name = v->name;
    f->range = v->range;
    f->specifiers = v->specifiers;
    f->declarator = v->declarator;
    return declare_function(f);
  }
  Qualified q =
      resolve_declarator(resolve_specifiers(v->specifiers, v->range), v->declarator, nullptr, false);
  if (v->is_typedef) return declare_typedef(v, q);
  check_object(v, q);
  v->align = requested_align(v->declarator->attributes);
  if (v->type->is_error()) {
  } else if (v->space == AddressSpace::Constant) {
    if (!v->initializer) {
      diagnostics_.error(v->range, "a variable in constant memory must have an initializer");
      v->type = types_.get(TypeKind::Error);
    }
  } else {
    const Type* pointer = v->type;
    while (pointer->is_array()) pointer = pointer->element;
    const bool leads_there = pointer->is_pointer() && pointer->space == AddressSpace::Constant;
    Diagnostic& d = diagnostics_.error(
        v->range,
        leads_there
            ? "a pointer outside functions must itself be in constant memory; it needs the word "
              "'constant' after the '*', too"
            : "a variable outside functions must be in constant memory; it needs the word 'constant'");
    bool was_meant = !q.space && (q.qualifiers & Const) && v->initializer && !q.type->is_pointer();
    if (was_meant) d.insert(v->specifiers.first->range.begin, "constant ");
    v->type = types_.get(TypeKind::Error);
  }
  declare(v->name, v->range, {v, nullptr});
  if (!v->initializer) return;
  check_initializer(v);
  if (v->space == AddressSpace::Constant) evaluate_constant(v);
}

}  // namespace kc::front
