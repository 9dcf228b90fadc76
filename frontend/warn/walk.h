// SPDX-License-Identifier: Apache-2.0
// Visits the checked tree of a function, parents before children, without recursion.
#pragma once
#include <vector>

#include "frontend/parse/ast.h"

namespace kc::front {

/// What becomes of the value of an expression.
struct Use {
  const Expr* parent = nullptr;  // the expression it is an operand of; null directly below a statement
  bool discarded = false;        // computed for its effects only
  bool condition = false;        // decides on a branch, alone
  bool unevaluated = false;      // inside sizeof
};

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void expression(const Expr*, const Use&) {}
  virtual void statement(const Stmt*) {}
};

/// The nodes of a tree in the order of the walk, for many visitors.
class Nodes {
 public:
  explicit Nodes(const Stmt* root);
  void visit(Visitor& visitor) const;

 private:
  struct Node {
    const Stmt* statement;  // or an expression
    const Expr* expression;
    Use use;
  };
  std::vector<Node> nodes_;
};

/// For one visitor.
void walk(const Stmt* root, Visitor& visitor);

/// The expressions and statements directly below a node, in the order of the text.
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

/// The expression without the implicit conversions around it.
const Expr* without_conversions(const Expr* e);

/// The variable that an expression names, or null.
VarDecl* named_variable(const Expr* e);

/// Whether an expression is a member or components of what its base is, not of what that points to.
bool is_part(const Expr* e);
/// The variable that a place is, or is a part of; null where it lies behind a pointer.
VarDecl* variable_around(const Expr* place);

}  // namespace kc::front
