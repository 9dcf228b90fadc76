// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse/ast_print.h"

#include <fmt/format.h>

namespace kc::front {

namespace {

class AstPrinter {
 public:
  std::string out;

  void line(const std::string& text) {
    out.append(2 * static_cast<size_t>(indent_), ' ');
    out += text + "\n";
  }
  void variable(const VarDecl* v) { print_variable(v); }
  void node(const Expr* e, const std::string& text) {
    line(e->type ? fmt::format("{}: {}", text, type_name(e->type)) : text);
  }
  void expr(const Expr* e) {
    if (!e) return;
    ++indent_;
    print(e);
    --indent_;
  }
  void stmt(const Stmt* s) {
    if (!s) return;
    ++indent_;
    print(s);
    --indent_;
  }

 private:
  // Left operands have the indentation of their operator, so that long chains stay readable and are printed
  // in a loop.
  void chain(const Expr* e) {
    const Expr* left = e;
    while (left->kind == ExprKind::Binary && (left == e || !left->parenthesized)) {
      node(left, fmt::format("binary {}", spelling(as<BinaryExpr>(left)->op)));
      left = as<BinaryExpr>(left)->left;
      if (left->kind == ExprKind::Convert) break;
    }
    expr(left);
    std::vector<const Expr*> rights;
    for (const Expr* b = e; b != left; b = as<BinaryExpr>(b)->left)
      rights.push_back(as<BinaryExpr>(b)->right);
    for (size_t i = rights.size(); i-- > 0;) expr(rights[i]);
  }

  void print(const Expr* e) {
    if (indent_ > 2 * MaxDepth) return line("...");
    switch (e->kind) {
      case ExprKind::Error:
        return line("error");
      case ExprKind::Number:
      case ExprKind::Character:
        return node(e, std::string(as<NumberExpr>(e)->text));
      case ExprKind::String: {
        std::string text;
        for (const StringPiece& p : as<StringExpr>(e)->pieces)
          text += fmt::format("{}{}", text.empty() ? "" : " ", p.spelling);
        return node(e, text);
      }
      case ExprKind::Name:
        return node(e, fmt::format("name {}", as<NameExpr>(e)->name));
      case ExprKind::Unary: {
        const UnaryExpr* u = as<UnaryExpr>(e);
        node(e, fmt::format("{} {}", u->op >= UnaryOp::PostInc ? "postfix" : "unary", spelling(u->op)));
        return expr(u->operand);
      }
      case ExprKind::Binary:
        return chain(e);
      case ExprKind::Assign: {
        const AssignExpr* a = as<AssignExpr>(e);
        node(e, fmt::format("assign {}=", a->compound ? spelling(a->op) : ""));
        expr(a->left);
        return expr(a->right);
      }
      case ExprKind::Conditional: {
        const ConditionalExpr* c = as<ConditionalExpr>(e);
        node(e, "conditional");
        expr(c->condition);
        expr(c->if_true);
        return expr(c->if_false);
      }
      case ExprKind::Cast:
      case ExprKind::Convert:
        node(e, e->kind == ExprKind::Cast ? "cast" : "convert");
        return expr(as<CastExpr>(e)->operand);
      case ExprKind::SizeofExpr:
      case ExprKind::SizeofType:
        return node(e, fmt::format("sizeof {}", e->constant));
      case ExprKind::Call: {
        const CallExpr* c = as<CallExpr>(e);
        node(e, "call");
        expr(c->callee);
        for (const Expr* a : c->arguments) expr(a);
        return;
      }
      case ExprKind::Index:
        node(e, "index");
        expr(as<IndexExpr>(e)->base);
        return expr(as<IndexExpr>(e)->index);
      case ExprKind::Member:
        node(e, fmt::format("member {}{}", as<MemberExpr>(e)->arrow ? "->" : ".", as<MemberExpr>(e)->member));
        return expr(as<MemberExpr>(e)->base);
      case ExprKind::Swizzle:
        node(e, fmt::format("components .{}", as<MemberExpr>(e)->member));
        return expr(as<MemberExpr>(e)->base);
      case ExprKind::VectorLiteral:
        node(e, "vector");
        for (const Expr* item : as<VectorLiteralExpr>(e)->items) expr(item);
        return;
      case ExprKind::Elementwise:
        node(e, "each component");
        return expr(as<ElementwiseExpr>(e)->scalar);
      case ExprKind::Component:
        node(e, "component");
        return expr(as<ComponentExpr>(e)->source);
      case ExprKind::Mask:
        node(e, "mask");
        return expr(as<CastExpr>(e)->operand);
      case ExprKind::InitList:
        node(e, "list");
        if (!e->type)
          for (const Expr* item : as<InitListExpr>(e)->items) expr(item);
        for (const InitStep& step : as<InitListExpr>(e)->steps) {
          ++indent_;
          line(fmt::format("at {}: {}", step.offset, type_name(step.type)));
          expr(step.value);
          --indent_;
        }
        return;
      case ExprKind::Designated:
        node(e, "designated");
        return expr(as<DesignatedExpr>(e)->value);
      case ExprKind::CompoundLiteral:
        node(e, "literal");
        return expr(as<CompoundLiteralExpr>(e)->list);
      case ExprKind::StatementExpr:
        node(e, "statements");
        return stmt(as<StatementExpr>(e)->body);
    }
  }

