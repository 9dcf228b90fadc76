// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/types.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

namespace {

struct ScalarRow {
  const char* name;
  int size;
  bool is_signed;
};

// In the order of TypeKind.
constexpr ScalarRow ScalarRows[] = {
    {"<error>", 0, false}, {"void", 0, false},   {"bool", 1, false},    {"char", 1, true},
    {"uchar", 1, false},   {"short", 2, true},   {"ushort", 2, false},  {"int", 4, true},
    {"uint", 4, false},    {"long", 8, true},    {"ulong", 8, false},   {"float", 4, true},
    {"double", 8, true},   {"half", 2, true},    {"event_t", 4, false}, {"pointer", 8, false},
    {"array", 0, false},   {"record", 0, false}, {"vector", 0, false},
};

// In memory, three components occupy the space of four.
uint64_t vector_size(const Type* type) {
  return (type->length == 3 ? 4 : type->length) * static_cast<uint64_t>(type->element->size());
}

const ScalarRow& row(TypeKind kind) { return ScalarRows[static_cast<int>(kind)]; }

std::string record_name(const Record& r) {
  const char* word = r.is_union ? "union" : "struct";
  if (r.name.empty()) return fmt::format("{} (anonymous)", word);
  return r.has_tag ? fmt::format("{} {}", word, r.name) : std::string(r.name);
}

// `inner` replaces the name in the declarator, `qualifiers` precede the innermost type.
std::string write(const Type* type, std::string inner, std::string qualifiers) {
  while (type->is_pointer() || type->is_array()) {
    if (type->is_array()) {
      inner += type->lacks_length() ? "[]" : fmt::format("[{}]", type->length);
      type = type->element;
      if (type->is_pointer()) inner = " " + inner;
      continue;
    }
    std::string own = address_space_name(type->space) + std::string(" ");
    if (type->pointee_qualifiers & Const) own += "const ";
    if (type->pointee_qualifiers & Volatile) own += "volatile ";
    const Type* pointee = type->element;
    std::string gap = inner.empty() || inner[0] == '[' || inner[0] == ' ' ? "" : " ";
    if (pointee->is_pointer())
      inner = own + "*" + gap + inner;
    else if (pointee->is_array())
      qualifiers = own, inner = "(*" + gap + inner + ")";
    else
      qualifiers = own, inner = "*" + gap + inner;
    type = pointee;
  }
  std::string name = type->is_record()   ? record_name(*type->record)
                     : type->is_vector() ? fmt::format("{}{}", scalar_name(type->element->kind), type->length)
                                         : scalar_name(type->kind);
  bool space = !inner.empty() && inner[0] != '[';
  return qualifiers + name + (space ? " " : "") + inner;
}

}  // namespace

bool Type::is_union() const { return is_record() && record->is_union; }

bool Type::moves_in_words() const { return is_record() && (record->is_union || record->has_low_members); }

unsigned Type::parts() const { return is_record() ? record->parts : is_array() ? 0 : components(); }

unsigned Type::part_at(uint64_t offset) const {
  if (!is_record()) return is_vector() ? static_cast<unsigned>(offset / element->size()) : 0;
  unsigned before = 0;
  for (const Field& f : record->fields) {
    if (offset < f.offset + f.type->size()) return before + f.type->part_at(offset - f.offset);
    before += f.type->parts();
  }
  return before;
}

bool Type::is_complete() const {
  const Type* type = this;
  for (; type->is_array(); type = type->element)
    if (type->lacks_length()) return false;
  return type->is_record() ? type->record->is_complete : !type->is_void();
}

bool Type::is_signed() const { return row(kind).is_signed; }

uint64_t Type::size() const {
  uint64_t count = 1;
  const Type* type = this;
  for (; type->is_array(); type = type->element) count *= type->elements();
  if (type->is_vector()) return count * vector_size(type);
  return count * (type->is_record() ? type->record->size : static_cast<uint64_t>(row(type->kind).size));
}

uint32_t Type::align() const {
  const Type* type = this;
  while (type->is_array()) type = type->element;
  if (type->is_record()) return type->record->align;
  if (type->is_vector()) return static_cast<uint32_t>(vector_size(type));
  return std::max<uint32_t>(1, static_cast<uint32_t>(row(type->kind).size));
}

int Type::nesting() const {
  int levels = 0;
  bool by_value = true;
  const Type* type = this;
  for (; type->is_array() || type->is_pointer(); type = type->element, ++levels) by_value &= type->is_array();
  return levels + (type->is_record() && by_value ? type->record->nesting : 0);
}

const char* scalar_name(TypeKind kind) { return row(kind).name; }

const char* address_space_name(AddressSpace space) {
  constexpr const char* Names[] = {"private", "global", "constant", "local"};
  return Names[static_cast<int>(space)];
}

TypeTable::TypeTable() {
  for (int i = 0; i < static_cast<int>(TypeKind::Pointer); ++i) scalars_[i].kind = static_cast<TypeKind>(i);
}

const Type* TypeTable::pointer(const Type* pointee, AddressSpace space, uint8_t pointee_qualifiers) {
  std::unique_ptr<Type>& slot = pointers_[{pointee, space, pointee_qualifiers}];
  if (!slot) slot = std::make_unique<Type>(Type{TypeKind::Pointer, space, pointee_qualifiers, pointee});
  return slot.get();
}

const Type* TypeTable::array(const Type* element, uint64_t length) {
  std::unique_ptr<Type>& slot = arrays_[{element, length}];
  if (!slot)
    slot = std::make_unique<Type>(Type{.kind = TypeKind::Array, .element = element, .length = length});
  return slot.get();
}

const Type* TypeTable::vector(const Type* component, unsigned length) {
  std::unique_ptr<Type>& slot = vectors_[{component->kind, length}];
  if (!slot)
    slot = std::make_unique<Type>(Type{.kind = TypeKind::Vector, .element = component, .length = length});
  return slot.get();
}

const Type* TypeTable::record(std::string_view name, bool is_union, SourceRange range) {
  auto& [type, record] = records_.emplace_back();
  type = {.kind = TypeKind::Record, .record = &record};
  record.name = name;
  record.has_tag = !name.empty();
  record.is_union = is_union;
  record.range = range;
  return &type;
}

bool same_layout(const Type* a, const Type* b) {
  for (;; a = a->element, b = b->element) {
    if (a == b) return true;
    if (a->kind != b->kind) return false;
    if (a->is_record()) break;
    if (a->is_pointer()) {
      if (a->space != b->space) return false;
      if (a->element->is_record() && b->element->is_record()) return true;
    } else if (!a->is_array() && !a->is_vector()) {
      return true;
    } else if (a->length != b->length && !a->lacks_length() && !b->lacks_length()) {
      return false;
    }
  }
  const Record &x = *a->record, &y = *b->record;
  if (!x.is_complete || !y.is_complete) return true;
  return x.is_union == y.is_union && x.is_packed == y.is_packed && x.size == y.size && x.align == y.align &&
         std::ranges::equal(x.fields, y.fields, [](const Field& f, const Field& g) {
           return f.offset == g.offset && same_layout(f.type, g.type);
         });
}

std::string type_name(const Type* type) { return write(type, "", ""); }

bool holds_pointers(const Type* type) {
  if (type->is_array()) return holds_pointers(type->element);
  if (!type->is_record()) return type->is_pointer();
  return std::ranges::any_of(type->record->fields, [](const Field& f) { return holds_pointers(f.type); });
}

}  // namespace kc::front
