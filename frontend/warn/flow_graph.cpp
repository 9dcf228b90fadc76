// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/flow_graph.h"

#include <algorithm>

#include "frontend/sema/builtins.h"
#include "frontend/sema/value_range.h"
#include "frontend/warn/walk.h"
#include "ir/ids.h"

namespace kc::front {

namespace {

bool is_logical(const Expr* e) {
  return e->kind == ExprKind::Binary &&
         (as<BinaryExpr>(e)->op == BinaryOp::LogicalAnd || as<BinaryExpr>(e)->op == BinaryOp::LogicalOr);
}

class Builder {
 public:
  explicit Builder(const FunctionFlows& callees) : callees_(callees) {}

  FlowGraph run(const FunctionDecl& f) {
    labels_.assign(f.labels, kNone);
    current_ = block();
    g_.end = block();
    g_.returned = block();
    for (const VarDecl* p : f.parameters) event(FlowEvent::Write, p, p->range);
    statement(f.body);
    edge(current_, g_.end);
    return std::move(g_);
  }

 private:
  struct TryContext {
    TryContext* outer;
    std::vector<uint32_t> blocks;  // of the handlers
    size_t first;                  // their index in g_.handlers
  };

  uint32_t block() {
    g_.blocks.emplace_back();
    return static_cast<uint32_t>(g_.blocks.size() - 1);
  }
  void edge(uint32_t from, uint32_t to, bool never = false, const CaseStmt* label = nullptr) {
    g_.blocks[from].next.push_back({to, never, label});
  }
  void go_on_in(uint32_t b) { current_ = b; }
  void after_jump() { current_ = block(); }
  void jump(uint32_t to) {
    edge(current_, to);
    after_jump();
  }
  void event(FlowEvent::Kind kind, const VarDecl* v, SourceRange where, const Expr* value = nullptr,
             bool keeps = false) {
    if (v || kind == FlowEvent::Barrier) g_.blocks[current_].events.push_back({kind, v, where, value, keeps});
  }

  // ---- expressions ----
  void value(const Expr* e);
  void place(const Expr* e);
  void write(const Expr* e, const Expr* value, bool keeps);
  void binary(const BinaryExpr* e);
  void logical(const Expr* e);
  void assign(const AssignExpr* e);
  void condition(const Expr* e, uint32_t if_true, uint32_t if_false);
  void conditional(const ConditionalExpr* e);
  void call(const CallExpr* e);

  // ---- statements ----
  void statement(const Stmt* s);
  void declaration(const DeclarationStmt* s);
  void if_statement(const IfStmt* s);
  void loop(const LoopStmt* s);
  void body(const Stmt* s, uint32_t on_break, uint32_t on_continue);
  void switch_statement(const SwitchStmt* s);
  void case_label(const CaseStmt* s);
  uint32_t label_block(const LabelStmt* s);
  void enter_scopes(const VarDecl* from, const VarDecl* to);
  void try_statement(const TryStmt* s);
  void rethrow(SourceRange where);
  void raise(const Type* type, SourceRange where, const FunctionDecl* from = nullptr);

