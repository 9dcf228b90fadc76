// SPDX-License-Identifier: Apache-2.0
// The syntax tree. The parser allocates it in an arena; sema sets types and declarations and inserts Convert
// nodes in place. Each node stores its depth, which is limited, so recursive walks are safe. A chain of
// left-associative operators does not add to the depth; such chains are walked in a loop.
#pragma once
#include <cstdint>
#include <optional>
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

// The FP_CONTRACT pragma's setting; without one the option decides.
enum class Contraction : uint8_t { ByOption, On, Off };

struct Expr {
  ExprKind kind = ExprKind::Error;
  bool parenthesized = false;
  bool is_lvalue = false;
  Contraction contraction = Contraction::ByOption;
  uint8_t qualifiers = 0;                      // of the object, if an lvalue
  AddressSpace space = AddressSpace::Private;  // of the object, if an lvalue or an aggregate
  bool is_constant = false;                    // an integer constant expression
  uint16_t depth = 1;
  SourceRange range;
  const Type* type = nullptr;
  int64_t constant = 0;  // sign- or zero-extended according to its type
};
struct NumberExpr : Expr {  // also character constants
  std::string_view text;
  double real = 0;
};
struct StringPiece {
  std::string_view spelling;  // with quotes
  SourceRange range;
};
struct StringExpr : Expr {
  std::span<StringPiece> pieces;  // adjacent literals form one string
  // Set by sema:
  std::string_view text;        // without the terminating zero
  VarDecl* variable = nullptr;  // the array in constant memory, if one is needed
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
  const Type* operation_type = nullptr;  // compound: the type of the operation
  const ComponentExpr* old = nullptr;    // compound, of a vector: the left operand inside `right`
};
struct ConditionalExpr : Expr {
  Expr* condition = nullptr;
  Expr* if_true = nullptr;
  Expr* if_false = nullptr;
};
struct CastExpr : Expr {  // Cast, Convert (implicit, without a type name), Mask (all bits set if true)
  TypeName* to = nullptr;
  Expr* operand = nullptr;
};
enum class SizeofWord : uint8_t { Sizeof, VecStep, Alignof };
struct SizeofExpr : Expr {
  SizeofWord word = SizeofWord::Sizeof;
  TypeName* of_type = nullptr;
  Expr* operand = nullptr;
};
enum class CallKind : uint8_t { Unresolved, Function, Builtin, Convert, Bitcast, Access };
struct CallExpr : Expr {
  CallKind call_kind = CallKind::Unresolved;
  Expr* callee = nullptr;
  TypeName* to_type = nullptr;  // of `__builtin_astype` and its kin; sema adds it to the callee's name
  std::span<Expr*> arguments;
  FunctionDecl* function = nullptr;
  const BuiltinRow* builtin = nullptr;
  const Conversion* conversion = nullptr;
  const VectorAccess* access = nullptr;
  bool componentwise = false;  // inside an Elementwise
  uint8_t repeated = 1;        // the number of conversions then
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
  uint64_t offset = 0;     // set by sema
  uint64_t selection = 0;  // of a Swizzle, set by sema: four bits for each component, the first ones lowest
};
struct VectorLiteralExpr : Expr {  // `(float4)(a, b.xy, c)`; a single number is repeated for all components
  std::span<Expr*> items;
};
// A component-wise vector operation: `scalar` is evaluated once per component. Created by sema. The operands
// are evaluated before, once and from left to right.
// inside `scalar`: the component of a vector, a number, or the lvalue of a component
struct ComponentExpr : Expr {
  Expr* source = nullptr;  // null for the old value of an assignment's left operand
  ComponentExpr* next = nullptr;
};
struct ElementwiseExpr : Expr {
  Expr* scalar = nullptr;
  ComponentExpr* first = nullptr;
  ComponentExpr* last = nullptr;
};
struct InitStep {  // initializes one part of an object
  uint64_t offset = 0;
  const Type* type = nullptr;
  Expr* value = nullptr;
};
struct InitListExpr : Expr {
  std::span<Expr*> items;
  // Set by sema. Parts without a step are zero. Consecutive steps with the same value expression, for a range
  // of elements, evaluate it once.
  std::span<InitStep> steps;
};
struct Designator {  // `.member`, `[index]` or `[index ... last]`
  std::string_view member;
  Expr* index = nullptr;
  Expr* last = nullptr;
  SourceRange range;
};
struct DesignatedExpr : Expr {  // only in initializer lists
  std::span<Designator> designators;
  Expr* value = nullptr;
};
struct CompoundLiteralExpr : Expr {
  TypeName* of_type = nullptr;
  Expr* list = nullptr;
  VarDecl* variable = nullptr;  // set by sema: the unnamed object
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
  Expr* initializer = nullptr;  // or the condition of a static assertion
  Expr* message = nullptr;      // of a static assertion, which has no declarator
  bool is_typedef = false;
  bool used = false;  // a typedef that some declaration uses
  // Set by sema:
  const Type* type = nullptr;
  uint8_t qualifiers = 0;
  bool has_space = false;  // an explicit address space, possibly through a typedef
  AddressSpace space = AddressSpace::Private;
  bool in_memory = false;    // not lowered as separate scalars, or its address is taken
  bool is_written = false;   // outside its declaration
  bool is_constant = false;  // an enumeration constant
  int64_t constant = 0;
  uint32_t align = 0;              // if an attribute requests more than the type's
  std::span<const uint8_t> bytes;  // of a variable in constant memory
  bool is_extern = false;          // declared without an initializer; the definition is elsewhere
  VarDecl* definition = nullptr;   // of such a declaration, once it is known
  uint32_t address_number = 0;     // if a pointer in another constant points into it
  std::optional<uint64_t> bits;    // of a constant number whose value is known
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
  // Set by sema:
  FunctionDecl* next_overload = nullptr;  // another function of this name
  FunctionDecl* definition = nullptr;     // for every declaration of a function that has a definition
  const Type* return_type = nullptr;
  std::span<VarDecl*> parameters;
  bool is_kernel = false;
  bool is_prelude = false;   // a built-in function, or one that a built-in uses
  bool is_internal = false;  // known to its own unit only: `static`, or `inline` without `extern`
  bool has_reqd_size = false;
  bool always_inline = false, shared_region = false;  // attributes of any declaration
  bool overloadable = false;
  uint32_t reqd_size[3] = {0, 0, 0};
  uint32_t reqd_sub_group = 0;
  uint32_t variables = 0;  // the number of VarDecl indices, parameters included
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
struct ExpressionStmt : Stmt {  // also Return and Throw, whose operand may be absent
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
  const Attribute* unroll_hint = nullptr;  // the same as an attribute, until sema
};
struct CaseStmt;
struct SwitchStmt : Stmt {
  Expr* value = nullptr;
  Stmt* body = nullptr;
  CaseStmt* cases = nullptr;  // set by sema, in source order
  VarDecl* scope = nullptr;
};
struct CaseStmt : Stmt {  // `case value:`, `case value ... last:` and `default:`; labels a position
  Expr* value = nullptr;
  Expr* last = nullptr;
  int64_t constant = 0, last_constant = 0;
  CaseStmt* next = nullptr;
  VarDecl* scope = nullptr;
};
struct LabelStmt : Stmt {  // `name:`; labels a position
  std::string_view name;
  uint32_t index = 0;  // within its function
  VarDecl* scope = nullptr;
  uint32_t region = 0;  // the enclosing try body or handler
  bool used = false;
};
struct LabeledStmt : Stmt {  // labels before the body of an if or a loop
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
  VarDecl* variable = nullptr;  // if it is named
  const Type* type = nullptr;
};
struct TryStmt : Stmt {
  Stmt* body = nullptr;
  std::span<Handler*> handlers;
};

struct TopLevel {  // either a function or a variable
  FunctionDecl* function = nullptr;
  VarDecl* variable = nullptr;  // also prototypes and typedefs
};
struct TranslationUnit {
  std::span<TopLevel> items;
  // Set by sema:
  std::span<VarDecl*> addressed;  // constants that pointers in other constants point into, by address_number
  std::span<VarDecl*> texts;      // constants with characters
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

/// 0 where an optional part is absent.
inline int depth_of(const Expr* e) { return e ? e->depth : 0; }
inline int depth_of(const Stmt* s) { return s ? s->depth : 0; }

template <class Node>
Node* located(Node* node, SourceRange range) {
  node->range = range;
  return node;
}

}  // namespace kc::front
