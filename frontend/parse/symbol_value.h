// SPDX-License-Identifier: Apache-2.0
// What a symbol of the grammar carries. The parser copies it often, so it is small and trivial to copy.
#pragma once
#include <string_view>
#include <type_traits>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"

namespace kc::front {

union SymbolValue {
  SymbolValue() : expr(nullptr) {}

  std::string_view text;
  TypeWord type_word;
  AddressSpace space;
  Qualifiers qualifiers;
  Storage storage;
  UnaryOp unary_op;
  bool is_union;

  Expr* expr;
  Chain<Expr*> exprs;
  Chain<StringPiece> pieces;
  Designator* designator;
  Chain<Designator> designators;

  Specifier* specifier;
  SpecifierList specifiers;
  Attribute* attribute;
  Chain<Attribute> attributes;
  RecordSpecifier* record;
  FieldDecl* field;
  Chain<FieldDecl*> fields;
  EnumSpecifier* enumeration;
  EnumConstant* enumerator;
  Chain<EnumConstant> enumerators;
  DeclaratorPart* part;
  Declarator* declarator;
  TypeName* type_name;
  Chain<TypeName*> type_names;
  VarDecl* variable;
  Chain<VarDecl*> variables;
  FunctionDecl* function;

  Stmt* stmt;
  Chain<Stmt*> stmts;
  Handler* handler;
  Chain<Handler*> handlers;
};
static_assert(std::is_trivially_copyable_v<SymbolValue> && sizeof(SymbolValue) == 2 * sizeof(void*));

}  // namespace kc::front
