// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/call_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "frontend/sema/builtins.h"
#include "frontend/warn/walk.h"

namespace kc::front {

namespace {

// In syntax-tree nodes. A call with its parameters and its return costs about as much as a small function.
constexpr uint64_t SmallFunction = 40, LargeFunction = 256;
// What a private pointer points to stays in memory if the function is shared, and becomes registers if it is
// inlined. A call of a region finds its way back among all calls, which takes longer than a body without
// loops. So much more may be copied of such functions.
constexpr uint64_t WorthOfCopies = 8, LargePointerFunction = 2048;
constexpr uint64_t MostMemory = 1 << 16;       // bytes of arrays and structs that copies of functions declare
constexpr uint64_t Limit = uint64_t{1} << 40;  // sizes saturate here

// Facts about the body of one function.
class Body : public Visitor {
 public:
  explicit Body(const FunctionDecl* f) : Body(f->body) {}
  explicit Body(const Stmt* s) { walk(s, *this); }

  void expression(const Expr* e, const Use& use) override {
    if (use.unevaluated) return;
    ++nodes;
    if (e->kind != ExprKind::Call) return;
    const CallExpr* call = as<CallExpr>(e);
    if (call->call_kind == CallKind::Function && call->function->definition)
      callees.insert(callees.end(), call->repeated, call->function->definition);
    if (call->call_kind != CallKind::Builtin || barrier) return;
    if (call->builtin->is_barrier() || call->builtin->is_meeting()) barrier = call;
  }
  void statement(const Stmt* s) override {
    ++nodes;
    if (s->kind == StmtKind::Return) ++returns;
    loops |= s->kind == StmtKind::For || s->kind == StmtKind::While || s->kind == StmtKind::Do ||
             s->kind == StmtKind::Goto;
    if (s->kind != StmtKind::Declaration) return;
    for (const VarDecl* v : as<DeclarationStmt>(s)->variables) {
      if (v->is_typedef || !v->type) continue;  // no type: it only declares a struct
      local_memory |= v->space == AddressSpace::Local;
      if (v->space == AddressSpace::Private && v->type->is_aggregate()) bytes += v->type->size();
    }
  }

