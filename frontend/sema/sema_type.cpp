// SPDX-License-Identifier: Apache-2.0
// Types from specifiers and declarators.
#include <fmt/format.h>

#include "frontend/preprocess/keywords.h"
#include "frontend/sema/attributes.h"
#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"
#include "frontend/source/other_dialect_hints.h"

namespace kc::front {

namespace {

// Counts the specifiers of C's multi-word types.
struct WordCounts {
  int count[static_cast<int>(TypeWord::Unsupported) + 1] = {};
  int& operator[](TypeWord w) { return count[static_cast<int>(w)]; }
};

std::string unsupported_type_message(std::string_view name) {
  if (is_unsupported_vector(name)) return fmt::format("vectors of these components ('{}') are", name);
  return fmt::format("the type '{}' is", name);
}

}  // namespace

const Type* Sema::type_of(const TypeShape& shape) {
  const Type* component = types_.get(shape.component);
  return shape.length > 1 ? types_.vector(component, shape.length) : component;
}

// The type that the specifiers name, by one keyword or a combination of keywords. resolve_specifiers handles
// the other specifiers.
const Type* Sema::type_from_words(const SpecifierList& list, SourceRange where) {
  WordCounts n;
  const Type* named = nullptr;
  int words = 0, names = 0;
  SourceRange last = where, after_body;  // the brace behind which a ';' is missing, if words follow
  TypeWord only = TypeWord::Unsupported;
  for (Specifier* s = list.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Typedef) {
      Symbol* symbol = find(s->name);
      bool known = symbol && symbol->variable && symbol->variable->is_typedef;
      std::optional<TypeShape> builtin = symbol ? std::nullopt : find_hidable_type(s->name);
      named = known ? symbol->variable->type : builtin ? type_of(*builtin) : types_.get(TypeKind::Error);
      if (known) symbol->variable->used = true;
    } else if (s->kind == SpecifierKind::Record) {
      named = resolve_record(s->record, s->next);
    } else if (s->kind == SpecifierKind::Enum) {
      named = resolve_enum(s->enumeration);
    } else if (s->kind == SpecifierKind::Typeof) {
      named = type_of_operand(s);
    } else if (s->kind == SpecifierKind::Word) {
      TypeWord word = static_cast<TypeWord>(s->value);
      if (word == TypeWord::Unsupported) {
        const bool pipe = s->next && s->next->name == "pipe";  // "read_only pipe"
        if (!s->name.empty() && !report_missing_feature(s->range, pipe ? s->next->name : s->name))
          unsupported(s->range, unsupported_type_message(s->name));
        return types_.get(TypeKind::Error);
      }
      only = word;
      ++n[word];
      ++words, --names;
    } else {
      continue;
    }
    ++names;
    last = s->range;
    if (after_body.end == 0 && ((s->kind == SpecifierKind::Record && s->record->has_body) ||
                                (s->kind == SpecifierKind::Enum && s->enumeration->has_body)))
      after_body = {s->range.end - 1, s->range.end};
  }
  auto bad = [&](std::string_view text) {
    diagnostics_.error(last, std::string(text));
    return types_.get(TypeKind::Error);
  };
  if (n[TypeWord::Deduced]) return bad("'__auto_type' needs a variable with an initializer");
  if (named && words == 0 && names == 1) return named;
  if (named && after_body.end != 0 && after_body.end != last.end) {
    diagnostics_.error(after_body, "expected ';' after this definition");
    return types_.get(TypeKind::Error);
  }
  if (named) return bad("a typedef name, struct, union or enum cannot be combined with other type words");
  if (words == 0) return bad("a type is missing here; an implicit 'int' is not allowed");
  int is_unsigned = n[TypeWord::Unsigned], is_signed = n[TypeWord::Signed], longs = n[TypeWord::Long];
  if (is_unsigned + is_signed > 1) return bad("conflicting or repeated 'signed' and 'unsigned'");
  int sign_words = is_unsigned + is_signed;
  auto pick = [&](TypeKind if_signed, TypeKind if_unsigned) {
    return types_.get(is_unsigned ? if_unsigned : if_signed);
  };
  int rest = words - sign_words - n[TypeWord::Int];
  if (rest == 0 && n[TypeWord::Int] <= 1) return pick(TypeKind::Int, TypeKind::UInt);
  if (longs && n[TypeWord::Double])
    return bad("'long double' is not a type of this language; 'double' has 64 bits");
  if (longs > 2) return bad("'long long long' is not a type");
  if (longs == 2) beyond_standard(last, "'long long'");
  if (longs > 0 && rest == longs && n[TypeWord::Int] <= 1) return pick(TypeKind::Long, TypeKind::ULong);
  if (rest == 1 && n[TypeWord::Short] == 1 && n[TypeWord::Int] <= 1)
    return pick(TypeKind::Short, TypeKind::UShort);
  if (rest == 1 && n[TypeWord::Char] == 1 && n[TypeWord::Int] == 0)
    return pick(TypeKind::Char, TypeKind::UChar);
  if (words == 1)
    if (const auto kind = kind_of_word(only)) return types_.get(*kind);
  return bad("these type words cannot be combined");
}

