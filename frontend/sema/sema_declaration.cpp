// SPDX-License-Identifier: Apache-2.0
// Variables and typedefs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/lower/escapes.h"
#include "frontend/preprocess/keywords.h"
#include "frontend/sema/attributes.h"
#include "frontend/sema/constant_bits.h"
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
  if (q.type->is_error() || q.type->is_complete() || v->is_extern) return;
  if (q.type->lacks_length() && v->initializer) return;
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
  constexpr size_t kBody = 2;  // the scope of a function's parameters is that of its body
  if (scopes_.size() > kBody)
    beyond_standard(q.space_range, "a variable in local memory inside a nested block");
}

// The alignment of the object, or of objects of the type, if not that of the type.
uint32_t Sema::align_of(const VarDecl* v, const Qualified& q) {
  return std::max({q.align, requested_align(v->declarator->attributes), requested_align(v->specifiers)});
}

// `typedef float float4 __attribute__((ext_vector_type(4)))`; null without such an attribute.
const Type* Sema::vector_by_attribute(const VarDecl* v) {
  const Attribute* vector = nullptr;
  for (const SpecifierList& list : {v->specifiers, v->declarator->attributes})
    for (Specifier* s = list.first; s; s = s->next)
      for (const Attribute& a : s->attributes)
        if (plain_name(a.name) == "ext_vector_type" || plain_name(a.name) == "vector_size") vector = &a;
  if (!vector || v->type->is_error()) return nullptr;
  Expr* e =
      vector->arguments.size() == 1 ? vector->arguments[0] = check_value(vector->arguments[0]) : nullptr;
  if (e && e->type->is_error()) return e->type;
  int64_t n = e && e->is_constant ? e->constant : 0;
  bool number = v->type->is_arithmetic() && v->type->kind != TypeKind::Bool;
  if (number && plain_name(vector->name) == "vector_size") n = n % v->type->size() ? 0 : n / v->type->size();
  if (number && (n == 2 || n == 3 || n == 4 || n == 8 || n == 16))
    return types_.vector(v->type, static_cast<unsigned>(n));
  diagnostics_.error(vector->range, "there are vectors of 2, 3, 4, 8 and 16 numbers only");
  return types_.get(TypeKind::Error);
}

// The condition of a static assertion is an integer constant expression.
void Sema::check_static_assertion(VarDecl* v) {
  Expr* e = std::exchange(v->initializer, nullptr);
  StringExpr* message = as<StringExpr>(v->message);
  e = check_value(e);
  if (!read_text(message, arena_, diagnostics_) || e->type->is_error()) return;
  beyond_standard(v->range, "'_Static_assert'");
  if (!e->is_constant)
    diagnostics_.error(e->range, "expression is not an integer constant expression");
  else if (e->constant == 0)
    diagnostics_.error(e->range, fmt::format("static assertion failed{}{}", message->text.empty() ? "" : ": ",
                                             message->text));
}

// A variable whose type is that of its initializer.
bool Sema::deduce_type(VarDecl* v, Qualified& q) {
  Specifier* word = nullptr;
  for (Specifier* s = v->specifiers.first; s; s = s->next)
    if (s->kind == SpecifierKind::Word && static_cast<TypeWord>(s->value) == TypeWord::Deduced) word = s;
  if (!word || !v->initializer || v->declarator->parts || v->is_typedef) return false;
  beyond_standard(word->range, word->name.empty() ? "'__auto_type'" : "'?:' without a second operand");
  v->initializer = check_value(v->initializer);
  if (v->initializer->type->is_array()) v->initializer = failed(v->initializer);
  q.type = v->initializer->type;
  for (Specifier* s = v->specifiers.first; s; s = s->next)
    if (s->kind == SpecifierKind::Qualifier) q.qualifiers |= s->value & ~Restrict;
  return true;
}

