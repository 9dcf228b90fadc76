// SPDX-License-Identifier: Apache-2.0
// A work-item that leaves a node stops at its own target or at the first node of the thread frontier,
// whichever has higher priority. A flow node there sends items on to the node or to the next such stop. A
// node needs no flow node where no item passes it on the way to another target.
//
//   A -> B, C; B -> C, D; C -> E; D -> E   (D waits while C runs, C and D while B runs)
//   ==>  A -> B, F; B -> F; F -> C, D; C -> D; D -> E
#include "passes/restructure/frontier_plan.h"

#include <algorithm>

#include "passes/analysis/block_orders.h"
#include "passes/analysis/frontiers.h"
#include "passes/restructure/latches.h"

namespace kc {
namespace {

class FrontierPlanner {
 public:
  FrontierPlanner(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                  const std::vector<bool>& divergent)
      : divergent_(divergent), original_(static_cast<uint32_t>(succs.size())) {
    plan_.nodes.resize(original_);
    order_ = cycle_contiguous_order(succs, entry, cycles);
    for (uint32_t n : order_) plan_.nodes[n].succs = succs[n];
    latches_ = add_latches(plan_, order_, cycles, LatchedEdges::All);
    for (uint32_t n = 0; n < original_; ++n) plan_.nodes[n].goals = plan_.nodes[n].succs;
  }

  ReconvergePlan run() {
    find_stops();
    add_flow_nodes();
    for (uint32_t n : order_)
      if (plan_.nodes[n].kind == ReconvergePlan::Original)
        for (uint32_t& s : plan_.nodes[n].succs) s = first_stop(n, s);
    for (uint32_t n : order_) {
      if (flow_[n] != kNone) plan_.order.push_back(flow_[n]);
      plan_.order.push_back(n);
    }
    drop_latches(plan_, latches_, divergent_);
    return std::move(plan_);
  }

 private:
  // For each node, the stop after it if no target lies before that; and the last target of the items that
  // stop at a node on the way to another.
  void find_stops() {
    SuccessorLists succs;
    for (const auto& node : plan_.nodes) succs.push_back(node.succs);
    std::vector<bool> parts = divergent_;
    parts.resize(succs.size(), false);
    Frontiers frontiers(succs, order_, parts);
    stop_ = std::move(frontiers.top);
    position_ = std::move(frontiers.position);
    std::vector<uint32_t> furthest(succs.size(), 0);
    auto pass = [&](uint32_t at, uint32_t goal) {
      if (at != kNone && position_[at] < goal) furthest[at] = std::max(furthest[at], goal);
    };
    flow_.assign(succs.size(), kNone);
    for (uint32_t n : order_) {
      if (furthest[n] > 0) pass(stop_[n], furthest[n]), flow_[n] = 0;
      if (plan_.nodes[n].kind == ReconvergePlan::Original)
        for (uint32_t s : succs[n]) pass(stop_[n], position_[s]);
    }
  }

  void add_flow_nodes() {
    for (uint32_t n : order_) {
      if (flow_[n] == kNone) continue;
      flow_[n] = static_cast<uint32_t>(plan_.nodes.size());
      plan_.nodes.push_back({.kind = ReconvergePlan::Flow, .succs = {n}, .goals = {}});
      ++plan_.flow_nodes;
    }
    for (uint32_t n : order_)
      if (flow_[n] != kNone) plan_.nodes[flow_[n]].succs.push_back(entrance(stop_[n]));
  }

  uint32_t entrance(uint32_t n) const { return flow_[n] == kNone ? n : flow_[n]; }
  uint32_t first_stop(uint32_t from, uint32_t goal) const {
    bool passes = stop_[from] != kNone && position_[stop_[from]] < position_[goal];
    return entrance(passes ? stop_[from] : goal);
  }

  const std::vector<bool>& divergent_;
  const uint32_t original_;
  ReconvergePlan plan_;
  std::vector<uint32_t> order_, latches_;
  std::vector<uint32_t> stop_, position_, flow_;  // by node
};

}  // namespace

ReconvergePlan plan_by_frontiers(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                 const std::vector<bool>& divergent) {
  return FrontierPlanner(succs, entry, cycles, divergent).run();
}

}  // namespace kc