  uint64_t nodes = 0;
  std::vector<FunctionDecl*> callees;
  const CallExpr* barrier = nullptr;  // the first barrier or, failing that, the first sub-group call
  bool local_memory = false, loops = false;
  uint64_t bytes = 0;  // of private arrays and structs
  size_t returns = 0;
};

bool has_private_pointers(const FunctionDecl* f) {
  return std::ranges::any_of(f->parameters, [](const VarDecl* p) {
    return p->type->is_pointer() && p->type->space == AddressSpace::Private;
  });
}

bool ends_with_return(const FunctionDecl* f) {
  const auto items = as<CompoundStmt>(f->body)->items;
  return !items.empty() && items.back()->kind == StmtKind::Return;
}

// Walks the calls depth-first with an explicit stack. `leave` is called for callees before their callers.
// Skips functions in `seen`.
void visit_calls(FunctionDecl* root, std::set<const FunctionDecl*>& seen,
                 const std::function<const std::vector<FunctionDecl*>&(FunctionDecl*)>& enter,
                 const std::function<void(FunctionDecl*)>& leave) {
  struct PathEntry {
    FunctionDecl* function;
    const std::vector<FunctionDecl*>* callees;
    size_t next = 0;
  };
  if (!seen.insert(root).second) return;
  std::vector<PathEntry> path{{root, &enter(root)}};
  while (!path.empty()) {
    PathEntry& top = path.back();
    if (top.next == top.callees->size()) {
      leave(top.function);
      path.pop_back();
      continue;
    }
    FunctionDecl* callee = (*top.callees)[top.next++];
    if (seen.insert(callee).second) path.push_back({callee, &enter(callee)});
  }
}

}  // namespace

CallPlan::CallPlan(FunctionDecl* kernel, uint64_t budget, const CostlyFunctions& costly)
    : costly_(costly), shares_all_(budget == 0) {
  find_functions(kernel);
  decide(budget);
  any_shared_ = std::ranges::any_of(order_, [&](const FunctionDecl* f) { return is_shared(f); });
}

void CallPlan::decide(uint64_t budget) {
  if (budget == 0) return choose(0, 0, 0);
  choose(Limit, Limit, Limit);
  if (growth() <= budget) return;
  // First the functions that lose most, those with private pointers before those without loops, while all
  // others that can be shared are.
  choose(SmallFunction, SmallFunction, SmallFunction);
  const uint64_t least = growth(), most = budget > Limit / WorthOfCopies ? Limit : budget * WorthOfCopies;
  auto fits = [&] { return growth() <= most && memory_growth() <= MostMemory; };
  uint64_t pointers = LargePointerFunction, straight = LargeFunction;
  for (; pointers > SmallFunction; pointers /= 2) {
    choose(SmallFunction, pointers, SmallFunction);
    if (fits()) break;
  }
  pointers = std::max(pointers, SmallFunction);
  for (; straight > SmallFunction; straight /= 2) {
    choose(SmallFunction, pointers, straight);
    if (fits()) break;
  }
  straight = std::max(straight, SmallFunction);
  choose(SmallFunction, pointers, straight);
  const uint64_t of_preferred = growth() - std::min(growth(), least);
  uint64_t own = 0;
  for (const auto& [f, facts] : facts_) own += facts.nodes;
  for (uint64_t threshold = LargeFunction; threshold > SmallFunction; threshold /= 2) {
    choose(threshold, std::max(threshold, pointers), std::max(threshold, straight));
    if (growth() <= of_preferred + own / 2 + budget / 16) return;
  }
  choose(SmallFunction, pointers, straight);
}

void CallPlan::find_functions(FunctionDecl* kernel) {
  auto enter = [&](FunctionDecl* f) -> const std::vector<FunctionDecl*>& {
    Body body(f);
    Facts& facts = facts_[f];
    facts.nodes = body.nodes;
    facts.bytes = body.bytes;
    facts.private_pointers = has_private_pointers(f);
    facts.loops = body.loops;
    facts.callees = std::move(body.callees);
    facts.returns_at_end =
        body.returns == 0 ? f->return_type->is_void() : body.returns == 1 && ends_with_return(f);
    // The kernel itself is lowered once, whatever it contains.
    facts.pinned = body.barrier || (body.local_memory && f != kernel);
    return facts.callees;
  };
  std::set<const FunctionDecl*> seen;
  visit_calls(kernel, seen, enter, [&](FunctionDecl* f) {
    Facts& facts = facts_[f];
    facts.position = order_.size();
    order_.push_back(f);
    for (FunctionDecl* callee : facts.callees) {
      facts.pinned |= facts_[callee].pinned;
      facts.loops |= facts_[callee].loops;
    }
  });
}

// Shares functions larger than the threshold: the second for those with private pointers, the third for
// others without loops. Threshold 0 shares every function that can be shared.
void CallPlan::choose(uint64_t threshold, uint64_t of_pointers, uint64_t of_straight) {
  auto most = [&](const Facts& facts) {
    return facts.private_pointers ? of_pointers : facts.loops ? threshold : of_straight;
  };
  for (FunctionDecl* f : order_) {
    Facts& facts = facts_[f];
    facts.size = facts.nodes;
    facts.copies = 0;
    for (FunctionDecl* callee : facts.callees)
      facts.size = std::min(Limit, facts.size + (facts_[callee].shared ? 1 : facts_[callee].size));
    bool can = f != order_.back() && !facts.pinned;
    const bool free = !f->always_inline && !costly_.contains(f);
    facts.shared = can && (f->shared_region || (free && facts.size > most(facts)));
  }
  facts_[order_.back()].copies = 1;
  for (size_t i = order_.size(); i-- > 0;) {
    FunctionDecl* f = order_[i];
    Facts& facts = facts_[f];
    // A function with one call is inlined, unless the source requests a region or the threshold is 0.
    if (facts.copies <= 1 && threshold > 0 && !f->shared_region) facts.shared = false;
    if (facts.shared) facts.copies = std::min<uint64_t>(facts.copies, 1);
    for (FunctionDecl* callee : facts.callees)
      facts_[callee].copies = std::min(Limit, facts_[callee].copies + facts.copies);
  }
}

// Counts what is lowered more than once because its function is inlined more than once.
uint64_t CallPlan::growth(uint64_t Facts::*of) const {
  uint64_t sum = 0;
  for (const auto& [f, facts] : facts_) {
    if (facts.copies <= 1) continue;
    if (facts.copies - 1 > (Limit - sum) / std::max<uint64_t>(1, facts.*of)) return Limit;
    sum += (facts.copies - 1) * (facts.*of);
  }
  return sum;
}
uint64_t CallPlan::growth() const { return growth(&Facts::nodes); }
uint64_t CallPlan::memory_growth() const { return growth(&Facts::bytes); }

bool CallPlan::is_shared(const FunctionDecl* f) const {
  auto found = facts_.find(f);
  return found != facts_.end() && found->second.shared;
}

bool CallPlan::is_pinned(const FunctionDecl* f) const {
  auto found = facts_.find(f);
  return found == facts_.end() || found->second.pinned;
}

bool CallPlan::returns_at_end(const FunctionDecl* f) const { return facts_.at(f).returns_at_end; }

std::vector<FunctionDecl*> CallPlan::regions_below(FunctionDecl* root) const {
  std::vector<FunctionDecl*> regions;
  auto enter = [&](FunctionDecl* f) -> const std::vector<FunctionDecl*>& { return facts_.at(f).callees; };
  std::set<const FunctionDecl*> seen;
  visit_calls(root, seen, enter, [&](FunctionDecl* f) {
    if (f != root && is_shared(f)) regions.push_back(f);
  });
  return regions;
}

// The functions that these calls share. One that a run enters once is inlined there.
std::vector<FunctionDecl*> CallPlan::regions_of(std::span<FunctionDecl* const> calls) const {
  std::map<size_t, uint64_t> copies;  // by position: callers follow their callees
  for (const FunctionDecl* f : calls) ++copies[facts_.at(f).position];
  std::vector<FunctionDecl*> regions;
  while (!copies.empty()) {
    auto [position, count] = *std::prev(copies.end());
    copies.erase(position);
    FunctionDecl* f = order_[position];
    const Facts& facts = facts_.at(f);
    if (facts.shared && (count > 1 || shares_all_ || f->shared_region)) regions.push_back(f), count = 1;
    for (const FunctionDecl* callee : facts.callees) {
      uint64_t& n = copies[facts_.at(callee).position];
      n = std::min(Limit, n + count);
    }
  }
  std::ranges::reverse(regions);
  return regions;
}

const std::vector<CallRun>& CallPlan::runs_of(const CompoundStmt* list) {
  auto [found, fresh] = runs_.try_emplace(list);
  std::vector<CallRun>& runs = found->second;
  if (!fresh) return runs;
  std::vector<FunctionDecl*> calls;
  auto close = [&] {
    if (!runs.empty()) runs.back().regions = regions_of(calls);
    calls.clear();
  };
  for (size_t i = 0; i < list->items.size(); ++i) {
    const Body body(list->items[i]);
    if (body.barrier || std::ranges::any_of(body.callees, [&](FunctionDecl* f) { return is_pinned(f); }))
      continue;
    if (runs.empty() || runs.back().end != i) close(), runs.push_back({i, i, {}});
    runs.back().end = i + 1;
    calls.insert(calls.end(), body.callees.begin(), body.callees.end());
  }
  close();
  return runs;
}

void check_shared_regions(const TranslationUnit& unit, Diagnostics& diagnostics) {
  auto asks = [](const TopLevel& item) {
    return item.function && item.function->definition == item.function && item.function->shared_region;
  };
  if (std::ranges::none_of(unit.items, asks)) return;
  std::set<const FunctionDecl*> seen;
  std::map<const FunctionDecl*, std::vector<FunctionDecl*>> callees;
  std::map<const FunctionDecl*, const CallExpr*> barriers;  // that a function reaches
  auto enter = [&](FunctionDecl* f) -> const std::vector<FunctionDecl*>& {
    Body body(f);
    barriers[f] = body.barrier;
    return callees[f] = std::move(body.callees);
  };
  auto leave = [&](FunctionDecl* f) {
    for (FunctionDecl* callee : callees[f])
      if (!barriers[f]) barriers[f] = barriers[callee];
  };
  for (const TopLevel& item : unit.items) {
    if (!asks(item)) continue;
    visit_calls(item.function, seen, enter, leave);
    const CallExpr* barrier = barriers[item.function];
    if (!barrier) continue;
    diagnostics
        .error(
            item.function->range,
            fmt::format("'{}' cannot be a shared region, since its calls would share {}", item.function->name,
                        barrier->builtin->is_meeting() ? "a sub-group operation" : "a barrier"))
        .note(barrier->range, barrier->builtin->is_meeting() ? "it is here" : "the barrier is here");
  }
}

}  // namespace kc::front
