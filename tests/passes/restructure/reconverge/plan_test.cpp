// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/reconverge_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/passes/restructure/reconverge/plans.h"

using namespace kc;
using test::fault;
using test::Graph;
using test::text;

namespace {

ReconvergePlan plan(const Graph& g, const std::vector<bool>& divergent) {
  return plan_reconvergence(g, 0, Cycles(g, 0), divergent);
}
ReconvergePlan plan(const Graph& g) { return plan(g, std::vector<bool>(g.size(), true)); }

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