// `typeof(x)` is the type of x without qualifiers and address space.
const Type* Sema::type_of_operand(Specifier* s) {
  if (s->type_name) return resolve_type_name(s->type_name);
  beyond_standard(s->range, "'typeof'");
  if (!s->expression->type) s->expression = check(s->expression);
  return s->expression->type;
}

Qualified Sema::resolve_specifiers(const SpecifierList& list, SourceRange where) {
  Qualified q;
  q.type = type_from_words(list, where);
  for (Specifier* s = list.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Qualifier) q.qualifiers |= s->value;
    std::optional<AddressSpace> space;
    if (s->kind == SpecifierKind::Space) space = static_cast<AddressSpace>(s->value);
    if (s->kind == SpecifierKind::Typedef) {  // the specifier carries the type
      Symbol* symbol = find(s->name);
      if (!symbol || !symbol->variable || !symbol->variable->is_typedef) continue;
      q.qualifiers |= symbol->variable->qualifiers;
      if (symbol->variable->has_space) space = symbol->variable->space;
      q.align = symbol->variable->align;
    }
    if (!space) continue;
    if (q.space && *q.space != *space) diagnostics_.error(s->range, "multiple address spaces for one type");
    q.space = space;
    q.space_range = s->range;
  }
  if (!q.type->is_pointer()) q.qualifiers &= ~Restrict;  // ignored here; only pointers carry it
  return q;
}

// A pointer to the type of `base`.
Qualified Sema::pointer_to(Qualified base, const SpecifierList& qualifiers, SourceRange range) {
  Qualified q;
  AddressSpace space = base.space.value_or(AddressSpace::Private);
  q.type = base.type;
  if (!base.type->is_error()) {
    if (base.type->nesting() >= TypeTable::MaxNesting) return too_nested(range);
    uint8_t pointee = (base.qualifiers & ~Restrict) | (space == AddressSpace::Constant ? Const : 0);
    q.type = types_.pointer(base.type, space, pointee);
  }
  for (Specifier* s = qualifiers.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Qualifier) q.qualifiers |= s->value;
    if (s->kind == SpecifierKind::Space)
      q.space = static_cast<AddressSpace>(s->value), q.space_range = s->range;
  }
  return q;
}

Qualified Sema::too_nested(SourceRange range) {
  diagnostics_.error(
      range, fmt::format("this type is nested too deeply; the limit is {} levels", TypeTable::MaxNesting));
  return {types_.get(TypeKind::Error), 0, std::nullopt, {}};
}

