// SPDX-License-Identifier: Apache-2.0
#include "frontend/types.h"

#include <vector>

namespace kc::front {

namespace {

struct ScalarRow {
  const char* name;
  int size;
  bool is_signed;
};

// In the order of TypeKind.
constexpr ScalarRow ScalarRows[] = {
    {"<error>", 0, false}, {"void", 0, false},    {"bool", 1, false},   {"char", 1, true},
    {"uchar", 1, false},   {"short", 2, true},    {"ushort", 2, false}, {"int", 4, true},
    {"uint", 4, false},    {"long", 8, true},     {"ulong", 8, false},  {"float", 4, true},
    {"double", 8, true},   {"pointer", 8, false},
};

const ScalarRow& row(TypeKind kind) { return ScalarRows[static_cast<int>(kind)]; }

}  // namespace

bool Type::is_signed() const { return row(kind).is_signed; }
int Type::size() const { return row(kind).size; }
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

std::string type_name(const Type* type) {
  std::vector<const Type*> pointers;
  for (; type->is_pointer(); type = type->pointee) pointers.push_back(type);
  std::string text = scalar_name(type->kind);
  for (size_t i = pointers.size(); i-- > 0;) {
    const Type* p = pointers[i];
    std::string qualifiers = address_space_name(p->space) + std::string(" ");
    if (p->pointee_qualifiers & Const) qualifiers += "const ";
    if (p->pointee_qualifiers & Volatile) qualifiers += "volatile ";
    bool innermost = i + 1 == pointers.size();
    if (innermost)
      text = qualifiers + text + " *";
    else
      text += " " + qualifiers + "*";
  }
  return text;
}

}  // namespace kc::front
