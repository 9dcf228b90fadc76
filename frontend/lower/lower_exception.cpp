// SPDX-License-Identifier: Apache-2.0
// Exceptions without unwinding. The enclosing handlers are known where a throw is lowered, also through
// inlined calls, so a throw is two assignments and a branch. Each handler records which throws reach it, for
// `throw;`. An exception that leaves a shared region continues at the call site in the same way.
#include "frontend/lower/lower.h"

namespace kc::front {

void KernelLowering::lower_try(const TryStmt* s) {
  BlockId join = new_block("endtry");
  TryContext context;
  context.outer = try_;
  for (const Handler* h : s->handlers) {
    HandlerState state;
    state.handler = h;
    state.block = new_block("catch");
    state.site = f_->add_var("site", kI32);
    context.handlers.push_back(state);
  }
  try_ = &context;
  lower(s->body);
  try_ = context.outer;
  b_.br(join);
  for (HandlerState& state : context.handlers) {
    start(state.block);
    lower_handler(state);
    b_.br(join);
  }
  start(join);
}

void KernelLowering::lower_handler(HandlerState& state) {
  const Handler* h = state.handler;
  at(h->range);
  if (h->variable) {
    Value value = load(payload_of(state, h->type));
    store(lvalue_of(storage_of(*frame_, h->variable), h->type), value);
  }
  HandlerState* outer = frame_->handler;
  frame_->handler = &state;
  lower(h->body);
  frame_->handler = outer;
}

LValue KernelLowering::payload_of(HandlerState& state, const Type* type) {
  for (auto& [known, storage] : state.payloads)
    if (known == type) return lvalue_of(storage, type);
  state.payloads.push_back({type, add_storage("thrown", type)});
  return lvalue_of(state.payloads.back().second, type);
}

void KernelLowering::lower_throw(const ExpressionStmt* s) {
  if (!s->expression) {
    anchor_in_loops();
    rethrow(*frame_->handler);
  } else {
    Value value = lower(s->expression);
    if (failed_) return;
    at(s->range);
    const Type* type = s->expression->type;
    auto [known, fresh] = site_ids_.emplace(std::tuple(type, b_.loc), sites_.size());
    if (fresh) sites_.push_back({type, b_.loc});
    uint32_t site = known->second;
    anchor_in_loops();
    throw_to_handler(type, value, b_.i32(static_cast<int32_t>(site)), {site});
  }
  after_jump();
}

// Branches to the innermost handler for the type, or traps if there is none.
void KernelLowering::throw_to_handler(const Type* type, const Value& value, ValueId site,
                                      const std::set<uint32_t>& sites) {
  for (TryContext* context = try_; context; context = context->outer)
    for (HandlerState& state : context->handlers) {
      if (!state.handler->catches_all && state.handler->type != type) continue;
      return arrive(state, type, value, site, sites);
    }
  if (region_) return arrive(region_->escape, type, value, site, sites);
  if (type->parts()) return trap(value.part(0), site, sites);  // a struct reports its first number
  if (!type->size()) return trap(b_.i32(0), site, sites);      // or 0 if it has none
  LValue first{.address = value, .type = type};
  while (first.type->is_aggregate()) {
    if (first.type->is_array()) {
      first.type = first.type->element;
      continue;
    }
    // Members without bytes take no room, so the first of the others is at the same address.
    const auto& fields = first.type->record->fields;
    first.type = std::ranges::find_if(fields, [](const auto& f) { return f.type->size() > 0; })->type;
  }
  first.type = first.type->component();
  trap(load(first), site, sites);
}

void KernelLowering::arrive(HandlerState& state, const Type* type, const Value& value, ValueId site,
                            const std::set<uint32_t>& sites) {
  state.arrivals.insert(sites.begin(), sites.end());
  store(payload_of(state, type), value);
  set(state.site, site);
  b_.br(state.block);
}

// Throws the caught exception again, with its own type.
void KernelLowering::rethrow(HandlerState& state) {
  Loc here = b_.loc;
  ValueId site = get(state.site);
  BlockId dispatch = b_.block;
  std::vector<ValueId> operands{site};
  TargetList targets;
  for (auto [type, payload] : state.payloads) {
    std::set<uint32_t> sites;
    for (uint32_t id : state.arrivals)
      if (sites_[id].type == type) sites.insert(id);
    if (sites.empty()) continue;
    BlockId block = new_block("rethrow");
    start(block);
    b_.loc = here;
    throw_to_handler(type, load(lvalue_of(payload, type)), site, sites);
    if (targets.empty())
      targets.push_back({block, {}});
    else
      for (uint32_t id : sites) {
        operands.push_back(b_.i32(static_cast<int32_t>(id)));
        targets.push_back({block, {}});
      }
  }
  b_.block = dispatch;
  b_.loc = here;
  if (targets.empty()) {  // no throw reaches this handler
    b_.ret();
  } else if (targets.size() == 1) {
    b_.br(targets[0].block);
  } else {
    InstId jump = b_.emit(Op::switch_, std::move(operands));
    f_->inst(jump).targets = std::move(targets);
  }
}

// The report names the original throw; the site tells a rethrown exception apart from others.
void KernelLowering::trap(ValueId value, ValueId site, const std::set<uint32_t>& sites) {
  if (sites.size() <= 1) return trap_at(*sites.begin(), value);
  BlockId dispatch = b_.block;
  std::vector<ValueId> operands{site};
  TargetList targets;
  for (uint32_t id : sites) {
    BlockId block = new_block("uncaught");
    start(block);
    trap_at(id, value);
    if (!targets.empty()) operands.push_back(b_.i32(static_cast<int32_t>(id)));
    targets.push_back({block, {}});
  }
  b_.block = dispatch;
  InstId jump = b_.emit(Op::switch_, std::move(operands));
  f_->inst(jump).targets = std::move(targets);
}

void KernelLowering::trap_at(uint32_t site, ValueId value) {
  ThrowSite& thrown = sites_[site];
  if (!thrown.trap) {
    thrown.trap = static_cast<int64_t>(f_->traps.size());
    f_->traps.push_back({TrapKind::UncaughtThrow, type_name(thrown.type), thrown.loc});
  }
  b_.emit(Op::trap, {value}, {}, {*thrown.trap});
}

}  // namespace kc::front