  void print_variable(const VarDecl* v) {
    if (!v->declarator) return line("type");
    std::string space =
        v->space == AddressSpace::Private ? "" : address_space_name(v->space) + std::string(" ");
    line(fmt::format("{}{} {}{}", space, v->is_typedef ? "typedef" : "variable", v->name,
                     v->type ? ": " + type_name(v->type) : ""));
    if (v->initializer) expr(v->initializer);
  }

  void parts(const char* word, std::initializer_list<const Expr*> exprs,
             std::initializer_list<const Stmt*> stmts) {
    line(word);
    for (const Expr* e : exprs) expr(e);
    for (const Stmt* s : stmts) stmt(s);
  }

  void print(const Stmt* s) {
    switch (s->kind) {
      case StmtKind::Error:
        return line("error");
      case StmtKind::Null:
        return line("null");
      case StmtKind::Expression:
        return print(as<ExpressionStmt>(s)->expression);
      case StmtKind::Return:
        return parts("return", {as<ExpressionStmt>(s)->expression}, {});
      case StmtKind::Throw:
        return parts("throw", {as<ExpressionStmt>(s)->expression}, {});
      case StmtKind::Break:
        return line("break");
      case StmtKind::Continue:
        return line("continue");
      case StmtKind::Declaration:
        for (const VarDecl* v : as<DeclarationStmt>(s)->variables) print_variable(v);
        return;
      case StmtKind::Compound:
        line("block");
        for (const Stmt* item : as<CompoundStmt>(s)->items) stmt(item);
        return;
      case StmtKind::If: {
        const IfStmt* i = as<IfStmt>(s);
        return parts("if", {i->condition}, {i->then_body, i->else_body});
      }
      case StmtKind::While:
        return parts("while", {as<LoopStmt>(s)->condition}, {as<LoopStmt>(s)->body});
      case StmtKind::Do:
        return parts("do", {as<LoopStmt>(s)->condition}, {as<LoopStmt>(s)->body});
      case StmtKind::For: {
        const LoopStmt* l = as<LoopStmt>(s);
        line("for");
        stmt(l->init);
        expr(l->condition);
        expr(l->step);
        return stmt(l->body);
      }
      case StmtKind::Switch:
        return parts("switch", {as<SwitchStmt>(s)->value}, {as<SwitchStmt>(s)->body});
      case StmtKind::Case:
        return line(as<CaseStmt>(s)->last ? fmt::format("case {} ... {}", as<CaseStmt>(s)->constant,
                                                        as<CaseStmt>(s)->last_constant)
                                          : fmt::format("case {}", as<CaseStmt>(s)->constant));
      case StmtKind::Default:
        return line("default");
      case StmtKind::Label:
        return line(fmt::format("label {}", as<LabelStmt>(s)->name));
      case StmtKind::Labeled:
        for (const Stmt* l : as<LabeledStmt>(s)->labels) print(l);
        return print(as<LabeledStmt>(s)->body);
      case StmtKind::Goto:
        return line(fmt::format("goto {}", as<GotoStmt>(s)->label));
      case StmtKind::Try:
        line("try");
        stmt(as<TryStmt>(s)->body);
        for (const Handler* h : as<TryStmt>(s)->handlers) {
          line(h->catches_all ? "catch ..."
                              : fmt::format("catch {}{}{}", h->type ? type_name(h->type) : "?",
                                            h->variable ? " " : "", h->variable ? h->variable->name : ""));
          stmt(h->body);
        }
        return;
    }
  }

  int indent_ = 0;
};

}  // namespace

std::string print_ast(const TranslationUnit& unit) {
  AstPrinter p;
  for (const TopLevel& item : unit.items) {
    const FunctionDecl* f = item.function;
    if (item.variable && item.variable->space == AddressSpace::Constant && !item.variable->is_typedef)
      p.variable(item.variable);
    if (!f) continue;
    std::string parameters;
    for (const VarDecl* v : f->parameters)
      parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", type_name(v->type), v->name);
    p.line(fmt::format("{} {}({}): {}", f->is_kernel ? "kernel" : "function", f->name, parameters,
                       f->return_type ? type_name(f->return_type) : "?"));
    p.stmt(f->body);
  }
  return p.out;
}

}  // namespace kc::front
