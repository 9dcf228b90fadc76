// SPDX-License-Identifier: Apache-2.0
// The syntax tree around a declared name: specifiers, declarators, struct and enumeration bodies, attributes.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/sema/types.h"
#include "frontend/source/source.h"

namespace kc::front {

struct Expr;

enum class TypeWord : uint8_t {
  Void,
  Bool,
  Char,
  Short,
  Int,
  Long,
  Float,
  Double,
  Signed,
  Unsigned,
  UChar,
  UShort,
  UInt,
  ULong,
  Size,
  Ptrdiff,
  Deduced,      // `__auto_type`
  Unsupported,  // a type of OpenCL C that this version does not implement; `name` identifies it
};

struct Attribute {
  std::string_view name;
  SourceRange range;
  std::span<Expr*> arguments;
};

enum class SpecifierKind : uint8_t {
  Word,
  Typedef,
  Qualifier,
  Space,
  Storage,
  Inline,
  Kernel,
  AttributeList,
  Record,
  Enum,
  Typeof,
};
enum class Storage : uint8_t { None, Typedef, Static, Extern, Auto, Register };

struct RecordSpecifier;
struct EnumSpecifier;
struct TypeName;

struct Specifier {
  SpecifierKind kind = SpecifierKind::Word;
  SourceRange range;
  std::string_view name;  // of an unsupported type or a typedef
  uint8_t value = 0;      // a TypeWord, Qualifiers, AddressSpace or Storage
  std::span<Attribute> attributes;
  RecordSpecifier* record = nullptr;
  EnumSpecifier* enumeration = nullptr;
  TypeName* type_name = nullptr;  // of a Typeof; or its expression
  Expr* expression = nullptr;
  Specifier* next = nullptr;
};

struct SpecifierList {
  Specifier* first = nullptr;
  Specifier* last = nullptr;
};

struct DeclaratorPart {
  enum Kind : uint8_t { Pointer, Array, Function } kind = Pointer;
  SourceRange range;
  SpecifierList qualifiers;         // of a pointer; those in the brackets of an array parameter
  Expr* length = nullptr;           // of an array, if given
  std::span<TypeName*> parameters;  // of a function
  DeclaratorPart* next = nullptr;   // applied after this one: closer to the name
};

struct Declarator {
  std::string_view name;
  SourceRange range;                // of the name, or of its position if absent
  DeclaratorPart* parts = nullptr;  // in order of application to the base type
  DeclaratorPart* last = nullptr;
  SpecifierList attributes;
  uint16_t depth = 0;
};

struct TypeName {
  SpecifierList specifiers;
  Declarator* declarator = nullptr;
  SourceRange range;
};

struct FieldDecl {
  SpecifierList specifiers;
  Declarator* declarator = nullptr;  // absent for anonymous members
  Expr* width = nullptr;             // of a bit-field
  SourceRange range;
};

struct RecordSpecifier {  // `struct tag`, `struct tag {...}`, `union {...}`
  bool is_union = false;
  bool has_body = false;
  std::string_view tag;
  SourceRange range;  // of the tag, or of the keyword
  SpecifierList attributes;
  uint32_t pack = 0;  // the most alignment of members; 0: any
  std::span<FieldDecl*> fields;
  const Type* type = nullptr;  // set by sema, once for all declarators that share the specifier
};

struct EnumConstant {
  std::string_view name;
  SourceRange range;
  Expr* value = nullptr;
};

struct EnumSpecifier {
  bool has_body = false;
  std::string_view tag;
  SourceRange range;
  std::span<EnumConstant> constants;
  const Type* type = nullptr;  // set by sema, once for all declarators that share the specifier
};

}  // namespace kc::front