// The length in the brackets, UnknownLength if there is none, and nothing after an error.
std::optional<uint64_t> Sema::array_length(DeclaratorPart* part) {
  if (!part->length) return Type::UnknownLength;
  part->length = check_value(part->length);
  const Expr* e = part->length;
  if (e->type->is_error()) return std::nullopt;
  if (!e->type->is_integer()) {
    diagnostics_.error(e->range, fmt::format("size of array has non-integer type '{}'", type_name(e->type)));
  } else if (std::optional<uint64_t> known = e->is_constant ? std::nullopt : constant_bits(e)) {
    beyond_standard(e->range, "an array whose length is a variable");
    NumberExpr* number = arena_.make<NumberExpr>();
    number->kind = ExprKind::Convert;  // nothing is left to check
    number->range = e->range;
    number->type = e->type;
    set_constant(number, static_cast<int64_t>(*known));
    part->length = number;
    return array_length(part);
  } else if (!e->is_constant) {
    diagnostics_.error(e->range,
                       "the size of an array must be an integer constant expression; variable-length arrays "
                       "are not part of the language");
  } else if (e->constant < 0 && e->type->is_signed()) {
    diagnostics_.error(e->range, fmt::format("array size {} is negative", e->constant));
  } else if (static_cast<uint64_t>(e->constant) > TypeTable::MaxSize) {
    diagnostics_.error(part->range, "array is too large");
  } else {
    if (e->constant == 0) beyond_standard(e->range, "an array without elements");
    return static_cast<uint64_t>(e->constant);
  }
  return std::nullopt;
}

Qualified Sema::array_of(Qualified element, DeclaratorPart* part) {
  std::optional<uint64_t> length = array_length(part);
  Qualified q = element;
  q.type = types_.get(TypeKind::Error);
  if (element.type->is_error() || !length) return q;
  if (element.type->nesting() >= TypeTable::MaxNesting) return too_nested(part->range);
  if (!element.type->is_complete()) {
    diagnostics_.error(part->range,
                       fmt::format("array has incomplete element type '{}'", type_name(element.type)));
  } else if (*length != Type::UnknownLength &&
             *length > TypeTable::MaxSize / std::max<uint64_t>(element.type->size(), 1)) {
    diagnostics_.error(part->range, "array is too large");
  } else {
    q.type = types_.array(element.type, *length);
  }
  return q;
}

// Applies the declarator's parts up to `end`. The outermost array of a parameter becomes a pointer.
Qualified Sema::resolve_declarator(Qualified q, const Declarator* d, DeclaratorPart* end, bool is_parameter) {
  for (DeclaratorPart* part = d->parts; part != end; part = part->next) {
    bool outermost = part->next == end;
    if (part->kind == DeclaratorPart::Function) {
      if (!q.type->is_error()) unsupported(part->range, "function pointers are");
      return {types_.get(TypeKind::Error), 0, std::nullopt, {}};
    }
    if (part->kind == DeclaratorPart::Pointer || (is_parameter && outermost)) {
      if (part->kind == DeclaratorPart::Array) array_length(part);
      q = pointer_to(q, part->qualifiers, part->range);
    } else {
      q = array_of(q, part);
    }
  }
  if (is_parameter && d->parts == end && q.type->is_array()) {  // a typedef of an array
    q.type = q.type->element;
    q = pointer_to(q, {}, d->range);
  }
  return q;
}

const Type* Sema::resolve_type_name(TypeName* name) {
  Qualified q = resolve_specifiers(name->specifiers, name->range);
  return resolve_declarator(q, name->declarator, nullptr, false).type;
}

// The value of an `aligned(n)` attribute, or 0.
uint32_t Sema::requested_align(const SpecifierList& attributes) {
  uint32_t align = 0;
  for (Specifier* s = attributes.first; s; s = s->next)
    for (const Attribute& a : s->attributes) {
      if (plain_name(a.name) != "aligned") continue;
      Expr* e = a.arguments.empty() ? nullptr : a.arguments[0] = check_value(a.arguments[0]);
      if (e && e->type->is_error()) continue;
      int64_t n = e ? e->constant : 16;
      if (e && (!e->is_constant || n < 1 || n > 4096 || (n & (n - 1)) != 0))
        diagnostics_.error(e->range, "the alignment must be a constant power of two, at most 4096");
      else
        align = static_cast<uint32_t>(n);
    }
  return align;
}

}  // namespace kc::front
