// SPDX-License-Identifier: Apache-2.0
// Shared regions: one copy of a function's blocks for many calls.
//
// A call stores the parameters, which are ordinary variables, and the number of the call site, and jumps to
// the entry. At the exit, a switch on that number returns to the call site. An exception that the function
// does not catch leaves through a second switch, to blocks that rethrow it at the call site. Work-items from
// different call sites execute the region together.
//
// In the CFG, a path leads from each call through the region to the block after every other call. No
// work-item takes such a path, but the paths turn straight-line code into loops, so none of them may contain
// a barrier. Functions with barriers therefore have a set of regions for each run of statements between two
// barriers or, if they have labels, for each call of a function without barriers.
#include <utility>

#include "frontend/lower/lower.h"

namespace kc::front {

// Lowers regions that calls from here can enter, callees first.
void KernelLowering::lower_regions(std::span<FunctionDecl* const> functions, SourceRange where) {
  for (FunctionDecl* f : functions) {
    if (over_budget(where)) return;
    lower_region(f);
  }
}

void KernelLowering::lower_region(FunctionDecl* function) {
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
  if (!type->is_void() && type->parts())  // a function that ends without a return gives 0
    store(lvalue_of(frame.result, type), zero(type));
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

Value KernelLowering::call_region(const CallExpr* e, Region& region) {
  const FunctionDecl* callee = region.frame.function;
  std::vector<Value> arguments;
  for (const Expr* argument : e->arguments) {
    Value value = lower(argument);
    if (over_budget(e->range)) return {};
    if (argument->type->parts() == 0 && argument != e->arguments.back()) {
      // The next argument may change it, and may call the same function.
      at(argument->range);
      LValue copy = lvalue_of(add_storage("argument", argument->type), argument->type);
      store(copy, value);
      value = copy.address;
    }
    arguments.push_back(value);
  }
  at(e->range);
  for (size_t i = 0; i < arguments.size(); ++i)
    store(lvalue_of(storage_of(region.frame, callee->parameters[i]), callee->parameters[i]->type),
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
  Value result = load(lvalue_of(region.frame.result, type));
  if (type->parts() || failed_) return result;
  // the next call overwrites the region's result
  LValue copy = lvalue_of(add_storage(callee->name, type), type);
  store(copy, result);
  return copy.address;
}

// By block id: whether a path that matches calls with their returns reaches the block.
std::vector<bool> KernelLowering::reached_blocks() const {
  // A call reaches the entry of its region. It reaches the block after the call once the region's end is
  // reached, too.
  struct ReturnEdge {
    BlockId call, end, after;
  };
  std::map<BlockId, std::vector<BlockId>> entered;
  std::map<BlockId, std::vector<ReturnEdge>> return_edges;  // by both the call and the end
  for (const Region& r : regions_) {
    auto add = [&](BlockId call, BlockId end, BlockId after) {
      return_edges[call].push_back({call, end, after});
      return_edges[end].push_back({call, end, after});
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
    auto found = return_edges.find(b);
    if (found == return_edges.end()) {
      for (const Target& t : f_->successors(b)) enter(t.block);
      continue;
    }
    for (const ReturnEdge& e : found->second)
      if (reached[e.call.index] && reached[e.end.index]) enter(e.after);
  }
  return reached;
}

// Ends the regions once all calls are known. Unreachable calls get no return target.
void KernelLowering::close_regions() {
  std::vector<bool> reached = reached_blocks();
  for (const Region& r : regions_) {
    leave_region(r, r.blocks.leave, &RegionCall::returned, reached);
    if (!r.escape.arrivals.empty()) leave_region(r, r.blocks.escape, &RegionCall::thrown, reached);
  }
}

void KernelLowering::leave_region(const Region& region, BlockId from, BlockId RegionCall::*to,
                                  const std::vector<bool>& reached) {
  at(region.frame.function->is_prelude ? kernel_->range : region.frame.function->range);
  b_.block = from;
  std::vector<ValueId> operands{ValueId()};
  TargetList targets;
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