void Sema::declare_typedef(VarDecl* v, const Qualified& q) {
  v->type = q.type;
  v->qualifiers = q.qualifiers;
  v->has_space = q.space.has_value();
  v->space = q.space.value_or(AddressSpace::Private);
  v->align = align_of(v, q);
  if (const Type* vector = vector_by_attribute(v)) v->type = vector;
  if (q.type->is_record() && q.type->record->name.empty()) types_.edit(q.type).name = v->name;
  if (v->initializer) diagnostics_.error(v->initializer->range, "a typedef cannot have an initializer");
  if (const KeywordRow* word = find_keyword(v->name)) {
    const auto known = kind_of_word(static_cast<TypeWord>(word->value));
    v->used = true;  // as the word, which is another token
    if ((!known || types_.get(*known) != v->type) && !v->type->is_error())
      diagnostics_.error(v->range,
                         fmt::format("'{}' is a type of the language, which no typedef can change", v->name));
    return;
  }
  Symbol* old = find(v->name);
  bool same = old && old->variable && old->variable->is_typedef && old->variable->type == v->type &&
              old->variable->scope_depth == scopes_.size();
  if (!same) declare(v->name, v->range, {v, nullptr});
}

// `struct pair { ... };` and the like declare a type; any other declaration without a name is an error.
void Sema::declare_nothing(VarDecl* v) {
  bool declares = false, is_typedef = false;
  for (Specifier* s = v->specifiers.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Record) declares |= s->record->has_body || !s->record->tag.empty();
    if (s->kind == SpecifierKind::Enum) declares = true;
    is_typedef |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Typedef;
    bool unknown = s->kind == SpecifierKind::Word && static_cast<TypeWord>(s->value) == TypeWord::Unsupported;
    declares |= unknown && s->name.empty();  // already reported
  }
  Qualified q;
  if (declares || is_typedef) q = resolve_specifiers(v->specifiers, v->range);
  if (!declares && !(is_typedef && q.type->is_error()))
    diagnostics_.warning(Warning::MissingDeclarations, v->range, "declaration does not declare anything");
}

// A static variable of a function is one that does not change: it becomes one in constant memory.
void Sema::check_static_local(VarDecl* v, Qualified& q, SourceRange word) {
  if (!q.space && (q.qualifiers & Const) && v->initializer) {
    beyond_standard(word, "a static variable inside a function");
    q.space = AddressSpace::Constant;
    q.space_range = word;
  }
  if (q.space != AddressSpace::Constant)
    diagnostics_.error(word,
                       "a variable inside a function can be 'static' only if it is 'const' and initialized");
}

void Sema::declare_local(VarDecl* v) {
  if (v->message) return check_static_assertion(v);
  if (!v->declarator) return declare_nothing(v);
  Qualified q;
  bool deduced = deduce_type(v, q);
  const DeclaratorPart* last = last_part(v->declarator);
  bool is_function = last && last->kind == DeclaratorPart::Function;
  DeclaratorPart* end = is_function ? const_cast<DeclaratorPart*>(last) : nullptr;
  if (!deduced)
    q = resolve_declarator(resolve_specifiers(v->specifiers, v->range), v->declarator, end, false);
  for (Specifier* s = v->specifiers.first; s; s = s->next) {
    Storage storage = s->kind == SpecifierKind::Storage ? static_cast<Storage>(s->value) : Storage::None;
    if (storage == Storage::Static && !is_function) check_static_local(v, q, s->range);
    if (storage == Storage::Extern && !is_function)
      diagnostics_.error(s->range, "a variable inside a function cannot be 'extern'");
    if (s->kind == SpecifierKind::Kernel) diagnostics_.error(s->range, "'kernel' applies to functions only");
  }
  if (is_function && !v->is_typedef) return declare_prototype(v);
  if (v->is_typedef) return declare_typedef(v, q);
  check_object(v, q);
  check_space(v, q);
  v->align = align_of(v, q);
  declare(v->name, v->range, {v, nullptr});
  add_local(v);
  if (v->initializer && !deduced) check_initializer(v);
  if (v->initializer && v->space == AddressSpace::Constant) evaluate_constant(v);
  if (v->initializer && (v->qualifiers & (Const | Volatile)) == Const && v->type->is_arithmetic())
    v->bits = constant_bits(v->initializer);
}

