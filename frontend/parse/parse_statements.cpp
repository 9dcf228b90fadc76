// SPDX-License-Identifier: Apache-2.0
// Builds the statement nodes for the grammar's actions.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse/parse_driver.h"

namespace kc::front {

Stmt* ParseDriver::simple(StmtKind kind, SourceRange range) {
  Stmt* s = arena_.make<Stmt>();
  s->kind = kind;
  s->range = range;
  return s;
}

// `__attribute__((fallthrough));`, `__attribute__((opencl_unroll_hint(4)))` before a loop; others have no
// meaning.
Stmt* ParseDriver::attributed(const SpecifierList& attributes, Stmt* s) {
  const bool loop = s->kind == StmtKind::For || s->kind == StmtKind::While || s->kind == StmtKind::Do;
  for (const Specifier* list = attributes.first; list; list = list->next)
    for (const Attribute& a : list->attributes) {
      const bool hint = a.name == "opencl_unroll_hint" || a.name == "__opencl_unroll_hint__";
      if (s->kind == StmtKind::Label && (a.name == "unused" || a.name == "__unused__")) continue;
      const bool falls = a.name == "fallthrough" || a.name == "__fallthrough__";
      if (hint && loop)
        static_cast<LoopStmt*>(s)->unroll_hint = &a;
      else if (falls && s->kind == StmtKind::Null)
        s->falls_through = true;
      else
        diagnostics_.warning(Warning::UnknownAttributes, a.range,
                             hint || falls ? fmt::format("attribute '{}' has no meaning here", a.name)
                                           : fmt::format("unknown attribute '{}' ignored", a.name));
    }
  return s;
}

Stmt* ParseDriver::expression(StmtKind kind, Expr* e, SourceRange range) {
  ExpressionStmt* s = arena_.make<ExpressionStmt>();
  s->kind = kind;
  s->range = range;
  s->expression = e;
  return s;
}

Stmt* ParseDriver::compound(Chain<Stmt*> items, SourceRange range) {
  CompoundStmt* s = arena_.make<CompoundStmt>();
  s->kind = StmtKind::Compound;
  s->range = range;
  s->items = arena_.copy(items);
  int depth = 0;
  for (Stmt* item : s->items) depth = std::max(depth, depth_of(item));
  return checked(s, {depth});
}

Stmt* ParseDriver::labeled(Chain<Stmt*> labels, Stmt* body, SourceRange range) {
  LabeledStmt* s = arena_.make<LabeledStmt>();
  s->kind = StmtKind::Labeled;
  s->range = range;
  s->labels = arena_.copy(labels);
  s->body = body;
  return checked(s, {depth_of(body)});
}

Stmt* ParseDriver::label(std::string_view name, SourceRange range) {
  LabelStmt* s = arena_.make<LabelStmt>();
  s->kind = StmtKind::Label;
  s->range = range;
  s->name = name;
  return s;
}

Stmt* ParseDriver::case_label(Expr* value, Expr* last, SourceRange range) {
  CaseStmt* s = arena_.make<CaseStmt>();
  s->kind = value ? StmtKind::Case : StmtKind::Default;
  s->range = range;
  s->value = value;
  s->last = last;
  return s;
}

Stmt* ParseDriver::if_statement(Expr* condition, Stmt* then_body, Stmt* else_body, SourceRange range) {
  IfStmt* s = arena_.make<IfStmt>();
  s->kind = StmtKind::If;
  s->range = range;
  s->condition = condition;
  s->then_body = then_body;
  s->else_body = else_body;
  return checked(s, {depth_of(condition), depth_of(then_body), depth_of(else_body)});
}

Stmt* ParseDriver::switch_statement(Expr* value, Stmt* body, SourceRange range) {
  SwitchStmt* s = arena_.make<SwitchStmt>();
  s->kind = StmtKind::Switch;
  s->range = range;
  s->value = value;
  s->body = body;
  return checked(s, {depth_of(value), depth_of(body)});
}

LoopStmt* ParseDriver::loop(StmtKind kind, Expr* condition, Stmt* body, SourceRange range) {
  LoopStmt* s = arena_.make<LoopStmt>();
  s->kind = kind;
  s->range = range;
  s->condition = condition;
  s->body = body;
  if (auto hint = unroll_hints_.find(range.begin); hint != unroll_hints_.end()) s->unroll = hint->second;
  return s;
}

Stmt* ParseDriver::while_loop(Expr* condition, Stmt* body, SourceRange range) {
  return checked(loop(StmtKind::While, condition, body, range), {depth_of(condition), depth_of(body)});
}

Stmt* ParseDriver::do_loop(Stmt* body, Expr* condition, SourceRange range) {
  return checked(loop(StmtKind::Do, condition, body, range), {depth_of(condition), depth_of(body)});
}

Stmt* ParseDriver::for_loop(Stmt* init, Expr* condition, Expr* step, Stmt* body, SourceRange range) {
  pop_scope();
  LoopStmt* s = loop(StmtKind::For, condition, body, range);
  s->init = init;
  s->step = step;
  return checked(s, {depth_of(init), depth_of(condition), depth_of(step), depth_of(body)});
}

Stmt* ParseDriver::goto_statement(std::string_view label, SourceRange label_range, SourceRange range) {
  GotoStmt* s = arena_.make<GotoStmt>();
  s->kind = StmtKind::Goto;
  s->range = range;
  s->label = label;
  s->label_range = label_range;
  return s;
}

Stmt* ParseDriver::try_statement(Stmt* body, Chain<Handler*> handlers, SourceRange range) {
  TryStmt* s = arena_.make<TryStmt>();
  s->kind = StmtKind::Try;
  s->range = range;
  s->body = body;
  s->handlers = arena_.copy(handlers);
  int depth = depth_of(body);
  for (Handler* h : s->handlers) depth = std::max(depth, depth_of(h->body));
  return checked(s, {depth});
}

Handler* ParseDriver::handler_head(TypeName* parameter, SourceRange range) {
  Handler* h = arena_.make<Handler>();
  h->parameter = parameter;
  h->catches_all = !parameter;
  h->range = range;
  push_scope();
  if (parameter) declare_name(parameter->declarator->name, false);
  return h;
}

Handler* ParseDriver::handler(Handler* head, Stmt* body) {
  head->body = body;
  return head;
}

}  // namespace kc::front
