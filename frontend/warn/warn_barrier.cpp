// SPDX-License-Identifier: Apache-2.0
// Barriers that some work-items of a group may not reach.
//
// A forward data-flow analysis finds the variables that may differ between the work-items of a group: values
// computed from get_global_id and get_local_id, results of atomics, loads from a divergent address, and
// variables written between a divergent branch and its join point. A barrier between the two is reported. The
// join point is the immediate post-dominator. A variable in local memory is one for all of them. The graph
// omits `return`, since work-items that have ended count as arrived.
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
  Barriers(const FlowGraph& graph, Diagnostics& diagnostics) : graph_(graph), diagnostics_(diagnostics) {}

  void run() {
    for (const FlowBlock& b : graph_.blocks)
      for (const FlowEvent& e : b.events)
        if (e.kind == FlowEvent::Write && e.variable->space != AddressSpace::Local)
          numbers_.emplace(e.variable, numbers_.size());
    words_ = numbers_.size() / 64 + 1;
    if (words_ * graph_.blocks.size() > kMaxPairWords || !find_barriers()) return;
    in_.assign(words_ * graph_.blocks.size(), 0);
    forced_ = in_;
    differs_.assign(graph_.blocks.size(), false);
    while (flow() || spread()) {
    }
    report();
  }

 private:
  // Keeps edges between blocks from which the end is reachable without a `return`.
  bool goes(uint32_t from, const FlowEdge& e) const {
    return !e.never && order_[from] != kNone && order_[e.to] != kNone;
  }

  // Immediate post-dominators, by the algorithm of Cooper, Harvey and Kennedy on the reversed graph.
  bool find_barriers() {
    size_t n = graph_.blocks.size();
    std::vector<std::vector<uint32_t>> preds(n);
    std::vector<bool> reached = reachable_blocks(graph_, true);
    if (!reached[graph_.end]) return false;
    for (uint32_t b = 0; b < n; ++b)
      for (const FlowEdge& e : graph_.blocks[b].next)
        if (reached[b] && !e.never) preds[e.to].push_back(b);
    order_.assign(n, kNone);
    std::vector<uint32_t> post;
    std::vector<bool> seen(n);
    std::vector<std::pair<uint32_t, size_t>> path{{graph_.end, 0}};
    seen[graph_.end] = true;
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
    ipdom_[graph_.end] = graph_.end;
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

  bool may_differ(const Expr* root, const std::vector<uint64_t>& bits) const {
    std::vector<const Expr*> pending{root};
    while (!pending.empty()) {
      const Expr* e = pending.back();
      pending.pop_back();
      if (e->is_constant) continue;
      if (e->kind == ExprKind::Name) {
        auto known = numbers_.find(as<NameExpr>(e)->variable);
        if (known != numbers_.end() && (bits[known->second / 64] >> (known->second % 64) & 1)) return true;
      }
      if (e->kind == ExprKind::Call && as<CallExpr>(e)->builtin) {
        const BuiltinRow& row = *as<CallExpr>(e)->builtin;
        if (row.is_same_in_group()) continue;
        bool id = row.id == Builtin::get_global_id || row.id == Builtin::get_local_id;
        if (id || (row.has_effects() && !e->type->is_void())) return true;
      }
      for (const Operand& operand : children_of(e, {}).expressions)
        if (!operand.use.unevaluated) pending.push_back(operand.expression);
    }
    return false;
  }

  // One iteration over all blocks; returns whether a set grew.
  bool flow() {
    bool grew = false;
    for (uint32_t b : sequence_) {
      std::vector<uint64_t> bits(words_);
      for (size_t w = 0; w < words_; ++w) bits[w] = in_[b * words_ + w] | forced_[b * words_ + w];
      for (const FlowEvent& e : graph_.blocks[b].events) {
        if (e.kind == FlowEvent::Barrier || e.kind == FlowEvent::Read) continue;
        auto known = numbers_.find(e.variable);
        if (known == numbers_.end()) continue;
        uint64_t bit = uint64_t{1} << (known->second % 64);
        uint64_t& word = bits[known->second / 64];
        bool differs = (e.keeps && (word & bit)) || (e.value && may_differ(e.value, bits));
        word = differs ? word | bit : word & ~bit;
      }
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

  void report() {
    std::unordered_set<const FlowEvent*> reported;
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      if (!differs_[b] || ipdom_[b] == kNone) continue;
      const Expr* decides =
          graph_.blocks[b].condition ? graph_.blocks[b].condition : graph_.blocks[b].choice->value;
      for (uint32_t inside : between(b))
        for (const FlowEvent& e : graph_.blocks[inside].events)
          if (e.kind == FlowEvent::Barrier && reported.insert(&e).second)
            diagnostics_
                .warning(Warning::DivergentBarrier, e.where,
                         "some work-items of a group may not get to this barrier while others wait at it")
                .note(decides->range, "this can differ between the work-items of a group");
    }
  }

  const FlowGraph& graph_;
  Diagnostics& diagnostics_;
  std::unordered_map<const VarDecl*, size_t> numbers_;
  size_t words_ = 0;
  std::vector<uint32_t> order_, ipdom_, sequence_;
  std::vector<uint64_t> in_, forced_;  // bit sets of variables, by block
  std::vector<bool> differs_;          // whether a branch is divergent
  std::unordered_set<uint32_t> spread_;
};

}  // namespace

void warn_barriers(const FlowGraph& graph, Diagnostics& diagnostics) {
  if (diagnostics.wants(Warning::DivergentBarrier)) Barriers(graph, diagnostics).run();
}

}  // namespace kc::front
