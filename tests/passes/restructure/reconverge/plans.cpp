// SPDX-License-Identifier: Apache-2.0
#include "tests/passes/restructure/reconverge/plans.h"

#include <map>
#include <set>

namespace kc::test {
namespace {

// Nodes reachable from `from`, itself included, without passing `closed`.
std::set<uint32_t> reached(const ReconvergePlan& p, uint32_t from, uint32_t closed) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> work;
  auto enter = [&](uint32_t n) {
    if (n != closed && seen.insert(n).second) work.push_back(n);
  };
  enter(from);
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    for (uint32_t s : p.nodes[n].succs) enter(s);
  }
  return seen;
}

}  // namespace

std::string text(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent) {
  std::string out = "graph ";
  auto list = [&](const NodeList& succs) {
    std::string s = "{";
    for (uint32_t t : succs) s += std::to_string(t) + " ";
    return s + "} ";
  };
  for (size_t n = 0; n < g.size(); ++n) out += std::to_string(n) + (divergent[n] ? "!" : "") + list(g[n]);
  out += "\nplan ";
  for (uint32_t n : p.order) out += std::to_string(n) + "FLO"[2 - p.nodes[n].kind] + list(p.nodes[n].succs);
  return out;
}

std::string fault(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent) {
  std::map<uint32_t, size_t> position;
  for (size_t i = 0; i < p.order.size(); ++i) position[p.order[i]] = i;
  uint32_t exit = 0;
  while (!g[exit].empty()) ++exit;
  if (p.order.front() != 0 || p.order.back() != exit) return "ends";
  for (uint32_t n : p.order) {
    const auto& node = p.nodes[n];
    if (node.kind == ReconvergePlan::Flow && (node.succs.size() != 2 || node.succs[0] == node.succs[1]))
      return "a flow node needs two successors";
    if (n < g.size())
      for (size_t k = 0; k < g[n].size(); ++k) {
        uint32_t at = node.succs[k];
        for (int steps = 0; at >= g.size() && steps < 1000; ++steps) at = p.next(at, node.goals[k]);
        if (at != g[n][k]) return "an edge leads elsewhere";
      }
    bool parts = n < g.size() ? divergent[n] : node.kind == ReconvergePlan::Flow;
    std::set<uint32_t> succs(node.succs.begin(), node.succs.end());
    if (!parts || succs.size() < 2) continue;
    if (succs.size() > 2) return "three successors";
    bool found = false;
    for (uint32_t s : succs) {
      auto seen = reached(p, n, s);
      if (s == n || seen.contains(exit)) continue;
      found = true;
      if (position[s] < position[n]) return "the meeting point lies behind";
      for (uint32_t t : succs)
        for (uint32_t r : reached(p, t, s))
          if (position[r] > position[s]) return "the order passes the meeting point";
    }
    if (!found) return "no successor post-dominates";
  }
  return {};
}

}  // namespace kc::test
