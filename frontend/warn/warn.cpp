// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/warn.h"

#include <vector>

#include "frontend/sema/builtins.h"

namespace kc::front {

void warn(const TranslationUnit& unit, Diagnostics& diagnostics) {
  const WholeTrees whole(unit, diagnostics);
  const std::unique_ptr<UnusedWarnings> unused = unused_warnings(diagnostics);
  const std::unique_ptr<Visitor> others[] = {expression_warnings(diagnostics), constant_warnings(diagnostics),
                                             conversion_warnings(diagnostics),
                                             statement_warnings(diagnostics)};
  std::vector<Visitor*> visitors{unused.get()};
  for (const auto& v : others) visitors.push_back(v.get());
  const std::span<Visitor* const> local = std::span(visitors).subspan(1);
  warn_flow(unit, whole, diagnostics);
  for (const TopLevel& item : unit.items) {
    const FunctionDecl* f = item.function;
    if (!f || !f->body || f->is_prelude) continue;
    if (!whole.contains(*f)) {
      for (const Stmt* s : whole.parts_of(*f)) walk(s, local);
      continue;
    }
    unused->enter(*f);
    walk(f->body, visitors);
    warn_shadowed(*f, diagnostics);
  }
  unused->report();
}

bool has_attribute(const SpecifierList& list, std::string_view name) {
  for (const Specifier* s = list.first; s; s = s->next)
    for (const Attribute& a : s->attributes) {
      std::string_view n = a.name;
      if (n.size() > 4 && n.starts_with("__") && n.ends_with("__")) n = n.substr(2, n.size() - 4);
      if (n == name) return true;
    }
  return false;
}

bool same_expression(const Expr* a, const Expr* b) {
  std::vector<std::pair<const Expr*, const Expr*>> pending{{a, b}};
  while (!pending.empty()) {
    auto [x, y] = pending.back();
    pending.pop_back();
    if (!x || !y || x->kind != y->kind || x->type != y->type) return false;
    bool same = true;
    switch (x->kind) {
      case ExprKind::Number:
      case ExprKind::Character:
        same = as<NumberExpr>(x)->text == as<NumberExpr>(y)->text;
        break;
      case ExprKind::Name:
        same = as<NameExpr>(x)->variable == as<NameExpr>(y)->variable;
        break;
      case ExprKind::Unary:
        same = as<UnaryExpr>(x)->op == as<UnaryExpr>(y)->op;
        break;
      case ExprKind::Binary:
        same = as<BinaryExpr>(x)->op == as<BinaryExpr>(y)->op;
        break;
      case ExprKind::Call: {
        const CallExpr *c = as<CallExpr>(x), *d = as<CallExpr>(y);
        same = c->call_kind == d->call_kind && c->function == d->function && c->builtin == d->builtin;
        break;
      }
      case ExprKind::Member:
        same = as<MemberExpr>(x)->member == as<MemberExpr>(y)->member &&
               as<MemberExpr>(x)->arrow == as<MemberExpr>(y)->arrow;
        break;
      case ExprKind::Swizzle:
        same = as<MemberExpr>(x)->selection == as<MemberExpr>(y)->selection;
        break;
      case ExprKind::Cast:
      case ExprKind::Convert:
      case ExprKind::Index:
      case ExprKind::Conditional:
        break;
      default:
        same = false;
    }
    if (!same) return false;
    Children below = children_of(x, {}), others = children_of(y, {});
    if (below.expressions.size() != others.expressions.size()) return false;
    for (size_t i = 0; i < below.expressions.size(); ++i)
      pending.push_back({below.expressions[i].expression, others.expressions[i].expression});
  }
  return true;
}

bool has_effects(const Expr* e) {
  std::vector<const Expr*> pending{e};
  while (!pending.empty()) {
    const Expr* x = pending.back();
    pending.pop_back();
    switch (x->kind) {
      case ExprKind::Assign:
        return true;
      case ExprKind::Unary:
        if (as<UnaryExpr>(x)->op >= UnaryOp::PreInc) return true;
        break;
      case ExprKind::Call:
        if (as<CallExpr>(x)->builtin ? as<CallExpr>(x)->builtin->has_effects()
                                     : as<CallExpr>(x)->call_kind == CallKind::Function ||
                                           as<CallExpr>(x)->call_kind == CallKind::Access)
          return true;
        break;
      case ExprKind::Name:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::Swizzle:
        if (x->qualifiers & Volatile) return true;
        break;
      default:
        break;
    }
    Children below = children_of(x, {});
    if (!below.statements.empty()) return true;
    for (auto& [operand, use] : below.expressions)
      if (!use.unevaluated) pending.push_back(operand);
  }
  return false;
}

}  // namespace kc::front
