// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/walk.h"

namespace kc::front {

namespace {

class Collector {
 public:
  Collector(Children& out, const Expr* parent, bool unevaluated) : out_(out), parent_(parent) {
    unevaluated_ = unevaluated;
  }
  void value(const Expr* e) { add(e, false, false); }
  void condition(const Expr* e) { add(e, false, true); }
  void discarded(const Expr* e) { add(e, true, false); }
  void add(const Expr* e, bool discarded, bool condition) {
    if (!e) return;
    Operand& operand = out_.expressions.emplace_back();
    operand.expression = e;
    operand.use.parent = parent_;
    operand.use.discarded = discarded;
    operand.use.condition = condition;
    operand.use.unevaluated = unevaluated_;
  }
  void statement(const Stmt* s) {
    if (s) out_.statements.push_back(s);
  }

 private:
  Children& out_;
  const Expr* parent_;
  bool unevaluated_;
};

void collect(const Expr* e, const Use& use, Children& out) {
  bool in_sizeof = e->kind == ExprKind::SizeofExpr || e->kind == ExprKind::SizeofType;
  Collector c(out, e, use.unevaluated || in_sizeof);
  switch (e->kind) {
    case ExprKind::Error:
    case ExprKind::Number:
    case ExprKind::Character:
    case ExprKind::String:
    case ExprKind::Name:
      break;
    case ExprKind::Unary:
      c.add(as<UnaryExpr>(e)->operand, false, use.condition && as<UnaryExpr>(e)->op == UnaryOp::Not);
      break;
    case ExprKind::Binary: {
      const BinaryExpr* b = as<BinaryExpr>(e);
      bool comma = b->op == BinaryOp::Comma;
      bool logical = b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr;
      c.add(b->left, comma, logical);
      c.add(b->right, comma && use.discarded, logical || (comma && use.condition));
      break;
    }
    case ExprKind::Assign:
      c.value(as<AssignExpr>(e)->left);
      c.value(as<AssignExpr>(e)->right);
      break;
    case ExprKind::Conditional:
      c.condition(as<ConditionalExpr>(e)->condition);
      c.add(as<ConditionalExpr>(e)->if_true, use.discarded, use.condition);
      c.add(as<ConditionalExpr>(e)->if_false, use.discarded, use.condition);
      break;
    case ExprKind::Cast:
      c.value(as<CastExpr>(e)->operand);
      break;
    case ExprKind::Convert:
      c.add(as<CastExpr>(e)->operand, use.discarded, use.condition);
      break;
    case ExprKind::Mask:
      c.value(as<CastExpr>(e)->operand);
      break;
    case ExprKind::Elementwise:
      c.value(as<ElementwiseExpr>(e)->scalar);
      break;
    case ExprKind::Component:
      c.value(as<ComponentExpr>(e)->source);
      break;
    case ExprKind::VectorLiteral:
      for (const Expr* item : as<VectorLiteralExpr>(e)->items) c.value(item);
      break;
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
      c.value(as<SizeofExpr>(e)->operand);
      break;
    case ExprKind::Call:
      for (const Expr* a : as<CallExpr>(e)->arguments) c.value(a);
      break;
    case ExprKind::Index:
      c.value(as<IndexExpr>(e)->base);
      c.value(as<IndexExpr>(e)->index);
      break;
    case ExprKind::Member:
    case ExprKind::Swizzle:
      c.value(as<MemberExpr>(e)->base);
      break;
    case ExprKind::InitList:
      for (const Expr* last = nullptr; const InitStep& step : as<InitListExpr>(e)->steps)
        if (step.value != std::exchange(last, step.value)) c.value(step.value);
      break;
    case ExprKind::Designated:  // replaced by the steps of the list
      break;
    case ExprKind::CompoundLiteral:
      c.value(as<CompoundLiteralExpr>(e)->variable->initializer);
      break;
    case ExprKind::StatementExpr: {  // the last statement may be the value
      std::span<Stmt*> items = as<CompoundStmt>(as<StatementExpr>(e)->body)->items;
      bool has_value = !items.empty() && items.back()->kind == StmtKind::Expression;
      for (const Stmt* item : items.first(items.size() - has_value)) c.statement(item);
      if (has_value) c.add(as<ExpressionStmt>(items.back())->expression, use.discarded, use.condition);
      break;
    }
  }
}

void collect(const Stmt* s, Children& out) {
  Collector c(out, nullptr, false);
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
    case StmtKind::Default:
    case StmtKind::Label:
    case StmtKind::Goto:
    case StmtKind::Break:
    case StmtKind::Continue:
      break;
    case StmtKind::Case:
      c.value(as<CaseStmt>(s)->value);
      c.value(as<CaseStmt>(s)->last);
      break;
    case StmtKind::Expression:
      c.discarded(as<ExpressionStmt>(s)->expression);
      break;
    case StmtKind::Return:
    case StmtKind::Throw:
      c.value(as<ExpressionStmt>(s)->expression);
      break;
    case StmtKind::Declaration:
      for (const VarDecl* v : as<DeclarationStmt>(s)->variables) c.value(v->initializer);
      break;
    case StmtKind::Compound:
      for (const Stmt* item : as<CompoundStmt>(s)->items) c.statement(item);
      break;
    case StmtKind::If:
      c.condition(as<IfStmt>(s)->condition);
      c.statement(as<IfStmt>(s)->then_body);
      c.statement(as<IfStmt>(s)->else_body);
      break;
    case StmtKind::While:
    case StmtKind::Do:
    case StmtKind::For: {
      const LoopStmt* l = as<LoopStmt>(s);
      c.statement(l->init);
      c.condition(l->condition);
      c.discarded(l->step);
      c.statement(l->body);
      break;
    }
    case StmtKind::Switch:
      c.value(as<SwitchStmt>(s)->value);
      c.statement(as<SwitchStmt>(s)->body);
      break;
    case StmtKind::Labeled:
      for (const Stmt* label : as<LabeledStmt>(s)->labels) c.statement(label);
      c.statement(as<LabeledStmt>(s)->body);
      break;
    case StmtKind::Try:
      c.statement(as<TryStmt>(s)->body);
      for (const Handler* h : as<TryStmt>(s)->handlers) c.statement(h->body);
      break;
  }
}

}  // namespace

