// SPDX-License-Identifier: Apache-2.0
// The syntax tree. The parser builds it in an arena; sema fills in types and declarations, and inserts
// Convert nodes, in place. Each node carries its depth, which is limited, so that recursive walks are safe;
// chains of left-associative operators do not add to it and are walked with a loop.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/source.h"
#include "frontend/types.h"

namespace kc::front {

constexpr int MaxDepth = 1000;

enum class BinaryOp : uint8_t {
#define BINARY(name, spelling) name,
#include "frontend/operators.def"
};
enum class UnaryOp : uint8_t {
#define UNARY(name, spelling, is_postfix) name,
#include "frontend/operators.def"
};
const char* spelling(BinaryOp op);
const char* spelling(UnaryOp op);
bool is_comparison(BinaryOp op);

struct Expr;
struct Stmt;
struct VarDecl;
struct FunctionDecl;
struct BuiltinRow;

// ---- what is written in front of and around a declared name ----

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
  Unsupported,  // a type of OpenCL C that this version does not have; `name` tells which
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
  AttributeList
};
enum class Storage : uint8_t { None, Typedef, Static, Extern, Auto, Register };

struct Specifier {
  SpecifierKind kind = SpecifierKind::Word;
  SourceRange range;
  std::string_view name;  // of an unsupported type or a typedef
  uint8_t value = 0;      // a TypeWord, Qualifiers, AddressSpace or Storage
  std::span<Attribute> attributes;
  Specifier* next = nullptr;
};

struct SpecifierList {
  Specifier* first = nullptr;
  Specifier* last = nullptr;
};

struct TypeName;
struct DeclaratorPart {
  enum Kind : uint8_t { Pointer, Array, Function } kind = Pointer;
  SourceRange range;
  SpecifierList qualifiers;         // of a pointer
  Expr* length = nullptr;           // of an array, if given
  std::span<TypeName*> parameters;  // of a function
  DeclaratorPart* next = nullptr;   // applied after this one: towards the name
};

struct Declarator {
  std::string_view name;
  SourceRange range;                // of the name, or where it would stand
  DeclaratorPart* parts = nullptr;  // in the order in which they apply to the base type
  DeclaratorPart* last = nullptr;
  SpecifierList attributes;
  uint16_t depth = 0;
};

struct TypeName {
  SpecifierList specifiers;
  Declarator* declarator = nullptr;
  SourceRange range;
};

// ---- expressions ----

enum class ExprKind : uint8_t {
  Error,
  Number,
  Character,
  String,
  Name,
  Unary,
  Binary,
  Assign,
  Conditional,
  Cast,
  Convert,
  SizeofExpr,
  SizeofType,
  Call,
  Index,
  Member,
  InitList,
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  bool parenthesized = false;
  bool is_lvalue = false;
  uint8_t qualifiers = 0;    // of the object, if an lvalue
  bool is_constant = false;  // an integer constant expression
  uint16_t depth = 1;
  SourceRange range;
  const Type* type = nullptr;
  int64_t constant = 0;  // sign- or zero-extended as its type says
};
struct NumberExpr : Expr {  // also characters
  std::string_view text;
  double real = 0;
};
struct NameExpr : Expr {
  std::string_view name;
  VarDecl* variable = nullptr;
  FunctionDecl* function = nullptr;
};
struct UnaryExpr : Expr {
  UnaryOp op{};
  SourceRange op_range;
  Expr* operand = nullptr;
};
struct BinaryExpr : Expr {
  BinaryOp op{};
  SourceRange op_range;
  Expr* left = nullptr;
  Expr* right = nullptr;
};
struct AssignExpr : Expr {
  bool compound = false;
  BinaryOp op{};  // if compound
  SourceRange op_range;
  Expr* left = nullptr;
  Expr* right = nullptr;
  const Type* operation_type = nullptr;  // compound: the type in which the operation happens
};
struct ConditionalExpr : Expr {
  Expr* condition = nullptr;
  Expr* if_true = nullptr;
  Expr* if_false = nullptr;
};
struct CastExpr : Expr {  // Cast, and Convert (implicit, without a type name)
  TypeName* to = nullptr;
  Expr* operand = nullptr;
};
struct SizeofExpr : Expr {
  TypeName* of_type = nullptr;
  Expr* operand = nullptr;
};
enum class CallKind : uint8_t { Unresolved, Function, Builtin, Convert, Bitcast };
struct CallExpr : Expr {
  CallKind call_kind = CallKind::Unresolved;
  Expr* callee = nullptr;
  std::span<Expr*> arguments;
  FunctionDecl* function = nullptr;
  const BuiltinRow* builtin = nullptr;
};
struct IndexExpr : Expr {
  Expr* base = nullptr;
  Expr* index = nullptr;
};
struct MemberExpr : Expr {
  Expr* base = nullptr;
  std::string_view member;
  SourceRange op_range;
  bool arrow = false;
};
struct InitListExpr : Expr {
  std::span<Expr*> items;
};

