// SPDX-License-Identifier: Apache-2.0
// Types from specifiers and declarators; variables and typedefs.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/keywords.h"
#include "frontend/sema.h"

namespace kc::front {

namespace {

// How often each word of C's composite types occurs.
struct WordCounts {
  int count[static_cast<int>(TypeWord::Unsupported) + 1] = {};
  int& operator[](TypeWord w) { return count[static_cast<int>(w)]; }
};

std::string unsupported_type_message(std::string_view name) {
  if (is_vector_type_name(name)) return fmt::format("vector types ('{}') are", name);
  bool access = name.ends_with("read_only") || name.ends_with("write_only") || name.ends_with("read_write");
  if (name.starts_with("image") || name == "sampler_t" || access)
    return fmt::format("images and samplers ('{}') are", name);
  if (name == "pipe") return "pipes are";
  if (name == "event_t") return "asynchronous copies ('event_t') are";
  return fmt::format("the type '{}' is", name);
}

}  // namespace

const Type* Sema::scalar_from_words(const SpecifierList& list, SourceRange where) {
  WordCounts n;
  const Type* named = nullptr;
  int words = 0;
  SourceRange last = where;
  for (Specifier* s = list.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Typedef) {
      Symbol* symbol = find(s->name);
      named = symbol && symbol->variable && symbol->variable->is_typedef ? symbol->variable->type
                                                                         : types_.get(TypeKind::Error);
      if (symbol && symbol->variable) symbol->variable->used = true;
      last = s->range;
    }
    if (s->kind != SpecifierKind::Word) continue;
    TypeWord word = static_cast<TypeWord>(s->value);
    if (word == TypeWord::Unsupported) {
      if (!s->name.empty()) unsupported(s->range, unsupported_type_message(s->name));
      return types_.get(TypeKind::Error);
    }
    ++n[word];
    ++words;
    last = s->range;
  }
  auto bad = [&](std::string_view text) {
    diagnostics_.error(last, std::string(text));
    return types_.get(TypeKind::Error);
  };
  if (named && words == 0) return named;
  if (named) return bad("a typedef name cannot be combined with other type words");
  if (words == 0) return bad("a type is missing here; an implicit 'int' is not allowed");
  int is_unsigned = n[TypeWord::Unsigned], is_signed = n[TypeWord::Signed], longs = n[TypeWord::Long];
  if (is_unsigned + is_signed > 1) return bad("conflicting or repeated 'signed' and 'unsigned'");
  int sign_words = is_unsigned + is_signed;
  auto pick = [&](TypeKind if_signed, TypeKind if_unsigned) {
    return types_.get(is_unsigned ? if_unsigned : if_signed);
  };
  int rest = words - sign_words - n[TypeWord::Int];
  if (rest == 0 && n[TypeWord::Int] <= 1) return pick(TypeKind::Int, TypeKind::UInt);
  if (longs > 1) return bad("'long long' is not a type of this language; 'long' has 64 bits");
  if (rest == 1 && longs == 1 && n[TypeWord::Int] <= 1) return pick(TypeKind::Long, TypeKind::ULong);
  if (rest == 1 && n[TypeWord::Short] == 1 && n[TypeWord::Int] <= 1)
    return pick(TypeKind::Short, TypeKind::UShort);
  if (rest == 1 && n[TypeWord::Char] == 1 && n[TypeWord::Int] == 0)
    return pick(TypeKind::Char, TypeKind::UChar);
  static constexpr std::pair<TypeWord, TypeKind> Alone[] = {
      {TypeWord::Void, TypeKind::Void},   {TypeWord::Bool, TypeKind::Bool},
      {TypeWord::Float, TypeKind::Float}, {TypeWord::Double, TypeKind::Double},
      {TypeWord::UChar, TypeKind::UChar}, {TypeWord::UShort, TypeKind::UShort},
      {TypeWord::UInt, TypeKind::UInt},   {TypeWord::ULong, TypeKind::ULong},
      {TypeWord::Size, TypeKind::ULong},  {TypeWord::Ptrdiff, TypeKind::Long}};
  if (words == 1)
    for (auto [word, kind] : Alone)
      if (n[word]) return types_.get(kind);
  return bad("these type words cannot be combined");
}

Sema::Qualified Sema::resolve_specifiers(const SpecifierList& list, SourceRange where) {
  Qualified q;
  q.type = scalar_from_words(list, where);
  for (Specifier* s = list.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Qualifier) q.qualifiers |= s->value;
    if (s->kind != SpecifierKind::Space) continue;
    if (q.space && *q.space != static_cast<AddressSpace>(s->value))
      diagnostics_.error(s->range, "multiple address spaces for one type");
    q.space = static_cast<AddressSpace>(s->value);
    q.space_range = s->range;
  }
  if (q.qualifiers & Restrict) q.qualifiers &= ~Restrict;  // means nothing here; pointers carry it
  return q;
}

