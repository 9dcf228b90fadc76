// SPDX-License-Identifier: Apache-2.0
// Structs, unions and enumerations: definitions, layout, tags.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/sema.h"
#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

unsigned count_parts(const Record& record) {
  if (record.is_union || record.has_low_members) return 0;
  unsigned count = 0;
  for (const Field& f : record.fields) {
    if (f.type->parts() == 0) return 0;
    count += f.type->parts();
  }
  return count <= Type::MaxParts ? count : 0;
}

uint64_t round_up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

}  // namespace

Tag* Sema::find_tag(std::string_view name) {
  auto found = tags_.find(name);
  return found == tags_.end() || found->second.empty() ? nullptr : &found->second.back();
}

void Sema::declare_tag(std::string_view name, Tag tag) {
  if (name.empty()) return;
  tag.scope_depth = scopes_.size();
  tags_[name].push_back(tag);
  tag_scopes_.back().push_back(name);
}

// `following` are the specifiers after this one; they may contain attributes of the type.
const Type* Sema::resolve_record(RecordSpecifier* r, Specifier* following) {
  if (r->type) return r->type;
  const char* word = r->is_union ? "union" : "struct";
  Tag* old = r->tag.empty() ? nullptr : find_tag(r->tag);
  bool same_scope = old && old->scope_depth == scopes_.size();
  if (old && old->type->is_error()) return r->type = old->type;
  if (old && (!r->has_body || same_scope)) {
    if (!old->type->is_record() || old->type->is_union() != r->is_union) {
      diagnostics_
          .error(r->range,
                 fmt::format("use of '{}' as a {} does not match its previous declaration", r->tag, word))
          .note(old->range, "previous declaration is here");
      return r->type = types_.get(TypeKind::Error);
    }
    if (r->has_body && old->type->record->is_complete) {
      diagnostics_.error(r->range, fmt::format("redefinition of '{}'", r->tag))
          .note(old->range, "previous definition is here");
      return r->type = types_.get(TypeKind::Error);
    }
    r->type = old->type;
  } else {
    r->type = types_.record(r->tag, r->is_union, r->range);
    declare_tag(r->tag, {r->type, r->range, 0});
  }
  if (r->has_body) define_record(r, following);
  return r->type;
}

void Sema::define_record(RecordSpecifier* r, Specifier* following) {
  Record& record = types_.edit(r->type);
  record.range = r->range;
  SpecifierList after;
  after.first = following;
  record.is_packed = has_attribute(r->attributes, "packed") || has_attribute(after, "packed");
  for (FieldDecl* f : r->fields) add_field(record, *r, f);
  record.align = std::max({record.align, requested_align(r->attributes), requested_align(after)});
  record.size = round_up(record.size, record.align);
  record.parts = count_parts(record);
  record.is_complete = !record.fields.empty() || r->fields.empty();
  if (record.is_complete) return;
  r->type = types_.get(TypeKind::Error);  // suppresses errors at its uses
  if (!r->tag.empty()) find_tag(r->tag)->type = r->type;
}

void Sema::add_field(Record& record, const RecordSpecifier& r, FieldDecl* f) {
  Qualified q = resolve_specifiers(f->specifiers, f->range);
  Field field;
  field.range = f->range;
  if (f->declarator) {
    q = resolve_declarator(q, f->declarator, nullptr, false);
    field.name = f->declarator->name;
    field.range = f->declarator->range;
  }
  field.type = q.type;
  field.qualifiers = q.qualifiers;
  if (f->width) {
    unsupported(f->range, "bit-fields are");
    field.type = types_.get(TypeKind::Error);
  }
  if (!f->declarator && !q.type->is_error() && !(q.type->is_record() && !q.type->record->has_tag)) {
    diagnostics_.warning(Warning::MissingDeclarations, f->range, "declaration does not declare anything");
    return;
  }
  bool bad = field.type->is_error();
  const bool flexible = !bad && field.type->lacks_length();
  if (flexible && (record.is_union || record.fields.empty() || f != r.fields.back() ||
                   !field.type->element->is_complete())) {
    diagnostics_.error(field.range,
                       "an array without a length must be the last of several members of a struct");
    bad = true;
  } else if (flexible) {
    beyond_standard(field.range, "a flexible array member");
  } else if (!bad && !field.type->is_complete()) {
    diagnostics_.error(field.range,
                       fmt::format("field '{}' has incomplete type '{}'", field.name, type_name(field.type)));
    bad = true;
  } else if (!bad && q.space && *q.space != AddressSpace::Private) {
    diagnostics_.error(q.space_range, "a member cannot have an address space of its own");
  } else if (!bad && field.type->nesting() >= TypeTable::MaxNesting) {
    too_nested(field.range);
    bad = true;
  }
  bool packed = record.is_packed || has_attribute(f->specifiers, "packed");
  uint32_t align = requested_align(f->specifiers);
  if (f->declarator) {
    packed |= has_attribute(f->declarator->attributes, "packed");
    align = std::max(align, requested_align(f->declarator->attributes));
  }
  bool low = q.align != 0 && q.align < field.type->align();  // as a typedef has it
  align = std::max(align, low ? 0 : q.align);
  const uint32_t natural = bad ? 1 : field.type->align();
  align = bad ? 1 : std::max(align, low ? q.align : packed ? 1 : natural);
  if (r.pack != 0) align = std::min(align, r.pack);
  record.has_low_members |= packed || low || align < natural;
  place_field(record, field, bad, align);
}

