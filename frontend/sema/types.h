// SPDX-License-Identifier: Apache-2.0
// Types of the kernel language. Types are interned: equal types have equal pointers. Structs and unions are
// nominal: each definition is a distinct type.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "frontend/source/source.h"

namespace kc::front {

enum class TypeKind : uint8_t {
  Error,  // of an expression that has been diagnosed
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
  Half,   // in memory only
  Event,  // `event_t`
  Pointer,
  Array,
  Record,  // struct or union
  Vector,
};

// A number, or a vector of numbers.
struct TypeShape {
  TypeKind component{};
  unsigned length = 1;
};

enum class AddressSpace : uint8_t { Private, Global, Constant, Local };

enum Qualifiers : uint8_t { NoQualifiers = 0, Const = 1, Volatile = 2, Restrict = 4 };

struct Record;

struct Type {
  static constexpr uint64_t UnknownLength = UINT64_MAX;

  TypeKind kind = TypeKind::Error;
  AddressSpace space = AddressSpace::Private;  // of the pointee
  uint8_t pointee_qualifiers = 0;
  const Type* element = nullptr;  // the pointee; the element of an array or a vector
  uint64_t length = 0;            // of an array, perhaps UnknownLength; of a vector
  const Record* record = nullptr;

  bool is_error() const { return kind == TypeKind::Error; }
  bool is_void() const { return kind == TypeKind::Void; }
  bool is_integer() const { return kind >= TypeKind::Bool && kind <= TypeKind::ULong; }
  bool is_floating() const { return kind == TypeKind::Float || kind == TypeKind::Double; }
  bool is_arithmetic() const { return is_integer() || is_floating(); }
  bool is_pointer() const { return kind == TypeKind::Pointer; }
  bool is_scalar() const { return is_arithmetic() || is_pointer(); }
  bool is_array() const { return kind == TypeKind::Array; }
  bool lacks_length() const { return is_array() && length == UnknownLength; }
  /// How many elements an array is known to hold, or a vector has.
  uint64_t elements() const { return lacks_length() ? 0 : length; }
  bool is_record() const { return kind == TypeKind::Record; }
  bool is_aggregate() const { return is_array() || is_record(); }
  bool is_vector() const { return kind == TypeKind::Vector; }
  const Type* component() const { return is_vector() ? element : this; }
  unsigned components() const { return is_vector() ? static_cast<unsigned>(length) : 1; }
  static constexpr unsigned MaxParts = 16;
  /// The number of scalars in a value that is lowered as separate scalars. 0 for types lowered by address:
  /// arrays, unions, packed structs, and structs of more than MaxParts scalars.
  unsigned parts() const;
  unsigned part_at(uint64_t offset) const;  // the scalar at this offset
  bool is_union() const;
  bool moves_in_words() const;  // a union, or a struct with packed members
  bool is_complete() const;     // has a known size
  bool is_signed() const;       // of integers
  uint64_t size() const;        // in bytes; 0 for void
  /// Of pointer arithmetic, in bytes: 1 for void.
  uint64_t step() const { return is_void() ? 1 : size(); }
  uint32_t align() const;
  int nesting() const;  // levels of pointers, arrays and records
};

/// A member of a struct or union. An anonymous member has no name; its own members are visible in the record.
struct Field {
  std::string_view name;
  SourceRange range;
  const Type* type = nullptr;
  uint8_t qualifiers = 0;
  uint64_t offset = 0;
};

struct Record {
  std::string_view name;  // the tag, or the first typedef of a record without a tag
  bool has_tag = false;
  bool is_union = false;
  bool is_packed = false;        // its members are contiguous, whatever their natural alignment
  bool has_low_members = false;  // some members are not naturally aligned
  bool is_complete = false;
  SourceRange range;
  std::vector<Field> fields;
  // The path to each name: the index of a field at each level, through anonymous members.
  std::map<std::string_view, std::vector<size_t>> names;
  uint64_t size = 0;
  uint32_t align = 1;
  unsigned parts = 0;  // see Type
  int nesting = 1;
};

class TypeTable {
 public:
  static constexpr uint64_t MaxSize = uint64_t{1} << 40;  // of an array or record, in bytes
  static constexpr int MaxNesting = 200;

  TypeTable();
  const Type* get(TypeKind kind) const { return &scalars_[static_cast<int>(kind)]; }
  const Type* pointer(const Type* pointee, AddressSpace space, uint8_t pointee_qualifiers);
  const Type* array(const Type* element, uint64_t length);
  /// For arithmetic types except bool; `length` is 2, 3, 4, 8 or 16.
  const Type* vector(const Type* component, unsigned length);
  const Type* record(std::string_view name, bool is_union, SourceRange range);
  // The record of a type while it is being defined.
  Record& edit(const Type* record) { return const_cast<Record&>(*record->record); }

 private:
  Type scalars_[static_cast<int>(TypeKind::Pointer)];
  std::map<std::tuple<const Type*, AddressSpace, uint8_t>, std::unique_ptr<Type>> pointers_;
  std::map<std::pair<const Type*, uint64_t>, std::unique_ptr<Type>> arrays_;
  std::map<std::pair<TypeKind, unsigned>, std::unique_ptr<Type>> vectors_;
  std::deque<std::pair<Type, Record>> records_;
};

/// Whether two types, of records that different units define, stand for the same values in memory and
/// registers. What pointers point to is compared except for records; an unknown length or definition fits
/// all.
bool same_layout(const Type* a, const Type* b);

std::string type_name(const Type* type);  // in source syntax: `global const float *`
/// Itself, or an element or member of it at any depth.
bool holds_pointers(const Type* type);
const char* scalar_name(TypeKind kind);
const char* address_space_name(AddressSpace space);

}  // namespace kc::front