// A pointer to what `base` describes.
Sema::Qualified Sema::pointer_to(Qualified base, const SpecifierList& qualifiers, SourceRange range) {
  Qualified q;
  AddressSpace space = base.space.value_or(AddressSpace::Private);
  q.type = base.type;
  if (!base.type->is_error()) {
    if (space == AddressSpace::Private || space == AddressSpace::Local) {
      unsupported(range, fmt::format("pointers to {} memory are", address_space_name(space)));
      q.type = types_.get(TypeKind::Error);
    } else {
      uint8_t pointee = base.qualifiers | (space == AddressSpace::Constant ? Const : 0);
      q.type = types_.pointer(base.type, space, pointee);
    }
  }
  for (Specifier* s = qualifiers.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Qualifier) q.qualifiers |= s->value;
    if (s->kind == SpecifierKind::Space)
      q.space = static_cast<AddressSpace>(s->value), q.space_range = s->range;
  }
  return q;
}

// Applies the declarator's parts up to `end`.
Sema::Qualified Sema::resolve_declarator(Qualified q, const Declarator* d, DeclaratorPart* end,
                                         bool is_parameter) {
  for (DeclaratorPart* part = d->parts; part != end; part = part->next) {
    bool outermost = part->next == end;
    if (part->kind == DeclaratorPart::Pointer ||
        (part->kind == DeclaratorPart::Array && is_parameter && outermost)) {
      q = pointer_to(q, part->qualifiers, part->range);
      continue;
    }
    bool error = q.type->is_error();
    if (!error)
      unsupported(part->range, part->kind == DeclaratorPart::Array ? "arrays are" : "function pointers are");
    return {types_.get(TypeKind::Error), 0, std::nullopt, {}};
  }
  return q;
}

const Type* Sema::resolve_type_name(TypeName* name) {
  Qualified q = resolve_specifiers(name->specifiers, name->range);
  return resolve_declarator(q, name->declarator, nullptr, false).type;
}

// What any named object must satisfy.
void Sema::check_object(VarDecl* v, const Qualified& q) {
  v->type = q.type;
  v->qualifiers = q.qualifiers;
  if (q.type->is_error()) return;
  if (q.space && *q.space != AddressSpace::Private) {
    unsupported(q.space_range, fmt::format("variables in {} memory are", address_space_name(*q.space)));
    v->type = types_.get(TypeKind::Error);
  } else if (q.type->is_void()) {
    diagnostics_.error(v->range, "variable has incomplete type 'void'");
    v->type = types_.get(TypeKind::Error);
  }
}

void Sema::declare_local(VarDecl* v) {
  Qualified q = resolve_specifiers(v->specifiers, v->range);
  DeclaratorPart* last = v->declarator->parts;
  while (last && last->next) last = last->next;
  bool is_function = last && last->kind == DeclaratorPart::Function;
  q = resolve_declarator(q, v->declarator, is_function ? last : nullptr, false);
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
  if (v->is_typedef) {
    v->type = q.type;
    declare(v->name, v->range, {v, nullptr});
    if (v->initializer) diagnostics_.error(v->initializer->range, "a typedef cannot have an initializer");
    return;
  }
  check_object(v, q);
  declare(v->name, v->range, {v, nullptr});
  add_local(v);
  if (!v->initializer) return;
  if (v->initializer->kind == ExprKind::InitList) {
    InitListExpr* list = as<InitListExpr>(v->initializer);
    if (list->items.size() == 1 && v->type->is_scalar() && list->items[0]->kind != ExprKind::InitList) {
      v->initializer = list->items[0];
    } else {
      if (!v->type->is_error()) unsupported(list->range, "initializer lists are");
      v->initializer = nullptr;
      return;
    }
  }
  v->initializer = coerce(check_value(v->initializer), v->type, Use::Initialize, v->range);
}

void Sema::declare_global(VarDecl* v) {
  DeclaratorPart* last = v->declarator->parts;
  while (last && last->next) last = last->next;
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
  v->type = q.type;
  if (!v->is_typedef) {
    if (!q.type->is_error()) unsupported(v->range, "variables outside functions are");
    v->type = types_.get(TypeKind::Error);
  }
  Symbol* old = find(v->name);
  bool same_typedef =
      old && v->is_typedef && old->variable && old->variable->is_typedef && old->variable->type == v->type;
  if (!same_typedef) declare(v->name, v->range, {v, nullptr});
}

}  // namespace kc::front
