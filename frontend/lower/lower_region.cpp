// SPDX-License-Identifier: Apache-2.0
// Shared regions: one copy of a function's blocks for many calls.
//
// A call sets the parameters, which are variables like others, and the number of the place it comes from, and
// jumps to the entry; at the exit a switch on that number leads back. Exceptions that nothing in the function
// takes leave through a second switch, to blocks that throw on at the place of the call. Work-items that call
// from different places run together in between.
//
// In the graph a way leads from each call through the region to behind every other one. No work-item takes
// it, but it makes loops of code that is none; so no barrier may lie on it. Where a function with a barrier
// calls one without, regions begin and end with that call.
#include <utility>

#include "frontend/lower/lower.h"

namespace kc::front {

// The regions that code inlined into `root` can enter, callees first.
void Lowering::lower_regions(FunctionDecl* root) {
  for (FunctionDecl* f : plan_.regions_below(root)) {
    if (over_budget(root->range)) return;
    lower_region(f);
  }
}

void Lowering::lower_region(FunctionDecl* function) {
  Region& region = regions_.emplace_back();
  prelude_call_ = kernel_->range;
  SourceRange where = function->is_prelude ? kernel_->range : function->range;
  remark(where, function,
         function->shared_region ? "becomes a shared region, as its attribute asks"
                                 : "becomes a shared region: inlining its calls would exceed the budget");
  region.blocks.entry = new_block("call");
  region.caller = f_->add_var("caller", kI32);
  region.blocks.leave = new_block("leave");
  region.blocks.escape = region.escape.block = new_block("escape");
  region.escape.site = f_->add_var("site", kI32);
  InlineFrame& frame = region.frame;
  frame.function = function;
  frame.variables.resize(function->variables);
  frame.labels.resize(function->labels);
  frame.return_block = region.blocks.leave;
  const Type* type = function->return_type;
  if (!type->is_void()) frame.result = add_storage(function->name, type);

  BlockId block = b_.block;
  SourceRange here = here_;
  std::vector<BlockId> started = std::move(started_);
  InlineFrame* caller = std::exchange(frame_, &frame);
  TryContext* handlers = std::exchange(try_, nullptr);
  Region* outer = std::exchange(region_, &region);
  started_.clear();
  start(region.blocks.entry);
  at(where);
  if (!type->is_void() && type->parts())  // running off the end gives 0
    store(place_of(frame.result, type), zero(type));
  lower(function->body);
  b_.br(frame.return_block);
  started_.push_back(frame.return_block);
  if (!region.escape.arrivals.empty()) started_.push_back(region.escape.block);
  region_ = outer;
  try_ = handlers;
  frame_ = caller;
  region_blocks_.insert(region_blocks_.end(), started_.begin(), started_.end());
  started_ = std::move(started);
  b_.block = block;
  at(here);
  open_regions_[function] = &region;
}

Value Lowering::call_region(const CallExpr* e, Region& region) {
  const FunctionDecl* callee = region.frame.function;
  std::vector<Value> arguments;
  for (const Expr* argument : e->arguments) {
    Value value = lower(argument);
    if (over_budget(e->range)) return {};
    if (argument->type->parts() == 0 && argument != e->arguments.back()) {
      // The next argument can change it, and can call the same function.
      at(argument->range);
      Place copy = place_of(add_storage("argument", argument->type), argument->type);
      store(copy, value);
      value = copy.address;
    }
    arguments.push_back(value);
  }
  at(e->range);
  for (size_t i = 0; i < arguments.size(); ++i)
    store(place_of(storage_of(region.frame, callee->parameters[i]), callee->parameters[i]->type),
          arguments[i]);
  remark(e->range, callee, "is called as a shared region");
  set(region.caller, b_.i32(static_cast<int32_t>(region.blocks.calls.size())));
  RegionCall site{b_.block, new_block("return"), {}};
  b_.br(region.blocks.entry);
  if (!region.escape.arrivals.empty()) {
    site.thrown = new_block("thrown");
    start(site.thrown);
    rethrow(region.escape);
  }
  region.blocks.calls.push_back(site);
  start(site.returned);
  at(e->range);
  const Type* type = callee->return_type;
  if (type->is_void()) return {};
  Value result = load(place_of(region.frame.result, type));
  if (type->parts() || failed_) return result;
  Place copy = place_of(add_storage(callee->name, type), type);  // the next call writes the region's own
  store(copy, result);
  return copy.address;
}

// By block id: what a way leads to on which each call returns to where it came from.
std::vector<bool> Lowering::reached_blocks() const {
  // A call leads into its region; behind it when the region, too, has an end that is reached.
  struct Way {
    BlockId call, end, behind;
  };
  std::map<BlockId, std::vector<BlockId>> entered;
  std::map<BlockId, std::vector<Way>> ways;  // by both, the call and the end
  for (const Region& r : regions_) {
    auto add = [&](BlockId call, BlockId end, BlockId behind) {
      ways[call].push_back({call, end, behind});
      ways[end].push_back({call, end, behind});
    };
    for (const RegionCall& s : r.blocks.calls) {
      entered[s.from] = {r.blocks.entry};
      add(s.from, r.blocks.leave, s.returned);
      if (s.thrown.valid()) add(s.from, r.blocks.escape, s.thrown);
    }
  }
  std::vector<bool> reached(f_->block_count());
  std::vector<BlockId> work{f_->entry()};
  reached[f_->entry().index] = true;
  auto enter = [&](BlockId b) {
    if (!reached[b.index]) work.push_back(b);
    reached[b.index] = true;
  };
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    if (auto found = entered.find(b); found != entered.end())
      for (BlockId next : found->second) enter(next);
    auto found = ways.find(b);
    if (found == ways.end()) {
      for (const Target& t : f_->successors(b)) enter(t.block);
      continue;
    }
    for (const Way& w : found->second)
      if (reached[w.call.index] && reached[w.end.index]) enter(w.behind);
  }
  return reached;
}

// Ends the regions, whose calls are known now. A call that nothing reaches must not seem to be one.
void Lowering::close_regions() {
  std::vector<bool> reached = reached_blocks();
  for (const Region& r : regions_) {
    leave_region(r, r.blocks.leave, &RegionCall::returned, reached);
    if (!r.escape.arrivals.empty()) leave_region(r, r.blocks.escape, &RegionCall::thrown, reached);
  }
}

void Lowering::leave_region(const Region& region, BlockId from, BlockId RegionCall::*to,
                            const std::vector<bool>& reached) {
  at(region.frame.function->is_prelude ? kernel_->range : region.frame.function->range);
  b_.block = from;
  std::vector<ValueId> operands{ValueId()};
  std::vector<Target> targets;
  for (size_t i = 0; i < region.blocks.calls.size(); ++i) {
    if (!reached[region.blocks.calls[i].from.index]) continue;
    if (!targets.empty()) operands.push_back(b_.i32(static_cast<int32_t>(i)));
    targets.push_back({region.blocks.calls[i].*to, {}});
  }
  if (targets.empty()) {
    b_.ret();
  } else if (targets.size() == 1) {
    b_.br(targets[0].block);
  } else {
    operands[0] = get(region.caller);
    InstId jump = b_.emit(Op::switch_, std::move(operands));
    f_->inst(jump).targets = std::move(targets);
  }
}

}  // namespace kc::front
