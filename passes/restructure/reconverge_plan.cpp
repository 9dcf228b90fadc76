// SPDX-License-Identifier: Apache-2.0
// Nodes are taken in an order in which only latches have back edges. For the next node n, look at each branch
// p with one edge to n and another to a node taken before: scan what p reaches among the taken nodes. If all
// edges that leave the scanned set lead to n, then n is the reconvergence point of p. Otherwise all those
// edges are redirected through one new flow node before n, which becomes the reconvergence point. Later steps
// change only edges between later nodes, so a reconvergence point once found stays one; scans jump over them.
//
//   A -> B, C; B -> D; C -> D   in the order A C B D     A -> C, F; C -> F; F -> B, D; B -> D
//
// The property is that of the poster "Reconverging control flow graphs" (Universität Mainz and AMD); scans
// replace its tree of open edges.
#include "passes/restructure/reconverge_plan.h"

#include <algorithm>
#include <utility>

#include "passes/analysis/block_orders.h"
#include "passes/restructure/latches.h"

namespace kc {
namespace {

class ReconvergePlanner {
 public:
  ReconvergePlanner(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                    const std::vector<bool>& divergent)
      : divergent_(divergent), original_(static_cast<uint32_t>(succs.size())) {
    plan_.nodes.resize(original_);
    for (uint32_t n = 0; n < original_; ++n) plan_.nodes[n].succs = succs[n];
    order_ = cycle_contiguous_order(succs, entry, cycles);
    latches_ = add_latches(plan_, order_, cycles, LatchedEdges::All);
    in_.resize(plan_.nodes.size());
    for (uint32_t n : order_)
      for (uint32_t slot = 0; slot < plan_.nodes[n].succs.size(); ++slot)
        if (plan_.nodes[n].kind != ReconvergePlan::Latch)
          in_[plan_.nodes[n].succs[slot]].push_back({n, slot});
    for (uint32_t n = 0; n < original_; ++n) plan_.nodes[n].goals = plan_.nodes[n].succs;
    grow();
  }

  ReconvergePlan run() {
    for (uint32_t n : order_) {
      meet(n);
      take(n);
    }
    for (uint32_t n : plan_.order)
      // the others are the same node
      if (plan_.nodes[n].kind == ReconvergePlan::Flow) plan_.nodes[n].succs.resize(2);
    drop_latches(plan_, latches_, divergent_);
    for (const auto& node : plan_.nodes) plan_.flow_nodes += node.kind == ReconvergePlan::Flow;
    return std::move(plan_);
  }

 private:
  struct Edge {
    uint32_t node, slot;
  };

  void grow() {
    taken_.resize(plan_.nodes.size(), 0);
    known_.resize(plan_.nodes.size(), kNone);
    group_.resize(plan_.nodes.size(), kNone);
    seen_.resize(plan_.nodes.size(), 0);
    in_.resize(plan_.nodes.size());
  }

  void take(uint32_t n) {
    taken_[n] = 1;
    plan_.order.push_back(n);
  }

  bool parts(uint32_t n) const {
    return n < original_ ? divergent_[n] : plan_.nodes[n].kind == ReconvergePlan::Flow;
  }

  uint32_t root(uint32_t g) {
    while (groups_[g].joined != g) g = groups_[g].joined = groups_[groups_[g].joined].joined;
    return g;
  }

  // The latest node known to post-dominate n.
  uint32_t latest_known(uint32_t n) {
    uint32_t end = n;
    while (known_[end] != kNone) end = known_[end];
    while (known_[n] != kNone) n = std::exchange(known_[n], end);
    return end;
  }

  // Ensures that every branch with an edge to n and one to a node taken before reconverges at n or before it.
  void meet(uint32_t n) {
    ++epoch_;
    groups_.clear();
    for (Edge e : in_[n]) {
      const auto& succs = plan_.nodes[e.node].succs;
      if (succs[e.slot] != n || !parts(e.node) || seen_[e.node] == epoch_) continue;
      if (std::any_of(succs.begin(), succs.end(), [&](uint32_t s) { return taken_[s]; })) scan(e.node);
    }
    // Scans that share nodes have one reconvergence point.
    for (uint32_t g = 0; g < groups_.size(); ++g)
      if (uint32_t r = root(g); r != g) {
        auto& into = groups_[r];
        into.open.insert(into.open.end(), groups_[g].open.begin(), groups_[g].open.end());
        into.members.insert(into.members.end(), groups_[g].members.begin(), groups_[g].members.end());
      }
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (root(g) != g) continue;
      Group& group = groups_[g];
      bool bypass = std::any_of(group.open.begin(), group.open.end(),
                                [&](Edge e) { return plan_.nodes[e.node].succs[e.slot] != n; });
      uint32_t point = bypass ? add_flow(group.open, n) : n;
      for (uint32_t u : group.members)
        if (known_[u] == kNone) known_[u] = point;
    }
  }

  void scan(uint32_t from) {
    auto g = static_cast<uint32_t>(groups_.size());
    groups_.push_back({.joined = g, .open = {}, .members = {}});
    std::vector<uint32_t> work;
    auto visit = [&](uint32_t u) {
      if (seen_[u] == epoch_) {
        // The older group wins, so that groups keep the order of their discovery.
        uint32_t a = root(group_[u]), b = root(g);
        if (a != b) groups_[std::max(a, b)].joined = std::min(a, b);
        return;
      }
      seen_[u] = epoch_;
      group_[u] = g;
      groups_[g].members.push_back(u);
      work.push_back(u);
    };
    visit(from);
    while (!work.empty()) {
      uint32_t u = work.back();
      work.pop_back();
      if (uint32_t end = latest_known(u); end != u) {
        visit(end);
        continue;
      }
      const auto& succs = plan_.nodes[u].succs;
      for (uint32_t slot = 0; slot < succs.size(); ++slot)
        if (taken_[succs[slot]])
          visit(succs[slot]);
        else
          groups_[g].open.push_back({u, slot});
    }
  }

  // One flow node before n through which all the edges go.
  uint32_t add_flow(const std::vector<Edge>& open, uint32_t n) {
    auto flow = static_cast<uint32_t>(plan_.nodes.size());
    std::vector<uint32_t> targets{n};
    for (Edge e : open) {
      uint32_t& s = plan_.nodes[e.node].succs[e.slot];
      if (std::find(targets.begin(), targets.end(), s) == targets.end()) targets.push_back(s);
      s = flow;
    }
    plan_.nodes.push_back({.kind = ReconvergePlan::Flow, .succs = targets, .goals = {}});
    grow();
    for (uint32_t slot = 0; slot < targets.size(); ++slot) in_[targets[slot]].push_back({flow, slot});
    for (Edge e : open) in_[flow].push_back(e);
    take(flow);
    return flow;
  }

  struct Group {
    uint32_t joined;
    std::vector<Edge> open;  // edges that leave the scanned nodes
    std::vector<uint32_t> members;
  };

  const std::vector<bool>& divergent_;
  const uint32_t original_;
  ReconvergePlan plan_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> latches_;
  std::vector<std::vector<Edge>> in_;  // present or former edges to a node
  std::vector<char> taken_;
  std::vector<uint32_t> known_;  // a node that post-dominates this one, or kNone
  std::vector<uint32_t> seen_, group_;
  uint32_t epoch_ = 0;
  std::vector<Group> groups_;
};

}  // namespace

ReconvergePlan plan_reconvergence(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  const std::vector<bool>& divergent) {
  return ReconvergePlanner(succs, entry, cycles, divergent).run();
}

}  // namespace kc
