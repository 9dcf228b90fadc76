// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/lower.h"

namespace kc::front {

void KernelLowering::lower_all(std::span<Stmt*> items) {
  for (const Stmt* s : items) lower(s);
}

// Calls between two barriers share regions, also in functions that cannot be shared.
void KernelLowering::lower_block(const CompoundStmt* s) {
  if (in_run_ || !open_regions_.empty() || !plan_.has_runs(frame_->function)) return lower_all(s->items);
  size_t next = 0;
  for (const CallRun& run : plan_.runs_of(s)) {
    lower_all(s->items.subspan(next, run.first - next));
    if (failed_) return;
    lower_regions(run.regions, s->range);
    in_run_ = true;
    lower_all(s->items.subspan(run.first, run.end - run.first));
    in_run_ = false;
    open_regions_.clear();
    next = run.end;
  }
  lower_all(s->items.subspan(next));
}

// Code after a jump is unreachable up to the next label.
void KernelLowering::after_jump() { start(new_block("dead")); }

void KernelLowering::lower(const Stmt* s) {
  if (over_budget(s->range)) return;
  ++nesting_;
  at(s->range);
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
      break;
    case StmtKind::Expression:
      lower(as<ExpressionStmt>(s)->expression);
      break;
    case StmtKind::Declaration:
      lower_declaration(as<DeclarationStmt>(s));
      break;
    case StmtKind::Compound:
      lower_block(as<CompoundStmt>(s));
      break;
    case StmtKind::If:
      lower_if(as<IfStmt>(s));
      break;
    case StmtKind::While:
      lower_while(as<LoopStmt>(s));
      break;
    case StmtKind::Do:
      lower_do(as<LoopStmt>(s));
      break;
    case StmtKind::For:
      lower_for(as<LoopStmt>(s));
      break;
    case StmtKind::Switch:
      lower_switch(as<SwitchStmt>(s));
      break;
    case StmtKind::Case:
    case StmtKind::Default: {
      BlockId block = frame_->cases.at(as<CaseStmt>(s));
      b_.br(block);
      start(block);
      break;
    }
    case StmtKind::Label: {
      BlockId block = label_block(as<LabelStmt>(s));
      b_.br(block);
      start(block);
      break;
    }
    case StmtKind::Labeled:
      lower_all(as<LabeledStmt>(s)->labels);
      lower(as<LabeledStmt>(s)->body);
      break;
    case StmtKind::Goto:
      lower_goto(as<GotoStmt>(s));
      break;
    case StmtKind::Break:
      anchor_in_loops();
      b_.br(frame_->breaks.back());
      after_jump();
      break;
    case StmtKind::Continue:
      b_.br(frame_->continues.back());
      after_jump();
      break;
    case StmtKind::Return:
      lower_return(as<ExpressionStmt>(s));
      break;
    case StmtKind::Try:
      lower_try(as<TryStmt>(s));
      break;
    case StmtKind::Throw:
      lower_throw(as<ExpressionStmt>(s));
      break;
  }
  --nesting_;
}

// A variable without an initializer is set to 0 at each execution of its declaration.
void KernelLowering::lower_declaration(const DeclarationStmt* s) {
  for (const VarDecl* v : s->variables) {
    if (v->is_typedef || !v->declarator || v->space == AddressSpace::Constant) continue;
    at(v->range);
    VariableStorage storage = storage_of(*frame_, v);
    if (failed_) return;
    if (v->space == AddressSpace::Private) initialize(lvalue_of(storage, v->type), v->initializer);
  }
}

void KernelLowering::lower_if(const IfStmt* s) {
  BlockId then_block = new_block("then"), join = new_block("endif");
  BlockId else_block = s->else_body ? new_block("else") : join;
  lower_condition(s->condition, then_block, else_block);
  start(then_block);
  lower(s->then_body);
  b_.br(join);
  if (s->else_body) {
    start(else_block);
    lower(s->else_body);
    b_.br(join);
  }
  start(join);
}

void KernelLowering::lower_loop_body(const Stmt* body, BlockId on_break, BlockId on_continue) {
  frame_->breaks.push_back(on_break);
  frame_->continues.push_back(on_continue);
  lower(body);
  frame_->breaks.pop_back();
  frame_->continues.pop_back();
}

// The condition of the loop is in the blocks from `first` to `end` of those begun, none without a condition.
// If the loop has operations of sub-groups, its condition leads to the exit by an anchor.
void KernelLowering::end_loop(size_t first, size_t end, BlockId exit) {
  if (!failed_ && first != end && anchors_.has_sub_group_operations()) {
    const BlockId leaves = new_block("leave");
    for (size_t k = first; k < end; ++k)
      for (Target& t : f_->inst(f_->terminator(started_[k])).targets)
        if (t.block == exit) t.block = leaves;
    start(leaves);
    anchors_.anchor_condition(b_, exit);
  }
  anchors_.leave(started_.size());
  start(exit);
}

void KernelLowering::lower_while(const LoopStmt* s) {
  BlockId head = new_block("while"), body = new_block("body"), exit = new_block("endwhile");
  f_->block(head).unroll = s->unroll;
  b_.br(head);
  const size_t first = started_.size();
  anchors_.enter(head, head, first);
  start(head);
  lower_condition(s->condition, body, exit);
  const size_t end = started_.size();
  start(body);
  lower_loop_body(s->body, exit, head);
  b_.br(head);
  end_loop(first, end, exit);
}

