// SPDX-License-Identifier: Apache-2.0
// Visits the checked tree of a function, parents before children, without recursion.
#pragma once
#include <span>
#include <vector>

#include "frontend/parse/ast.h"

namespace kc::front {

/// How the value of an expression is used.
struct Use {
  const Expr* parent = nullptr;  // the expression it is an operand of; null directly below a statement
  bool discarded = false;        // evaluated for its effects only
  bool condition = false;        // it alone decides a branch
  bool unevaluated = false;      // inside sizeof
};

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void expression(const Expr*, const Use&) {}
  virtual void statement(const Stmt*) {}
};

/// Each node is shown to every visitor before the next one is.
void walk(const Stmt* root, std::span<Visitor* const> visitors);
inline void walk(const Stmt* root, Visitor& visitor) {
  Visitor* const one[] = {&visitor};
  walk(root, one);
}
void walk(const Expr* root, Visitor& visitor);

/// The expressions and statements directly below a node, in source order.
struct Operand {
  const Expr* expression = nullptr;
  Use use;
};
struct Children {
  std::vector<Operand> expressions;
  std::vector<const Stmt*> statements;
};
Children children_of(const Expr* e, const Use& use);
Children children_of(const Stmt* s);

/// Strips the implicit conversions around an expression.
const Expr* without_conversions(const Expr* e);

/// The variable that an expression names, or null.
VarDecl* named_variable(const Expr* e);

/// Whether an expression is a member or components of its base object, not of the object its base points to.
bool is_part(const Expr* e);
/// The variable that contains an lvalue; null if the lvalue is reached through a pointer.
VarDecl* variable_around(const Expr* place);

}  // namespace kc::front
