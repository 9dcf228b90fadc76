// SPDX-License-Identifier: Apache-2.0
#include "passes/reconverge_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/property/synthetic_graphs.h"

using namespace kc;
using test::Graph;

namespace {

ReconvergePlan plan(const Graph& g, const std::vector<bool>& divergent) {
  return plan_reconvergence(g, 0, Cycles(g, 0), divergent);
}
ReconvergePlan plan(const Graph& g) { return plan(g, std::vector<bool>(g.size(), true)); }

// Nodes that can be reached from `from`, itself included, without passing `closed`.
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

std::string text(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent) {
  std::string out = "graph ";
  auto list = [&](const std::vector<uint32_t>& succs) {
    std::string s = "{";
    for (uint32_t t : succs) s += std::to_string(t) + " ";
    return s + "} ";
  };
  for (size_t n = 0; n < g.size(); ++n) out += std::to_string(n) + (divergent[n] ? "!" : "") + list(g[n]);
  out += "\nplan ";
  for (uint32_t n : p.order) out += std::to_string(n) + "FLO"[2 - p.nodes[n].kind] + list(p.nodes[n].succs);
  return out;
}

// The property, by its definition, and that every original edge still leads where it did.
std::string fault(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent) {
  std::map<uint32_t, size_t> position;
  for (size_t i = 0; i < p.order.size(); ++i) position[p.order[i]] = i;
  const auto exit = static_cast<uint32_t>(g.size() - 1);
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

}  // namespace

TEST_CASE("the synthetic graphs are those of the literature", "[synthetic]") {
  CHECK(test::synthetic_graphs(4).size() == 1);
  CHECK(test::synthetic_graphs(5).size() == 11);
  CHECK(test::synthetic_graphs(6).size() == 119);
  CHECK(test::synthetic_graphs(7).size() == 1470);
  std::map<uint64_t, int> redundancy;
  uint64_t total = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    ++redundancy[test::ipdom_executions(g) - g.size()];
    total += test::ipdom_executions(g);
  }
  CHECK(total == 15594);
  CHECK(redundancy == std::map<uint64_t, int>{{1, 449},
                                              {2, 382},
                                              {3, 328},
                                              {4, 185},
                                              {5, 116},
                                              {6, 60},
                                              {7, 38},
                                              {8, 21},
                                              {9, 11},
                                              {10, 5},
                                              {11, 3},
                                              {12, 2},
                                              {14, 1}});
}

TEST_CASE("flow nodes on the synthetic graphs", "[plan]") {
  std::map<uint32_t, int> counts;
  uint32_t total = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    auto p = plan(g);
    CHECK(fault(g, p, std::vector<bool>(g.size(), true)) == "");
    ++counts[p.flow_nodes];
    total += p.flow_nodes;
    CHECK(plan(g, std::vector<bool>(g.size(), false)).order.size() == g.size());
  }
  CHECK(counts == std::map<uint32_t, int>{{1, 181}, {2, 823}, {3, 555}, {4, 42}});
  CHECK(total == 3660);
}

TEST_CASE("random graphs with cycles reconverge", "[plan]") {
  std::mt19937 random(3);
  uint64_t flows = 0, latches = 0, irreducible = 0;
  for (int round = 0; round < 6000; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 14);
    std::vector<bool> divergent(g.size());
    for (size_t n = 0; n < g.size(); ++n) divergent[n] = round % 2 || random() % 2;
    auto p = plan(g, divergent);
    flows += p.flow_nodes, latches += p.latch_nodes;
    Cycles cycles(g, 0);
    for (const Cycle& c : cycles.cycles) irreducible += !c.reducible();
    INFO(text(g, p, divergent));
    CHECK(fault(g, p, divergent) == "");
  }
  CHECK(irreducible > 1000);
  CHECK(flows > 10000);
  CHECK(latches > 50);
}

TEST_CASE("ladders stay linear", "[plan]") {
  for (uint32_t k : {3u, 5u, 8u, 20u, 50000u}) CHECK(plan(test::ladder_graph(k)).flow_nodes == 2 * k - 1);
}
