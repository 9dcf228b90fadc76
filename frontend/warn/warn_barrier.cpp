// SPDX-License-Identifier: Apache-2.0
// Barriers that some work-items of a group may not reach.
//
// A forward data-flow analysis finds the variables that may differ between the work-items of a group: values
// computed from get_global_id and get_local_id, results of atomics, loads from a divergent address, and
// variables written between a divergent branch and its join point. A barrier between the two is reported. The
// join point is the immediate post-dominator. A variable in local memory is one for all of them. The graph
// omits `return`, since work-items that have ended count as arrived; only -Wpedantic says that they do not
// elsewhere. A function with a barrier that ends with its only `return` may give all work-items the same, as
// a vote does; it is analysed a second time for that, with arguments that differ.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/sema/builtins.h"
#include "frontend/warn/walk.h"
#include "frontend/warn/warn.h"
#include "ir/ids.h"

namespace kc::front {

namespace {

constexpr size_t kMaxPairWords = size_t{1} << 22;

class Barriers {
 public:
  Barriers(const FlowGraph& graph, const FunctionFlows& flows) : graph_(graph), flows_(flows) {}

  // A return from another function than a kernel ends no work-item.
  void warn(bool is_kernel, Diagnostics& diagnostics) {
    if (!analyse()) return;
    if (diagnostics.wants(Warning::DivergentBarrier)) report(diagnostics);
    if (is_kernel && diagnostics.wants(Warning::Pedantic)) report_returns(diagnostics);
  }

  bool gives_the_same_if_arguments_differ() {
    arguments_differ_ = true;
    if (!analyse() || exit_ != graph_.returned) return false;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b)
      if (const FlowBlock& block = graph_.blocks[b]; block.result && order_[b] != kNone)
        return !may_differ(block.result, behind(b));
    return false;
  }

 private:
  bool analyse() {
    for (const FlowBlock& b : graph_.blocks)
      for (const FlowEvent& e : b.events)
        if (e.kind == FlowEvent::Write && e.variable->space != AddressSpace::Local)
          numbers_.emplace(e.variable, numbers_.size());
    words_ = numbers_.size() / 64 + 1;
    if (words_ * graph_.blocks.size() > kMaxPairWords || !find_join_points()) return false;
    in_.assign(words_ * graph_.blocks.size(), 0);
    forced_ = in_;
    differs_.assign(graph_.blocks.size(), false);
    while (flow() || spread()) {
    }
    return true;
  }

  // Keeps edges between blocks from which the end is reachable without a `return`.
  bool goes(uint32_t from, const FlowEdge& e) const {
    return !e.never && order_[from] != kNone && order_[e.to] != kNone;
  }

