// SPDX-License-Identifier: Apache-2.0
// Types of the kernel language. Interned: two types are the same exactly when their pointers are equal.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace kc::front {

enum class TypeKind : uint8_t {
  Error,  // of an expression that was already diagnosed
  Void,
  Bool,
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Float,
  Double,
  Pointer,
};

enum class AddressSpace : uint8_t { Private, Global, Constant, Local };

enum Qualifiers : uint8_t { NoQualifiers = 0, Const = 1, Volatile = 2, Restrict = 4 };

struct Type {
  TypeKind kind = TypeKind::Error;
  AddressSpace space = AddressSpace::Private;  // of what a pointer points to
  uint8_t pointee_qualifiers = 0;
  const Type* pointee = nullptr;

  bool is_error() const { return kind == TypeKind::Error; }
  bool is_void() const { return kind == TypeKind::Void; }
  bool is_integer() const { return kind >= TypeKind::Bool && kind <= TypeKind::ULong; }
  bool is_floating() const { return kind == TypeKind::Float || kind == TypeKind::Double; }
  bool is_arithmetic() const { return is_integer() || is_floating(); }
  bool is_pointer() const { return kind == TypeKind::Pointer; }
  bool is_scalar() const { return is_arithmetic() || is_pointer(); }
  bool is_signed() const;  // of integers
  int size() const;        // in bytes; 0 for void
};

class TypeTable {
 public:
  TypeTable();
  const Type* get(TypeKind kind) const { return &scalars_[static_cast<int>(kind)]; }
  const Type* pointer(const Type* pointee, AddressSpace space, uint8_t pointee_qualifiers);

 private:
  Type scalars_[static_cast<int>(TypeKind::Pointer)];
  std::map<std::tuple<const Type*, AddressSpace, uint8_t>, std::unique_ptr<Type>> pointers_;
};

std::string type_name(const Type* type);  // as the user would write it: `global const float *`
const char* scalar_name(TypeKind kind);
const char* address_space_name(AddressSpace space);

}  // namespace kc::front
