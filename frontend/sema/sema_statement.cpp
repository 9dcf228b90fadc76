// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/sema/sema.h"
#include "ir/function.h"

namespace kc::front {

void Sema::check_function(FunctionDecl* f) {
  function_ = f;
  visible_ = nullptr;
  regions_ = {JumpRegion{}};
  region_ = 0;
  labels_.clear();
  gotos_.clear();
  push_scope();
  for (VarDecl* p : f->parameters) declare(p->name, p->range, {p, nullptr});
  if (f->body->kind == StmtKind::Compound)
    for (Stmt*& item : as<CompoundStmt>(f->body)->items) check_stmt(item);
  check_gotos();
  pop_scope();
  function_ = nullptr;
}

// The body of an if or a loop has its own scope.
void Sema::check_body(Stmt*& s) {
  push_scope();
  check_stmt(s);
  pop_scope();
}

void Sema::check_condition(Expr*& e) {
  e = check_value(e);
  if (!e->type->is_error() && !e->type->is_scalar()) {
    diagnostics_.error(e->range, fmt::format("statement requires expression of scalar type ('{}' invalid)",
                                             type_name(e->type)));
    failed(e);
  }
}

void Sema::check_stmt(Stmt*& s) {
  if (diagnostics_.saturated()) return;
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
      return;
    case StmtKind::Expression:
      as<ExpressionStmt>(s)->expression = check(as<ExpressionStmt>(s)->expression);
      return;
    case StmtKind::Declaration:
      for (VarDecl* v : as<DeclarationStmt>(s)->variables) declare_local(v);
      return;
    case StmtKind::Compound:
      push_scope();
      for (Stmt*& item : as<CompoundStmt>(s)->items) check_stmt(item);
      return pop_scope();
    case StmtKind::If: {
      IfStmt* i = as<IfStmt>(s);
      check_condition(i->condition);
      check_body(i->then_body);
      if (i->else_body) check_body(i->else_body);
      return;
    }
    case StmtKind::While:
    case StmtKind::Do:
    case StmtKind::For:
      return check_loop(as<LoopStmt>(s));
    case StmtKind::Switch:
      return check_switch(as<SwitchStmt>(s));
    case StmtKind::Case:
    case StmtKind::Default:
      return check_case(as<CaseStmt>(s));
    case StmtKind::Label:
      return check_label(as<LabelStmt>(s));
    case StmtKind::Labeled:
      for (Stmt*& label : as<LabeledStmt>(s)->labels) check_stmt(label);
      return check_stmt(as<LabeledStmt>(s)->body);
    case StmtKind::Goto: {
      GotoStmt* g = as<GotoStmt>(s);
      g->scope = visible_;
      g->region = region_;
      gotos_.push_back(g);
      return;
    }
    case StmtKind::Break:
    case StmtKind::Continue:
      return check_break(s);
    case StmtKind::Return:
      return check_return(as<ExpressionStmt>(s));
    case StmtKind::Throw:
      return check_throw(as<ExpressionStmt>(s));
    case StmtKind::Try:
      return check_try(as<TryStmt>(s));
  }
}

// Without a number, the compiler chooses; a number is the unroll factor; 1 disables unrolling.
void Sema::check_unroll_hint(LoopStmt* s) {
  const Attribute& a = *s->unroll_hint;
  s->unroll = UnrollFully;
  if (a.arguments.empty()) return;
  Expr* e = a.arguments[0] = check_value(a.arguments[0]);
  if (e->type->is_error()) return;
  if (a.arguments.size() == 1 && e->is_constant && e->constant > 0 && e->constant < UnrollFully) {
    s->unroll = static_cast<uint32_t>(e->constant);
    return;
  }
  s->unroll = NoUnrollHint;
  diagnostics_.warning(Warning::UnknownAttributes, a.range,
                       fmt::format("'{}' takes an integer constant above 0; it is ignored", a.name));
}

void Sema::check_loop(LoopStmt* s) {
  if (s->unroll_hint) check_unroll_hint(s);
  push_scope();
  if (s->init) check_stmt(s->init);
  if (s->condition && s->kind != StmtKind::Do) check_condition(s->condition);
  if (s->step) s->step = check(s->step);
  ++loops_;
  breakable_.push_back(true);
  check_body(s->body);
  breakable_.pop_back();
  --loops_;
  if (s->kind == StmtKind::Do) check_condition(s->condition);
  pop_scope();
}