Children children_of(const Expr* e, const Use& use) {
  Children out;
  collect(e, use, out);
  return out;
}

Children children_of(const Stmt* s) {
  Children out;
  collect(s, out);
  return out;
}

namespace {

struct Node {
  const Stmt* statement;  // null for an expression
  const Expr* expression;
  Use use;
};

void walk_from(const Node& root, std::span<Visitor* const> visitors) {
  std::vector<Node> pending{root};
  Children below;
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    for (Visitor* v : visitors)
      if (node.statement)
        v->statement(node.statement);
      else
        v->expression(node.expression, node.use);
    below.expressions.clear();
    below.statements.clear();
    if (node.statement)
      collect(node.statement, below);
    else
      collect(node.expression, node.use, below);
    // The expressions of a statement precede the statements below it.
    for (size_t i = below.statements.size(); i-- > 0;) pending.push_back({below.statements[i], nullptr, {}});
    for (size_t i = below.expressions.size(); i-- > 0;)
      pending.push_back({nullptr, below.expressions[i].expression, below.expressions[i].use});
  }
}

}  // namespace

void walk(const Stmt* root, std::span<Visitor* const> visitors) { walk_from({root, nullptr, {}}, visitors); }

void walk(const Expr* root, Visitor& visitor) {
  Visitor* const one[] = {&visitor};
  walk_from({nullptr, root, {}}, one);
}

const Expr* without_conversions(const Expr* e) {
  while (e && e->kind == ExprKind::Convert) e = as<CastExpr>(e)->operand;
  return e;
}

VarDecl* named_variable(const Expr* e) {
  e = without_conversions(e);
  return e && e->kind == ExprKind::Name ? as<NameExpr>(e)->variable : nullptr;
}

bool is_part(const Expr* e) {
  return e->kind == ExprKind::Swizzle || (e->kind == ExprKind::Member && !as<MemberExpr>(e)->arrow);
}

VarDecl* variable_around(const Expr* place) {
  while (is_part(place)) place = as<MemberExpr>(place)->base;
  if (place->kind == ExprKind::CompoundLiteral) return as<CompoundLiteralExpr>(place)->variable;
  return named_variable(place);
}

}  // namespace kc::front