// Nothing of the variable remains.
void Sema::declare_prototype(VarDecl* v) {
  FunctionDecl* f = arena_.make<FunctionDecl>();
  f->name = v->name;
  f->range = v->range;
  f->specifiers = v->specifiers;
  f->declarator = v->declarator;
  v->name = {};
  v->declarator = nullptr;
  declare_function(f);
}

// Whether a constant is declared a second time, by `extern`, or defined after such a declaration.
bool Sema::declared_before(VarDecl* v) {
  Symbol* symbol = find(v->name);
  VarDecl* old = symbol ? symbol->variable : nullptr;
  if (!old || old->is_typedef || old->is_constant || (!v->is_extern && !old->is_extern)) return false;
  if (!v->is_extern && old->definition) return false;  // a second definition
  if (!same_layout(old->type, v->type))
    diagnostics_.error(v->range, fmt::format("conflicting types for '{}'", v->name))
        .note(old->range, "previous declaration is here");
  if (v->is_extern) {
    v->definition = old->is_extern ? old->definition : old;
  } else {
    old->definition = v;
    v->scope_depth = old->scope_depth;
    symbol->variable = v;
  }
  return true;
}

void Sema::declare_global(VarDecl* v) {
  if (v->message) return check_static_assertion(v);
  if (!v->declarator) return declare_nothing(v);
  const DeclaratorPart* last = last_part(v->declarator);
  if (last && last->kind == DeclaratorPart::Function && !v->is_typedef) return declare_prototype(v);
  Qualified q =
      resolve_declarator(resolve_specifiers(v->specifiers, v->range), v->declarator, nullptr, false);
  if (v->is_typedef) return declare_typedef(v, q);
  for (Specifier* s = v->specifiers.first; s && !v->initializer; s = s->next)
    v->is_extern |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Extern;
  check_object(v, q);
  v->align = align_of(v, q);
  if (v->type->is_error()) {
  } else if (v->space == AddressSpace::Constant) {
    if (!v->initializer && !v->is_extern) {
      diagnostics_.error(v->range, "a variable in constant memory must have an initializer");
      v->type = types_.get(TypeKind::Error);
    }
  } else {
    const Type* pointer = v->type;
    while (pointer->is_array()) pointer = pointer->element;
    const bool leads_there = pointer->is_pointer() && pointer->space == AddressSpace::Constant;
    const bool is_writable = q.space == AddressSpace::Global && !leads_there;
    Diagnostic& d = diagnostics_.error(
        v->range,
        is_writable ? "variables in global memory outside functions (OpenCL C 2.0) are not part of this "
                      "version of the "
                      "language; pass a buffer to the kernel"
        : leads_there
            ? "a pointer outside functions must itself be in constant memory; it needs the word "
              "'constant' after the '*', too"
            : "a variable outside functions must be in constant memory; it needs the word 'constant'");
    bool was_meant = !q.space && (q.qualifiers & Const) && v->initializer && !q.type->is_pointer();
    if (was_meant) d.insert(v->specifiers.first->range.begin, "constant ");
    v->type = types_.get(TypeKind::Error);
  }
  const bool is_new = !declared_before(v) && declare(v->name, v->range, {v, nullptr});
  if (is_new && v->is_extern && !v->type->is_error()) externs_.push_back(v);
  if (!v->initializer) return;
  check_initializer(v);
  if (v->space == AddressSpace::Constant) evaluate_constant(v);
  if (v->type->is_arithmetic()) v->bits = constant_bits(v->initializer);
}

}  // namespace kc::front