void Sema::check_switch(SwitchStmt* s) {
  s->value = check_value(s->value);
  if (!s->value->type->is_error()) {
    if (s->value->type->is_integer()) {
      s->value = promote(s->value);
    } else {
      diagnostics_.error(s->value->range,
                         fmt::format("statement requires expression of integer type ('{}' invalid)",
                                     type_name(s->value->type)));
      failed(s->value);
    }
  }
  s->scope = visible_;
  switches_.push_back(s);
  last_cases_.push_back(nullptr);
  switch_regions_.push_back(region_);
  case_values_.emplace_back();
  breakable_.push_back(false);
  check_body(s->body);
  breakable_.pop_back();
  case_values_.pop_back();
  switch_regions_.pop_back();
  last_cases_.pop_back();
  switches_.pop_back();
}

void Sema::check_case(CaseStmt* s) {
  const char* word = s->kind == StmtKind::Case ? "case" : "default";
  if (s->value) s->value = check_value(s->value);
  if (switches_.empty()) {
    diagnostics_.error(s->range, fmt::format("'{}' statement not in switch statement", word));
    return;
  }
  SwitchStmt* owner = switches_.back();
  if (switch_regions_.back() != region_) {
    diagnostics_
        .error(s->range,
               fmt::format("'{}' label inside {} belongs to a switch outside it", word,
                           regions_[region_].kind == JumpRegion::Exception ? "a 'try' body or handler"
                                                                           : "a statement expression"))
        .note(owner->range, "the switch is here");
    return;
  }
  s->scope = visible_;
  if (s->kind == StmtKind::Default) {
    for (CaseStmt* c = owner->cases; c; c = c->next)
      if (c->kind == StmtKind::Default) {
        diagnostics_.error(s->range, "multiple default labels in one switch")
            .note(c->range, "previous default is here");
        return;
      }
  } else {
    if (s->value->type->is_error() || owner->value->type->is_error()) return;
    if (!s->value->is_constant) {
      diagnostics_.error(s->value->range, "expression is not an integer constant expression");
      return;
    }
    if (!check_case_value(s, owner->value->type)) return;
  }
  (last_cases_.back() ? last_cases_.back()->next : owner->cases) = s;
  last_cases_.back() = s;
}

// Checks the value or range of values of a case; it must not overlap an earlier case.
bool Sema::check_case_value(CaseStmt* s, const Type* type) {
  s->constant = s->last_constant = canonical(s->value->constant, type);
  if (s->last) {
    s->last = check_value(s->last);
    if (s->last->type->is_error()) return false;
    if (!s->last->is_constant) {
      diagnostics_.error(s->last->range, "expression is not an integer constant expression");
      return false;
    }
    s->last_constant = canonical(s->last->constant, type);
  }
  auto below = [&](int64_t a, int64_t b) {
    return type->is_signed() ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  };
  if (below(s->last_constant, s->constant)) {
    diagnostics_.warning(Warning::EmptyCaseRange, {s->value->range.begin, s->last->range.end},
                         "empty case range specified");
    return true;
  }
  // Ranges are sorted by last value. Only the first range that does not end below this one can overlap it.
  uint64_t bias = type->is_signed() ? uint64_t{1} << 63 : 0;
  uint64_t first = static_cast<uint64_t>(s->constant) ^ bias,
           last = static_cast<uint64_t>(s->last_constant) ^ bias;
  auto& known = case_values_.back();
  auto at = known.lower_bound(first);
  if (at != known.end() && (static_cast<uint64_t>(at->second->constant) ^ bias) <= last) {
    diagnostics_.error(s->value->range, fmt::format("duplicate case value '{}'", s->constant))
        .note(at->second->value->range, "previous case defined here");
    return false;
  }
  known.emplace(last, s);
  return true;
}

void Sema::check_label(LabelStmt* s) {
  s->scope = visible_;
  s->region = region_;
  s->index = function_->labels++;
  auto [at, fresh] = labels_.emplace(s->name, s);
  if (!fresh)
    diagnostics_.error(s->range, fmt::format("redefinition of label '{}'", s->name))
        .note(at->second->range, "previous definition is here");
}