// Sets the field's offset and declares its names. A field with an invalid type is kept, so that its uses
// cause no further errors.
void Sema::place_field(Record& record, Field field, bool bad, uint32_t align) {
  if (bad) field.type = types_.get(TypeKind::Error);
  uint64_t size = bad ? 0 : field.type->size();
  uint64_t start = record.is_union ? 0 : round_up(record.size, align);
  if (start + size > TypeTable::MaxSize) {
    diagnostics_.error(field.range, "struct is too large");
    return;
  }
  size_t index = record.fields.size();
  auto add_name = [&](std::string_view name, std::vector<size_t> path, SourceRange range) {
    auto [at, fresh] = record.names.emplace(name, std::move(path));
    if (!fresh)
      diagnostics_.error(range, fmt::format("duplicate member '{}'", name))
          .note(record.fields[at->second[0]].range, "previous declaration is here");
  };
  if (!field.name.empty()) {
    add_name(field.name, {index}, field.range);
  } else if (!bad) {
    for (const auto& [name, inner] : field.type->record->names) {
      std::vector<size_t> path{index};
      path.insert(path.end(), inner.begin(), inner.end());
      add_name(name, path, field.range);
    }
  }
  field.offset = start;
  record.align = std::max(record.align, align);
  record.size = record.is_union ? std::max(record.size, size) : start + size;
  record.nesting = std::max(record.nesting, 1 + (bad ? 0 : field.type->nesting()));
  record.fields.push_back(field);
}

// An enumeration is an alias of an integer type: `int`, if it can represent all constants.
const Type* Sema::resolve_enum(EnumSpecifier* e) {
  if (e->type) return e->type;
  Tag* old = e->tag.empty() ? nullptr : find_tag(e->tag);
  bool same_scope = old && old->scope_depth == scopes_.size();
  bool is_repeated = old && (!e->has_body || same_scope);
  if (is_repeated && (old->type->is_record() || e->has_body)) {
    const char* text = e->has_body && !old->type->is_record()
                           ? "redefinition of '{}'"
                           : "use of '{}' as an enum does not match its previous declaration";
    diagnostics_.error(e->range, fmt::format(fmt::runtime(text), e->tag))
        .note(old->range, "previous declaration is here");
  } else if (is_repeated) {
    return e->type = old->type;
  } else if (!e->has_body && !tainted_.contains(e->tag)) {
    diagnostics_.error(e->range, fmt::format("use of undeclared enumeration '{}'", e->tag));
  }
  e->type = e->has_body ? define_enum(e) : types_.get(TypeKind::Error);
  if (e->has_body && !is_repeated) declare_tag(e->tag, {e->type, e->range, 0});
  return e->type;
}

// Declares the constants. Constants that fit are `int`. Otherwise they have the first of `uint`, `long` and
// `ulong` that represents all constants; the enumeration has the same type.
const Type* Sema::define_enum(EnumSpecifier* e) {
  const Type *small = types_.get(TypeKind::Int), *large = types_.get(TypeKind::Long),
             *huge = types_.get(TypeKind::ULong);
  std::vector<VarDecl*> wide;
  bool has_negative = false, has_large = false, has_huge = false;
  int64_t value = -1;
  bool is_huge = false;  // the value is 2^63 or more
  for (EnumConstant& c : e->constants) {
    if (c.value) c.value = check_value(c.value);
    if (c.value && c.value->is_constant) {
      value = c.value->constant;
      is_huge = value < 0 && !c.value->type->is_signed();
    } else {
      if (c.value && !c.value->type->is_error())
        diagnostics_.error(c.value->range, "expression is not an integer constant expression");
      if (is_huge && value == -1)
        diagnostics_.error(c.range,
                           fmt::format("the value of enumerator '{}' does not fit in a ulong", c.name));
      is_huge |= value == INT64_MAX;
      value = static_cast<int64_t>(static_cast<uint64_t>(value) + 1);
      is_huge &= value != 0;
    }
    has_huge |= is_huge;
    has_negative |= value < 0 && !is_huge;
    has_large |= is_huge || value < INT32_MIN || value > int64_t{UINT32_MAX};
    VarDecl* v = arena_.make<VarDecl>();
    v->name = c.name;
    v->range = c.range;
    v->type = is_huge ? huge : value < INT32_MIN || value > INT32_MAX ? large : small;
    v->is_constant = true;
    v->constant = value;
    declare(c.name, c.range, {v, nullptr});
    if (v->type != small) wide.push_back(v);
  }
  if (wide.empty()) return small;
  if (has_huge && has_negative)
    diagnostics_.error(e->range,
                       "no integer type holds both the least and the greatest of these enumerators");
  const Type* type = has_negative ? large : has_large ? huge : types_.get(TypeKind::UInt);
  for (VarDecl* v : wide) v->type = type;
  return type;
}

}  // namespace kc::front