  const FunctionFlows& callees_;
  FlowGraph g_;
  uint32_t current_ = 0;
  std::vector<uint32_t> breaks_, continues_, labels_;
  std::unordered_map<const CaseStmt*, uint32_t> cases_;
  TryContext* try_ = nullptr;
  std::vector<size_t> open_handlers_;  // indices in g_.handlers
  bool only_labels_ = true;            // since the last case label
  bool falls_through_ = false;         // the previous statement is marked as falling through
  Position end_of_last_ = 0;           // of the previous statement
};

// ---- expressions ----

void Builder::value(const Expr* e) {
  if (!e || e->is_constant) return;
  switch (e->kind) {
    case ExprKind::Name:
      return event(FlowEvent::Read, as<NameExpr>(e)->variable, e->range);
    case ExprKind::Unary: {
      const UnaryExpr* u = as<UnaryExpr>(e);
      if (u->op == UnaryOp::AddressOf) {  // the variable may be written through its address
        place(u->operand);
        return write(u->operand, nullptr, true);
      }
      value(u->operand);
      if (u->op >= UnaryOp::PreInc) write(u->operand, nullptr, true);
      return;
    }
    case ExprKind::Binary:
      return binary(as<BinaryExpr>(e));
    case ExprKind::Assign:
      return assign(as<AssignExpr>(e));
    case ExprKind::Conditional:
      return conditional(as<ConditionalExpr>(e));
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
      return;
    case ExprKind::Cast:  // `(void)x` marks x as intentionally unused
      if (!e->type->is_void() || !named_variable(as<CastExpr>(e)->operand)) value(as<CastExpr>(e)->operand);
      return;
    case ExprKind::Call:
      return call(as<CallExpr>(e));
    default: {  // in a statement expression the value comes last
      Children below = children_of(e, {});
      for (const Stmt* s : below.statements) statement(s);
      for (const Operand& operand : below.expressions) value(operand.expression);
    }
  }
}

// Evaluates the operands that determine an lvalue's location.
void Builder::place(const Expr* e) {
  if (e->kind == ExprKind::Name) return;
  if (is_part(e)) return place(as<MemberExpr>(e)->base);
  for (const Operand& operand : children_of(e, {}).expressions) value(operand.expression);
}

void Builder::write(const Expr* e, const Expr* value, bool keeps) {
  for (; is_part(e); e = as<MemberExpr>(e)->base) keeps = true;
  if (e->kind == ExprKind::Name) event(FlowEvent::Write, as<NameExpr>(e)->variable, e->range, value, keeps);
}

// Walks left operands in a loop, since a chain of them does not count as depth.
void Builder::binary(const BinaryExpr* e) {
  if (is_logical(e)) return logical(e);
  std::vector<const Expr*> rights;
  const Expr* left = e;
  while ((left->kind == ExprKind::Binary && !is_logical(left)) || left->kind == ExprKind::Convert ||
         left->kind == ExprKind::Mask) {
    if (left->kind != ExprKind::Binary) {
      left = as<CastExpr>(left)->operand;
      continue;
    }
    rights.push_back(as<BinaryExpr>(left)->right);
    left = as<BinaryExpr>(left)->left;
  }
  value(left);
  for (size_t i = rights.size(); i-- > 0;) value(rights[i]);
}

void Builder::logical(const Expr* e) {
  uint32_t join = block();
  condition(e, join, join);
  go_on_in(join);
}

void Builder::assign(const AssignExpr* e) {
  if (e->compound)
    value(e->left);
  else
    place(e->left);
  value(e->right);
  write(e->left, e->right, e->compound);
}

void Builder::condition(const Expr* e, uint32_t if_true, uint32_t if_false) {
  const Expr* whole = e;
  e = without_conversions(e);
  if (e->kind == ExprKind::Unary && as<UnaryExpr>(e)->op == UnaryOp::Not && !e->is_constant)
    return condition(as<UnaryExpr>(e)->operand, if_false, if_true);
  if (is_logical(e) && !e->is_constant) {
    BinaryOp op = as<BinaryExpr>(e)->op;
    std::vector<const Expr*> operands;  // of a chain of the same operator, last first
    for (; e->kind == ExprKind::Binary && as<BinaryExpr>(e)->op == op && !e->is_constant;
         e = without_conversions(as<BinaryExpr>(e)->left))
      operands.push_back(as<BinaryExpr>(e)->right);
    operands.push_back(e);
    for (size_t i = operands.size(); i-- > 1;) {
      uint32_t next = block();
      condition(operands[i], op == BinaryOp::LogicalOr ? if_true : next,
                op == BinaryOp::LogicalOr ? next : if_false);
      go_on_in(next);
    }
    return condition(operands[0], if_true, if_false);
  }
  value(whole);
  g_.blocks[current_].condition = whole;
  edge(current_, if_true, whole->is_constant && whole->constant == 0);
  edge(current_, if_false, whole->is_constant && whole->constant != 0);
}

void Builder::conditional(const ConditionalExpr* e) {
  uint32_t if_true = block(), if_false = block(), join = block();
  condition(e->condition, if_true, if_false);
  go_on_in(if_true);
  value(e->if_true);
  edge(current_, join);
  go_on_in(if_false);
  value(e->if_false);
  edge(current_, join);
  go_on_in(join);
}

// An exception leaves after the arguments have been evaluated.
void Builder::call(const CallExpr* e) {
  for (const Expr* a : e->arguments) value(a);
  if (e->builtin && e->builtin->is_barrier()) event(FlowEvent::Barrier, nullptr, e->range);
  if (e->call_kind != CallKind::Function) return;
  auto known = callees_.find(e->function->definition);
  if (known == callees_.end()) return;
  const FunctionFlow& flow = known->second;
  if (flow.has_barrier) event(FlowEvent::Barrier, nullptr, e->range);
  if (flow.returns && flow.throws.empty()) return;
  uint32_t back = block();
  g_.blocks[current_].call = e;
  if (flow.returns) edge(current_, back);
  for (const Type* type : flow.throws) raise(type, e->range, e->function);
  go_on_in(back);
}

// ---- statements ----

void Builder::statement(const Stmt* s) {
  if (!s) return;
  g_.starts[s] = current_;
  bool is_label = s->kind == StmtKind::Case || s->kind == StmtKind::Default || s->kind == StmtKind::Label ||
                  s->kind == StmtKind::Compound || s->kind == StmtKind::Labeled;
  if (!is_label) {
    only_labels_ = false;
    falls_through_ = s->falls_through;
  }
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
      break;
    case StmtKind::Expression:
      value(as<ExpressionStmt>(s)->expression);
      break;
    case StmtKind::Declaration:
      declaration(as<DeclarationStmt>(s));
      break;
    case StmtKind::Compound:
      for (const Stmt* item : as<CompoundStmt>(s)->items) statement(item);
      break;
    case StmtKind::If:
      if_statement(as<IfStmt>(s));
      break;
    case StmtKind::While:
    case StmtKind::Do:
    case StmtKind::For:
      loop(as<LoopStmt>(s));
      break;
    case StmtKind::Switch:
      switch_statement(as<SwitchStmt>(s));
      break;
    case StmtKind::Case:
    case StmtKind::Default:
      return case_label(as<CaseStmt>(s));
    case StmtKind::Label: {
      uint32_t b = label_block(as<LabelStmt>(s));
      edge(current_, b);
      go_on_in(b);
      g_.starts[s] = b;
      return;
    }
    case StmtKind::Labeled:
      for (const Stmt* label : as<LabeledStmt>(s)->labels) statement(label);
      statement(as<LabeledStmt>(s)->body);
      g_.starts[s] = g_.starts[as<LabeledStmt>(s)->labels[0]];
      break;
    case StmtKind::Goto:
      enter_scopes(as<GotoStmt>(s)->scope, as<GotoStmt>(s)->target->scope);
      jump(label_block(as<GotoStmt>(s)->target));
      break;
    case StmtKind::Break:
      jump(breaks_.back());
      break;
    case StmtKind::Continue:
      jump(continues_.back());
      break;
    case StmtKind::Return:
      value(as<ExpressionStmt>(s)->expression);
      g_.blocks[current_].result = as<ExpressionStmt>(s)->expression;
      jump(g_.returned);
      break;
    case StmtKind::Try:
      try_statement(as<TryStmt>(s));
      break;
    case StmtKind::Throw:
      if (const Expr* e = as<ExpressionStmt>(s)->expression) {
        value(e);
        raise(e->type, s->range);
      } else {
        rethrow(s->range);
      }
      after_jump();
      break;
  }
  if (s->kind != StmtKind::Compound) end_of_last_ = s->range.end;
}

void Builder::declaration(const DeclarationStmt* s) {
  for (const VarDecl* v : s->variables) {
    if (v->is_typedef || v->name.empty()) continue;  // a tag alone has no name
    event(FlowEvent::Declare, v, v->range);
    if (!v->initializer) continue;
    value(v->initializer);
    event(FlowEvent::Write, v, v->range, v->initializer);
  }
}

void Builder::if_statement(const IfStmt* s) {
  uint32_t then_block = block(), join = block(), else_block = s->else_body ? block() : join;
  condition(s->condition, then_block, else_block);
  go_on_in(then_block);
  statement(s->then_body);
  edge(current_, join);
  if (s->else_body) {
    go_on_in(else_block);
    statement(s->else_body);
    edge(current_, join);
  }
  go_on_in(join);
}

void Builder::body(const Stmt* s, uint32_t on_break, uint32_t on_continue) {
  breaks_.push_back(on_break);
  continues_.push_back(on_continue);
  statement(s);
  breaks_.pop_back();
  continues_.pop_back();
}

// A loop with a constant true condition is left only by jumps.
void Builder::loop(const LoopStmt* s) {
  statement(s->init);
  bool forever = !s->condition || (s->condition->is_constant && s->condition->constant != 0);
  bool is_do = s->kind == StmtKind::Do;
  uint32_t test = block(), body_block = block(), exit = block();
  uint32_t step = s->kind == StmtKind::For ? block() : test;
  edge(current_, is_do ? body_block : test);
  if (!is_do) go_on_in(test);
  auto decide = [&] {
    if (forever)
      edge(current_, body_block);
    else
      condition(s->condition, body_block, exit);
  };
  if (!is_do) decide();
  go_on_in(body_block);
  body(s->body, exit, step);
  edge(current_, step);
  if (step != test) {
    go_on_in(step);
    value(s->step);
    edge(current_, test);
  }
  if (is_do) {
    go_on_in(test);
    decide();
  }
  go_on_in(exit);
}

// Whether the switch has a case for every value.
bool covers_all(const SwitchStmt* s) {
  ValueRange range = range_of(s->value);
  WideInt labels = 0;
  for (const CaseStmt* c = s->cases; c; c = c->next) {
    if (c->kind == StmtKind::Default) return true;
    auto value = [&](int64_t v) {
      return s->value->type->is_signed() ? WideInt{v} : WideInt{static_cast<uint64_t>(v)};
    };
    WideInt first = std::max(value(c->constant), range.low);
    WideInt last = std::min(value(c->last ? c->last_constant : c->constant), range.high);
    labels += std::max<WideInt>(0, last - first + 1);
  }
  return labels == range.high - range.low + 1;
}

void Builder::switch_statement(const SwitchStmt* s) {
  value(s->value);
  uint32_t exit = block(), dispatch = current_;
  g_.blocks[dispatch].choice = s;
  for (const CaseStmt* c = s->cases; c; c = c->next) {
    uint32_t entry = block(), target = block();
    cases_[c] = target;
    edge(dispatch, entry, false, c);
    go_on_in(entry);
    enter_scopes(s->scope, c->scope);
    edge(current_, target);
  }
  if (!covers_all(s)) edge(dispatch, exit);
  after_jump();
  breaks_.push_back(exit);
  statement(s->body);
  breaks_.pop_back();
  edge(current_, exit);
  go_on_in(exit);
}

void Builder::case_label(const CaseStmt* s) {
  auto known = cases_.find(s);
  if (known == cases_.end()) return;
  if (!only_labels_ && !falls_through_) g_.case_entries.push_back({s, current_, end_of_last_});
  edge(current_, known->second);
  go_on_in(known->second);
  g_.starts[s] = current_;
  only_labels_ = true;
}

uint32_t Builder::label_block(const LabelStmt* s) {
  uint32_t& b = labels_[s->index];
  if (b == kNone) b = block();
  return b;
}

// Variables whose scope a jump enters have no value there. Both lists lead outwards, with decreasing indices.
void Builder::enter_scopes(const VarDecl* from, const VarDecl* to) {
  while (to != from) {
    if (!from || (to && to->index > from->index)) {
      event(FlowEvent::Declare, to, to->range);
      to = to->outer;
    } else {
      from = from->outer;
    }
  }
}

void Builder::try_statement(const TryStmt* s) {
  TryContext context{try_, {}, g_.handlers.size()};
  for (const Handler* h : s->handlers) {
    context.blocks.push_back(block());
    g_.handlers.push_back({h, s, {}});
  }
  try_ = &context;
  statement(s->body);
  try_ = context.outer;
  uint32_t join = block();
  edge(current_, join);
  for (size_t i = 0; i < context.blocks.size(); ++i) {
    go_on_in(context.blocks[i]);
    const Handler* h = s->handlers[i];
    if (h->variable) event(FlowEvent::Write, h->variable, h->variable->range);
    open_handlers_.push_back(context.first + i);
    statement(h->body);
    open_handlers_.pop_back();
    edge(current_, join);
  }
  go_on_in(join);
}

void Builder::raise(const Type* type, SourceRange where, const FunctionDecl* from) {
  for (TryContext* context = try_; context; context = context->outer)
    for (size_t i = 0; i < context->blocks.size(); ++i) {
      FlowGraph::Reached& reached = g_.handlers[context->first + i];
      bool caught = reached.handler->catches_all || reached.handler->type == type;
      std::vector<const Type*>& list = caught ? reached.types : reached.others;
      if (std::find(list.begin(), list.end(), type) == list.end()) list.push_back(type);
      if (!caught) continue;
      edge(current_, context->blocks[i]);
      return;
    }
  g_.escapes.push_back({type, where, current_, from});
}

void Builder::rethrow(SourceRange where) {
  std::vector<const Type*> types = g_.handlers[open_handlers_.back()].types;
  for (const Type* type : types) raise(type, where);
}

}  // namespace