  // Immediate post-dominators, by the algorithm of Cooper, Harvey and Kennedy on the reversed graph.
  bool find_join_points() {
    size_t n = graph_.blocks.size();
    std::vector<std::vector<uint32_t>> preds(n);
    std::vector<bool> reached = reachable_blocks(graph_, true);
    for (uint32_t b = 0; b < n; ++b)
      for (const FlowEdge& e : graph_.blocks[b].next)
        if (reached[b] && !e.never) preds[e.to].push_back(b);
    exit_ = reached[graph_.end] ? graph_.end : graph_.returned;
    if (exit_ == graph_.returned && preds[exit_].size() != 1) return false;
    order_.assign(n, kNone);
    std::vector<uint32_t> post;
    std::vector<bool> seen(n);
    std::vector<std::pair<uint32_t, size_t>> path{{exit_, 0}};
    seen[exit_] = true;
    while (!path.empty()) {
      auto& [b, at] = path.back();
      if (at == preds[b].size()) {
        order_[b] = static_cast<uint32_t>(post.size());
        post.push_back(b);
        path.pop_back();
        continue;
      }
      uint32_t p = preds[b][at++];
      if (seen[p]) continue;
      seen[p] = true;
      path.push_back({p, 0});
    }
    ipdom_.assign(n, kNone);
    ipdom_[exit_] = exit_;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = post.size() - 1; i-- > 0;) {
        uint32_t b = post[i], ipdom = kNone;
        for (const FlowEdge& e : graph_.blocks[b].next)
          if (goes(b, e) && ipdom_[e.to] != kNone) ipdom = ipdom == kNone ? e.to : common(ipdom, e.to);
        changed |= ipdom_[b] != ipdom;
        ipdom_[b] = ipdom;
      }
    }
    sequence_ = std::move(post);
    return true;
  }

  uint32_t common(uint32_t a, uint32_t b) const {
    while (a != b) {
      while (order_[a] < order_[b]) a = ipdom_[a];
      while (order_[b] < order_[a]) b = ipdom_[b];
    }
    return a;
  }

  bool test(const std::vector<uint64_t>& set, uint32_t block, size_t v) const {
    return set[block * words_ + v / 64] >> (v % 64) & 1;
  }

  // What an expression is without conversions, but those to bytes and shorts, which wrap; of a variable that
  // is never written again, what initializes it.
  static const Expr* origin(const Expr* e) {
    constexpr int Most = 16;
    const auto keeps_ids = [](const Type* type) { return type->is_integer() && type->size() >= 4; };
    for (int k = 0; k < Most && keeps_ids(e->type); ++k) {
      const VarDecl* v = e->kind == ExprKind::Name ? as<NameExpr>(e)->variable : nullptr;
      if (e->kind == ExprKind::Convert)
        e = as<CastExpr>(e)->operand;
      else if (v && !v->is_written && !v->in_memory && v->initializer && keeps_ids(v->type))
        e = v->initializer;
      else
        break;
    }
    return e;
  }

  // Whether the expression calls this function with a constant dimension.
  static bool asks(const Expr* e, Builtin id, int64_t& dimension) {
    e = origin(e);
    if (e->kind != ExprKind::Call) return false;
    const CallExpr* call = as<CallExpr>(e);
    if (!call->builtin || call->builtin->id != id || call->arguments.size() != 1) return false;
    dimension = call->arguments[0]->constant;
    return call->arguments[0]->is_constant;
  }

  // get_global_id(d) / get_local_size(d) and get_global_id(d) - get_local_id(d) are the same for a group: the
  // quotient is the number of the group, unless a launch has an offset that is no multiple of the group's
  // size.
  static bool is_of_group(const Expr* e) {
    e = without_conversions(e);
    if (e->kind != ExprKind::Binary) return false;
    const BinaryExpr* b = as<BinaryExpr>(e);
    const Builtin other = b->op == BinaryOp::Div ? Builtin::get_local_size : Builtin::get_local_id;
    int64_t left = 0, right = 0;
    return (b->op == BinaryOp::Div || b->op == BinaryOp::Sub) &&
           asks(b->left, Builtin::get_global_id, left) && asks(b->right, other, right) && left == right;
  }

  bool may_differ(const Expr* root, const std::vector<uint64_t>& bits) const {
    std::vector<const Expr*> pending{root};
    while (!pending.empty()) {
      const Expr* e = pending.back();
      pending.pop_back();
      if (e->is_constant || is_of_group(e)) continue;
      if (e->kind == ExprKind::Name) {
        auto known = numbers_.find(as<NameExpr>(e)->variable);
        if (known != numbers_.end() && (bits[known->second / 64] >> (known->second % 64) & 1)) return true;
        // Elements of a variable are not told apart, and not all writes of them are seen.
        const VarDecl* v = as<NameExpr>(e)->variable;
        if (arguments_differ_ && v && v->space == AddressSpace::Private && v->type->is_aggregate())
          return true;
      }
      if (e->kind == ExprKind::Call && as<CallExpr>(e)->builtin) {
        const BuiltinRow& row = *as<CallExpr>(e)->builtin;
        if (row.is_same_in_group()) continue;
        const bool id = row.id == Builtin::get_global_id || row.id == Builtin::get_local_id ||
                        row.id == Builtin::get_global_linear_id || row.id == Builtin::get_local_linear_id ||
                        row.id == Builtin::get_sub_group_id || row.id == Builtin::get_sub_group_local_id;
        if (id || (row.has_effects() && !e->type->is_void())) return true;
      }
      const bool only_pointers = gives_the_same(e);
      if (arguments_differ_ && !only_pointers && e->kind == ExprKind::Call && as<CallExpr>(e)->function)
        return true;
      for (const Operand& operand : children_of(e, {}).expressions)
        if (!operand.use.unevaluated && (!only_pointers || operand.expression->type->is_pointer()))
          pending.push_back(operand.expression);
    }
    return false;
  }
  bool gives_the_same(const Expr* e) const {
    const FunctionDecl* callee = e->kind == ExprKind::Call ? as<CallExpr>(e)->function : nullptr;
    if (!callee) return false;
    const auto flow = flows_.find(callee->definition ? callee->definition : callee);
    return flow != flows_.end() && flow->second.same_for_group;
  }

  // The variables that may differ at the end of a block.
  std::vector<uint64_t> behind(uint32_t b) const {
    std::vector<uint64_t> bits(words_);
    for (size_t w = 0; w < words_; ++w) bits[w] = in_[b * words_ + w] | forced_[b * words_ + w];
    for (const FlowEvent& e : graph_.blocks[b].events) {
      if (e.kind == FlowEvent::Barrier || e.kind == FlowEvent::Read) continue;
      const auto known = numbers_.find(e.variable);
      if (known == numbers_.end()) continue;
      const uint64_t bit = uint64_t{1} << (known->second % 64);
      uint64_t& word = bits[known->second / 64];
      const bool unknown =
          arguments_differ_ && e.kind == FlowEvent::Write && !e.value && !is_shared(e.variable);
      const bool differs = unknown || (e.keeps && (word & bit)) || (e.value && may_differ(e.value, bits));
      word = differs ? word | bit : word & ~bit;
    }
    return bits;
  }
  // A pointer to memory of the group, which a caller passes.
  static bool is_shared(const VarDecl* v) {
    return v->type->is_pointer() && v->type->space != AddressSpace::Private;
  }

  // One iteration over all blocks; returns whether a set grew.
  bool flow() {
    bool grew = false;
    for (uint32_t b : sequence_) {
      const std::vector<uint64_t> bits = behind(b);
      const Expr* decides = graph_.blocks[b].condition ? graph_.blocks[b].condition
                            : graph_.blocks[b].choice  ? graph_.blocks[b].choice->value
                                                       : nullptr;
      if (decides && !differs_[b] && may_differ(decides, bits)) grew = differs_[b] = true;
      for (const FlowEdge& e : graph_.blocks[b].next) {
        if (!goes(b, e)) continue;
        for (size_t w = 0; w < words_; ++w) {
          uint64_t& to = in_[e.to * words_ + w];
          grew |= (bits[w] & ~to) != 0;
          to |= bits[w];
        }
      }
    }
    return grew;
  }

  // The blocks between a branch and its join point.
  std::vector<uint32_t> between(uint32_t branch) const {
    std::vector<bool> seen(graph_.blocks.size());
    std::vector<uint32_t> found, pending{branch};
    seen[ipdom_[branch]] = true;
    while (!pending.empty()) {
      uint32_t b = pending.back();
      pending.pop_back();
      for (const FlowEdge& e : graph_.blocks[b].next) {
        if (!goes(b, e) || seen[e.to]) continue;
        seen[e.to] = true;
        found.push_back(e.to);
        pending.push_back(e.to);
      }
    }
    return found;
  }

  // A variable written in an arm of a divergent branch is divergent at the join point.
  bool spread() {
    bool grew = false;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      if (!differs_[b] || ipdom_[b] == kNone || spread_.contains(b)) continue;
      spread_.insert(b);
      for (uint32_t inside : between(b))
        for (const FlowEvent& e : graph_.blocks[inside].events) {
          const auto known = e.kind == FlowEvent::Write ? numbers_.find(e.variable) : numbers_.end();
          if (known == numbers_.end()) continue;
          const size_t v = known->second;
          uint64_t& word = forced_[ipdom_[b] * words_ + v / 64];
          grew |= !(word >> (v % 64) & 1);
          word |= uint64_t{1} << (v % 64);
        }
    }
    return grew;
  }

  void report(Diagnostics& diagnostics) const {
    std::unordered_set<const FlowEvent*> reported;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      if (!differs_[b] || ipdom_[b] == kNone) continue;
      const Expr* decides =
          graph_.blocks[b].condition ? graph_.blocks[b].condition : graph_.blocks[b].choice->value;
      for (uint32_t inside : between(b))
        for (const FlowEvent& e : graph_.blocks[inside].events)
          if (e.kind == FlowEvent::Barrier && reported.insert(&e).second)
            diagnostics
                .warning(Warning::DivergentBarrier, e.where,
                         "some work-items of a group may not get to this barrier while others wait at it")
                .note(decides->range, "this can differ between the work-items of a group");
    }
  }

  // The blocks from which a `return` is reached.
  std::vector<bool> before_return() const {
    std::vector<bool> found(graph_.blocks.size());
    found[graph_.returned] = true;
    for (bool grew = true; grew;) {
      grew = false;
      for (size_t b = graph_.blocks.size(); b-- > 0;)  // mostly, edges lead to later blocks
        for (const FlowEdge& e : graph_.blocks[b].next)
          if (!found[b] && !e.never && found[e.to]) grew = found[b] = true;
    }
    return found;
  }

  // The first barrier that is reached from a block whose other work-items may have returned.
  void report_returns(Diagnostics& diagnostics) const {
    if (exit_ != graph_.end) return;
    const std::vector<bool> returns = before_return();
    // Blocks that not all work-items of a group come to, or that these leave in several directions.
    std::vector<bool> apart = differs_;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b)
      if (differs_[b] && ipdom_[b] != kNone)
        for (uint32_t inside : between(b)) apart[inside] = true;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      const FlowBlock& block = graph_.blocks[b];
      const Expr* decides = block.condition ? block.condition : block.choice ? block.choice->value : nullptr;
      if (!apart[b] || order_[b] == kNone || !decides ||
          std::ranges::none_of(block.next, [&](const FlowEdge& e) {
            return !e.never && order_[e.to] == kNone && returns[e.to];
          }))
        continue;
      const FlowEvent* first = barrier_behind(b);
      if (!first) continue;
      diagnostics
          .warning(
              Warning::Pedantic, first->where,
              "OpenCL C lets no work-item of a group return before a barrier that others wait at; here it "
              "counts as arrived")
          .note(decides->range, "some work-items return here, and others do not");
      return;
    }
  }
  const FlowEvent* barrier_behind(uint32_t b) const {
    std::vector<bool> seen(graph_.blocks.size());
    std::vector<uint32_t> pending{b};
    for (size_t n = 0; n < pending.size(); ++n)
      for (const FlowEdge& e : graph_.blocks[pending[n]].next) {
        if (!goes(pending[n], e) || seen[e.to]) continue;
        seen[e.to] = true;
        pending.push_back(e.to);
        for (const FlowEvent& event : graph_.blocks[e.to].events)
          if (event.kind == FlowEvent::Barrier) return &event;
      }
    return nullptr;
  }

  const FlowGraph& graph_;
  const FunctionFlows& flows_;
  bool arguments_differ_ = false;
  uint32_t exit_ = 0;  // after the last statement, or of the only `return` at the end
  std::unordered_map<const VarDecl*, size_t> numbers_;
  size_t words_ = 0;
  std::vector<uint32_t> order_, ipdom_, sequence_;
  std::vector<uint64_t> in_, forced_;  // bit sets of variables, by block
  std::vector<bool> differs_;          // whether a branch is divergent
  std::unordered_set<uint32_t> spread_;
};

}  // namespace

void warn_barriers(const FunctionDecl& f, const FlowGraph& graph, FunctionFlows& flows,
                   Diagnostics& diagnostics) {
  if (!diagnostics.wants(Warning::DivergentBarrier) && !diagnostics.wants(Warning::Pedantic)) return;
  Barriers(graph, flows).warn(f.is_kernel, diagnostics);
  // What is written through a private pointer is not looked at.
  if (!f.return_type->is_void() && std::ranges::all_of(f.parameters, [](const VarDecl* p) {
        return !p->type->is_pointer() || p->type->space != AddressSpace::Private;
      }))
    flows[&f].same_for_group = Barriers(graph, flows).gives_the_same_if_arguments_differ();
}

}  // namespace kc::front
