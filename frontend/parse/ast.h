// SPDX-License-Identifier: Apache-2.0
// The syntax tree. The parser builds it in an arena; sema fills in types and declarations, and inserts
// Convert nodes, in place. Each node carries its depth, which is limited, so that recursive walks are safe;
// chains of left-associative operators do not add to it and are walked with a loop.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/parse/ast_declarator.h"
#include "frontend/sema/types.h"

namespace kc::front {

constexpr int MaxDepth = 1000;

enum class BinaryOp : uint8_t {
#define BINARY(name, spelling) name,
#include "frontend/sema/operators.def"
};
enum class UnaryOp : uint8_t {
#define UNARY(name, spelling, is_postfix) name,
#include "frontend/sema/operators.def"
};
const char* spelling(BinaryOp op);
const char* spelling(UnaryOp op);
bool is_comparison(BinaryOp op);

struct Stmt;
struct VarDecl;
struct FunctionDecl;
struct BuiltinRow;
struct Conversion;
struct VectorAccess;

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
  Designated,
  CompoundLiteral,
  StatementExpr,
  Swizzle,
  VectorLiteral,
  Elementwise,
  Component,
  Mask,
};

// What a pragma says about fusing a product with a sum; otherwise the option decides.
enum class Contraction : uint8_t { ByOption, On, Off };

struct Expr {
  ExprKind kind = ExprKind::Error;
  bool parenthesized = false;
  bool is_lvalue = false;
  Contraction contraction = Contraction::ByOption;
  uint8_t qualifiers = 0;                      // of the object, if an lvalue
  AddressSpace space = AddressSpace::Private;  // where the object lies, if an lvalue or an aggregate
  bool is_constant = false;                    // an integer constant expression
  uint16_t depth = 1;
  SourceRange range;
  const Type* type = nullptr;
  int64_t constant = 0;  // sign- or zero-extended as its type says
};
struct NumberExpr : Expr {  // also characters
  std::string_view text;
  double real = 0;
};
struct StringPiece {
  std::string_view spelling;  // with its quotes
  SourceRange range;
};
struct StringExpr : Expr {
  std::span<StringPiece> pieces;  // literals beside each other are one
  // Filled by sema:
  std::string_view text;        // without the zero at the end
  VarDecl* variable = nullptr;  // the array in constant memory, if that is needed
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
struct ComponentExpr;
struct AssignExpr : Expr {
  bool compound = false;
  BinaryOp op{};  // if compound
  SourceRange op_range;
  Expr* left = nullptr;
  Expr* right = nullptr;
  const Type* operation_type = nullptr;  // compound: the type in which the operation happens
  const ComponentExpr* old = nullptr;    // compound, of a vector: the left side inside `right`
};
struct ConditionalExpr : Expr {
  Expr* condition = nullptr;
  Expr* if_true = nullptr;
  Expr* if_false = nullptr;
};
struct CastExpr : Expr {  // Cast, Convert (implicit, without a type name), Mask (all bits set if it holds)
  TypeName* to = nullptr;
  Expr* operand = nullptr;
};
struct SizeofExpr : Expr {
  bool is_vec_step = false;
  TypeName* of_type = nullptr;
  Expr* operand = nullptr;
};
enum class CallKind : uint8_t { Unresolved, Function, Builtin, Convert, Bitcast, Access };
struct CallExpr : Expr {
  CallKind call_kind = CallKind::Unresolved;
  Expr* callee = nullptr;
  std::span<Expr*> arguments;
  FunctionDecl* function = nullptr;
  const BuiltinRow* builtin = nullptr;
  const Conversion* conversion = nullptr;
  const VectorAccess* access = nullptr;
  bool componentwise = false;  // inside an Elementwise
  uint8_t repeated = 1;        // how often it happens then
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
  uint64_t offset = 0;  // filled by sema
  uint64_t selection =
      0;  // of a Swizzle, filled by sema: four bits for each component, the first ones lowest
};
struct VectorLiteralExpr : Expr {  // `(float4)(a, b.xy, c)`; a single number stands for all components
  std::span<Expr*> items;
};
// What is done with vectors component by component: `scalar` is computed once for each of them. Made by sema.
// The operands were computed before, once and from left to right.
struct ComponentExpr : Expr {  // inside `scalar`: the component of a vector, a number, or where one lies
  Expr* source = nullptr;      // null for the old value of an assignment's left side
  ComponentExpr* next = nullptr;
};
struct ElementwiseExpr : Expr {
  Expr* scalar = nullptr;
  ComponentExpr* first = nullptr;
  ComponentExpr* last = nullptr;
};
struct InitStep {  // one part of an object gets a value
  uint64_t offset = 0;
  const Type* type = nullptr;
  Expr* value = nullptr;
};
struct InitListExpr : Expr {
  std::span<Expr*> items;
  std::span<InitStep> steps;  // filled by sema: what is not named in them is zero
};
struct Designator {  // `.member` or `[index]`
  std::string_view member;
  Expr* index = nullptr;
  SourceRange range;
};
struct DesignatedExpr : Expr {  // only in initializer lists
  std::span<Designator> designators;
  Expr* value = nullptr;
};
struct CompoundLiteralExpr : Expr {
  TypeName* of_type = nullptr;
  Expr* list = nullptr;
  VarDecl* variable = nullptr;  // filled by sema: the unnamed object
};
struct StatementExpr : Expr {  // GNU `({ ... })`
  Stmt* body = nullptr;
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
  bool has_space = false;  // an address space was written, also in a typedef
  AddressSpace space = AddressSpace::Private;
  bool in_memory = false;    // no value of parts, or its address is taken
  bool is_written = false;   // by something else than its declaration
  bool is_constant = false;  // an enumeration constant
  int64_t constant = 0;
  uint32_t align = 0;              // if an attribute asks for more than the type's
  std::span<const uint8_t> bytes;  // of a variable in constant memory
  uint32_t index = 0;              // within its function
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
  bool is_prelude = false;  // a built-in function, or what one uses
  bool has_reqd_size = false;
  bool always_inline = false, shared_region = false;  // attributes of any declaration
  uint32_t reqd_size[3] = {0, 0, 0};
  uint32_t reqd_sub_group = 0;
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
  bool falls_through = false;  // of a null statement with that attribute
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
  uint32_t unroll = 0;                     // an UnrollHint
  const Attribute* unroll_hint = nullptr;  // says the same, until sema
};
struct CaseStmt;
struct SwitchStmt : Stmt {
  Expr* value = nullptr;
  Stmt* body = nullptr;
  CaseStmt* cases = nullptr;  // filled by sema, in source order
  VarDecl* scope = nullptr;
};
struct CaseStmt : Stmt {  // `case value:`, `case value ... last:` and `default:`; marks a place
  Expr* value = nullptr;
  Expr* last = nullptr;
  int64_t constant = 0, last_constant = 0;
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