FlowGraph build_flow_graph(const FunctionDecl& f, const FunctionFlows& callees) {
  return Builder(callees).run(f);
}

std::vector<bool> reachable_blocks(const FlowGraph& g, bool believe_constants) {
  std::vector<bool> reached(g.blocks.size());
  std::vector<uint32_t> pending{0};
  reached[0] = true;
  while (!pending.empty()) {
    uint32_t b = pending.back();
    pending.pop_back();
    for (const FlowEdge& e : g.blocks[b].next)
      if (!reached[e.to] && !(e.never && believe_constants)) {
        reached[e.to] = true;
        pending.push_back(e.to);
      }
  }
  return reached;
}

FunctionFlow summarize(const FlowGraph& g) {
  std::vector<bool> reached = reachable_blocks(g, false);
  FunctionFlow flow;
  flow.returns = reached[g.end] || reached[g.returned];
  for (const FlowBlock& b : g.blocks)
    for (const FlowEvent& e : b.events) flow.has_barrier |= e.kind == FlowEvent::Barrier;
  for (const FlowGraph::Escape& e : g.escapes)
    if (reached[e.block] && std::find(flow.throws.begin(), flow.throws.end(), e.type) == flow.throws.end())
      flow.throws.push_back(e.type);
  return flow;
}

}  // namespace kc::front
