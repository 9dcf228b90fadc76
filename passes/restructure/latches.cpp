// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/latches.h"

#include <algorithm>
#include <map>

namespace kc {
namespace {

std::vector<uint32_t> positions(const std::vector<uint32_t>& order, size_t count) {
  std::vector<uint32_t> position(count, kNone);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

}  // namespace

std::vector<uint32_t> add_latches(ReconvergePlan& plan, std::vector<uint32_t>& order, const Cycles& cycles,
                                  LatchedEdges edges) {
  const std::vector<uint32_t> position = positions(order, plan.nodes.size());
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> latch;  // by cycle and position of the target
  std::vector<uint32_t> last(cycles.cycles.size(), 0), latches;
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    for (uint32_t n : cycles.nodes(c)) last[c] = std::max(last[c], position[n]);
  for (uint32_t n : order)
    for (size_t k = 0; k < plan.nodes[n].succs.size(); ++k) {
      const uint32_t s = plan.nodes[n].succs[k];
      if (position[s] > position[n] || (edges == LatchedEdges::ToHeaders && !cycles.leads_to_header(n, s)))
        continue;
      const auto added = static_cast<uint32_t>(plan.nodes.size());
      auto [it, fresh] = latch.try_emplace({cycles.smallest_with(n, s), position[s]}, added);
      plan.nodes[n].succs[k] = it->second;
      if (!fresh) continue;
      latches.push_back(added);
      plan.nodes.push_back({.kind = ReconvergePlan::Latch, .succs = {s}, .goals = {}});
    }
  // Inner cycles end first. Of one cycle's latches that to the last target, the smallest loop, is first.
  std::vector<std::vector<uint32_t>> behind(order.size());
  for (auto it = latch.rbegin(); it != latch.rend(); ++it)
    behind[last[it->first.first]].push_back(it->second);
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < order.size(); ++i) {
    all.push_back(order[i]);
    all.insert(all.end(), behind[i].begin(), behind[i].end());
  }
  order = std::move(all);
  return latches;
}

void drop_latches(ReconvergePlan& plan, const std::vector<uint32_t>& latches,
                  const std::vector<bool>& divergent) {
  const std::vector<uint32_t> position = positions(plan.order, plan.nodes.size());
  std::vector<char> meeting(plan.nodes.size(), 0);
  for (uint32_t n : plan.order) {
    const auto& node = plan.nodes[n];
    bool parts = node.kind == ReconvergePlan::Flow || (node.kind == ReconvergePlan::Original && divergent[n]);
    if (!parts) continue;
    auto [first, last] = std::ranges::minmax_element(node.succs, {}, [&](uint32_t s) { return position[s]; });
    if (*first != *last) meeting[*last] = 1;
  }
  auto dropped = [&](uint32_t n) { return plan.nodes[n].kind == ReconvergePlan::Latch && !meeting[n]; };
  for (uint32_t n : plan.order)
    for (auto* list : {&plan.nodes[n].succs, &plan.nodes[n].goals})
      for (uint32_t& s : *list)
        if (dropped(s)) s = plan.nodes[s].succs[0];
  std::erase_if(plan.order, dropped);
  for (uint32_t n : latches) plan.latch_nodes += meeting[n];
}

}  // namespace kc