// ---- declarations ----

struct VarDecl {
  std::string_view name;
  SourceRange range;
  SpecifierList specifiers;
  Declarator* declarator = nullptr;
  Expr* initializer = nullptr;
  bool is_typedef = false;
  bool used = false;  // a typedef: some declaration names it
  // Filled by sema:
  const Type* type = nullptr;
  uint8_t qualifiers = 0;
  uint32_t index = 0;  // within its function
  uint32_t scope_depth = 0;
  VarDecl* outer = nullptr;  // the declaration visible just before this one; for jumps into scopes
};

struct FunctionDecl {
  std::string_view name;
  SourceRange range;
  SpecifierList specifiers;
  Declarator* declarator = nullptr;
  Stmt* body = nullptr;
  // Filled by sema:
  FunctionDecl* definition = nullptr;  // of any declaration of a function that has one
  const Type* return_type = nullptr;
  std::span<VarDecl*> parameters;
  bool is_kernel = false;
  bool has_reqd_size = false;
  uint32_t reqd_size[3] = {0, 0, 0};
  uint32_t variables = 0;  // how many VarDecl indices are in use, parameters included
  uint32_t labels = 0;     // likewise
};

// ---- statements ----

enum class StmtKind : uint8_t {
  Error,
  Null,
  Expression,
  Declaration,
  Compound,
  If,
  While,
  Do,
  For,
  Switch,
  Case,
  Default,
  Label,
  Labeled,
  Goto,
  Break,
  Continue,
  Return,
  Try,
  Throw,
};

struct Stmt {
  StmtKind kind = StmtKind::Null;
  uint16_t depth = 1;
  SourceRange range;
};
struct ExpressionStmt : Stmt {  // also Return and Throw, where it may be absent
  Expr* expression = nullptr;
};
struct DeclarationStmt : Stmt {
  std::span<VarDecl*> variables;
};
struct CompoundStmt : Stmt {
  std::span<Stmt*> items;
};
struct IfStmt : Stmt {
  Expr* condition = nullptr;
  Stmt* then_body = nullptr;
  Stmt* else_body = nullptr;
};
struct LoopStmt : Stmt {  // While, Do, For
  Stmt* init = nullptr;
  Expr* condition = nullptr;
  Expr* step = nullptr;
  Stmt* body = nullptr;
};
struct CaseStmt;
struct SwitchStmt : Stmt {
  Expr* value = nullptr;
  Stmt* body = nullptr;
  CaseStmt* cases = nullptr;  // filled by sema, in source order
  VarDecl* scope = nullptr;
};
struct CaseStmt : Stmt {  // `case value:` and `default:`; marks a place
  Expr* value = nullptr;
  int64_t constant = 0;
  CaseStmt* next = nullptr;
  VarDecl* scope = nullptr;
};
struct LabelStmt : Stmt {  // `name:`; marks a place
  std::string_view name;
  uint32_t index = 0;  // within its function
  VarDecl* scope = nullptr;
  uint32_t region = 0;  // the try body or handler that holds it
  bool used = false;
};
struct LabeledStmt : Stmt {  // labels in front of the body of an if or a loop
  std::span<Stmt*> labels;
  Stmt* body = nullptr;
};
struct GotoStmt : Stmt {
  std::string_view label;
  SourceRange label_range;
  LabelStmt* target = nullptr;
  VarDecl* scope = nullptr;
  uint32_t region = 0;
};
struct Handler {
  TypeName* parameter = nullptr;
  bool catches_all = false;
  Stmt* body = nullptr;
  SourceRange range;
  VarDecl* variable = nullptr;  // if it has a name
  const Type* type = nullptr;
};
struct TryStmt : Stmt {
  Stmt* body = nullptr;
  std::span<Handler*> handlers;
};

struct TopLevel {  // one of the two
  FunctionDecl* function = nullptr;
  VarDecl* variable = nullptr;  // also prototypes and typedefs
};
struct TranslationUnit {
  std::span<TopLevel> items;
};

template <class T>
T* as(Expr* e) {
  return static_cast<T*>(e);
}
template <class T>
const T* as(const Expr* e) {
  return static_cast<const T*>(e);
}
template <class T>
T* as(Stmt* s) {
  return static_cast<T*>(s);
}
template <class T>
const T* as(const Stmt* s) {
  return static_cast<const T*>(s);
}

}  // namespace kc::front
