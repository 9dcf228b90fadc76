// SPDX-License-Identifier: Apache-2.0
// Visits the checked tree of a function, parents before children, without recursion.
#pragma once
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

/// The nodes of a tree in walk order, shared by several visitors.
class Nodes {
 public:
  explicit Nodes(const Stmt* root);
  void visit(Visitor& visitor) const;

 private:
  struct Node {
    const Stmt* statement;  // null for an expression
    const Expr* expression;
    Use use;
  };
  std::vector<Node> nodes_;
};

/// For a single visitor.
void walk(const Stmt* root, Visitor& visitor);

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