void KernelLowering::lower_for(const LoopStmt* s) {
  if (s->init) lower(s->init);
  BlockId head = new_block("for"), body = new_block("body"), step = new_block("step"),
          exit = new_block("endfor");
  f_->block(head).unroll = s->unroll;
  b_.br(head);
  const size_t first = started_.size();
  anchors_.enter(head, step, first);
  start(head);
  if (s->condition)
    lower_condition(s->condition, body, exit);
  else
    b_.br(body);
  const size_t end = s->condition ? started_.size() : first;
  start(body);
  lower_loop_body(s->body, exit, step);
  b_.br(step);
  start(step);
  if (s->step) lower(s->step);
  b_.br(head);
  end_loop(first, end, exit);
}

void KernelLowering::lower_do(const LoopStmt* s) {
  BlockId body = new_block("do"), condition = new_block("until"), exit = new_block("enddo");
  f_->block(body).unroll = s->unroll;
  b_.br(body);
  anchors_.enter(body, condition, started_.size());
  start(body);
  lower_loop_body(s->body, exit, condition);
  b_.br(condition);
  const size_t first = started_.size();
  start(condition);
  lower_condition(s->condition, body, exit);
  end_loop(first, started_.size(), exit);
}

void KernelLowering::lower_switch(const SwitchStmt* s) {
  ValueId value = lower(s->value);
  if (failed_) return;
  BlockId exit = new_block("endswitch"), from = b_.block;
  BlockId otherwise = exit;
  std::map<const CaseStmt*, BlockId> entries;
  for (const CaseStmt* c = s->cases; c; c = c->next) {
    BlockId block = new_block(c->kind == StmtKind::Default ? "default" : "case");
    frame_->cases[c] = block;
    BlockId entry = block;
    if (c->scope != s->scope) {  // the jump enters the scope of variables
      entry = new_block("enter");
      start(entry);
      enter_scopes(s->scope, c->scope);
      b_.br(block);
    }
    entries[c] = entry;
    if (c->kind == StmtKind::Default) otherwise = entry;
  }
  b_.block = from;
  dispatch(value, s, entries, otherwise);
  after_jump();
  frame_->breaks.push_back(exit);
  lower(s->body);
  frame_->breaks.pop_back();
  b_.br(exit);
  start(exit);
}

// Jumps to the case for the value: comparisons for case ranges, then as many switches as the cases need.
void KernelLowering::dispatch(ValueId value, const SwitchStmt* s,
                              const std::map<const CaseStmt*, BlockId>& entries, BlockId otherwise) {
  constexpr size_t MaxCases = 250;
  kc::Type type = ir_type(s->value->type);
  auto constant = [&](int64_t v) { return f_->constant(type, static_cast<uint64_t>(v)); };
  std::vector<ValueId> operands{value};
  TargetList targets{{otherwise, {}}};
  auto finish_switch = [&](BlockId rest) {
    targets[0].block = rest;
    InstId jump = b_.emit(Op::switch_, operands);
    f_->inst(jump).targets = targets;
    operands.resize(1);
    targets.resize(1);
  };
  for (const CaseStmt* c = s->cases; c; c = c->next) {
    if (c->kind == StmtKind::Default) continue;
    if (over_budget(c->range)) return;
    bool is_signed = s->value->type->is_signed();
    uint64_t first = static_cast<uint64_t>(c->constant), last = static_cast<uint64_t>(c->last_constant);
    bool empty = is_signed ? c->last_constant < c->constant : last < first;
    if (empty) continue;
    if (first != last) {
      BlockId next = new_block("dispatch");
      ValueId above = b_.make(Op::sub, type, {value, constant(c->constant)});
      ValueId outside = b_.make(Op::ult, kI1, {constant(static_cast<int64_t>(last - first)), above});
      b_.br_if(outside, {next, {}}, {entries.at(c), {}});
      start(next);
      continue;
    }
    operands.push_back(constant(c->constant));
    targets.push_back({entries.at(c), {}});
    if (targets.size() <= MaxCases) continue;
    BlockId next = new_block("dispatch");
    finish_switch(next);
    start(next);
  }
  if (targets.size() == 1)
    b_.br(otherwise);
  else
    finish_switch(otherwise);
}

// Variables in scope at the target of a jump but not at its source are set to 0. Both scopes are linked lists
// from the innermost variable outwards, with decreasing indices.
void KernelLowering::enter_scopes(const VarDecl* from, const VarDecl* to) {
  while (to != from) {
    if (!from || (to && to->index > from->index)) {
      if (to->space == AddressSpace::Private && to->type->parts())
        store(lvalue_of(storage_of(*frame_, to), to->type), zero(to->type));
      to = to->outer;
    } else {
      from = from->outer;
    }
  }
}

BlockId KernelLowering::label_block(const LabelStmt* label) {
  BlockId& block = frame_->labels[label->index];
  if (!block.valid()) block = f_->add_block(std::string(label->name));
  return block;
}

void KernelLowering::lower_goto(const GotoStmt* s) {
  enter_scopes(s->scope, s->target->scope);
  anchor_in_loops();
  b_.br(label_block(s->target));
  after_jump();
}

void KernelLowering::lower_return(const ExpressionStmt* s) {
  Value value = s->expression ? lower(s->expression) : Value();
  if (failed_) return;
  at(s->range);
  if (frame_->returns_at_end) {
    frame_->returned = value;
    return;
  }
  anchor_in_loops();
  if (!frame_->return_block.valid()) {
    b_.ret();
  } else {
    if (value.valid() && !frame_->function->return_type->is_void())
      store(lvalue_of(frame_->result, frame_->function->return_type), value);
    b_.br(frame_->return_block);
  }
  after_jump();
}

}  // namespace kc::front