void Sema::check_gotos() {
  for (GotoStmt* g : gotos_) {
    auto found = labels_.find(g->label);
    if (found == labels_.end()) {
      if (tainted_.contains(g->label)) continue;
      std::vector<std::string_view> names;
      for (auto& [name, label] : labels_) names.push_back(name);
      undeclared("label", g->label, g->label_range, names);
      continue;
    }
    g->target = found->second;
    g->target->used = true;
    uint32_t r = g->region;
    while (r != 0 && r != g->target->region) r = regions_[r].parent;
    if (r != g->target->region)
      diagnostics_.error(g->range, "cannot jump from this goto statement to its label")
          .note(g->target->range, regions_[g->target->region].kind == JumpRegion::Exception
                                      ? "the jump would enter a 'try' body or a handler"
                                      : "the jump would enter a statement expression");
  }
}

void Sema::open_region(JumpRegion::Kind kind) {
  regions_.push_back({kind, region_});
  region_ = static_cast<uint32_t>(regions_.size() - 1);
}

void Sema::check_break(Stmt* s) {
  bool is_break = s->kind == StmtKind::Break;
  if (is_break ? breakable_.empty() : loops_ == 0)
    diagnostics_.error(s->range, is_break ? "'break' statement not in loop or switch statement"
                                          : "'continue' statement not in loop statement");
}

void Sema::check_return(ExpressionStmt* s) {
  const Type* to = function_->return_type;
  if (!s->expression) {
    if (!to->is_void() && !to->is_error())
      diagnostics_.error(s->range,
                         fmt::format("non-void function '{}' should return a value", function_->name));
    return;
  }
  s->expression = decay(check(s->expression));
  const Type* from = s->expression->type;
  if (from->is_error() || to->is_error()) return;
  if (to->is_void()) {
    if (!from->is_void())
      diagnostics_.error(s->expression->range,
                         fmt::format("void function '{}' should not return a value", function_->name));
    return;
  }
  if (from->is_void()) {
    diagnostics_.error(
        s->expression->range,
        fmt::format("returning 'void' from a function with incompatible result type '{}'", type_name(to)));
    return;
  }
  s->expression = coerce(s->expression, to, Use::Return, s->expression->range);
}

void Sema::check_throw(ExpressionStmt* s) {
  if (!s->expression) {
    if (handlers_ == 0)
      diagnostics_.error(s->range, "'throw;' can only rethrow inside a handler of this function");
    return;
  }
  s->expression = check_value(s->expression);
  const Type* type = s->expression->type;
  if (!type->is_error() && !type->is_arithmetic() && !type->is_record())
    diagnostics_.error(s->expression->range,
                       fmt::format("a value of type '{}' cannot be thrown", type_name(type)));
}

void Sema::check_try(TryStmt* s) {
  uint32_t outer = region_;
  open_region(JumpRegion::Exception);
  check_stmt(s->body);
  region_ = outer;
  std::vector<Handler*> seen;
  for (Handler* h : s->handlers) {
    if (!seen.empty() && seen.back()->catches_all)
      diagnostics_.error(seen.back()->range, "catch-all handler must come last");
    check_handler(h, outer);
    for (Handler* earlier : seen)
      if (h->type && earlier->type == h->type && !h->type->is_error())
        diagnostics_
            .warning(
                Warning::DeadHandler, h->range,
                fmt::format("exception of type '{}' is caught by an earlier handler", type_name(h->type)))
            .note(earlier->range, "this one");
    seen.push_back(h);
  }
}

void Sema::check_handler(Handler* h, uint32_t outer_region) {
  open_region(JumpRegion::Exception);
  push_scope();
  if (h->parameter) {
    h->type = resolve_type_name(h->parameter);
    if (!h->type->is_error() && !h->type->is_arithmetic() &&
        !(h->type->is_record() && h->type->is_complete())) {
      diagnostics_.error(h->parameter->range,
                         fmt::format("a value of type '{}' cannot be caught", type_name(h->type)));
      h->type = types_.get(TypeKind::Error);
    }
    if (!h->parameter->declarator->name.empty()) {
      h->variable = arena_.make<VarDecl>();
      h->variable->name = h->parameter->declarator->name;
      h->variable->range = h->parameter->declarator->range;
      h->variable->type = h->type;
      h->variable->in_memory = h->type->parts() == 0;
      declare(h->variable->name, h->variable->range, {h->variable, nullptr});
      add_local(h->variable);
    }
  }
  ++handlers_;
  check_stmt(h->body);
  --handlers_;
  pop_scope();
  region_ = outer_region;
}

}  // namespace kc::front
