// SPDX-License-Identifier: Apache-2.0
// The OpenTree with its four orders.
#include <catch2/catch.hpp>
#include <map>

#include "passes/analysis/block_orders.h"
#include "passes/restructure/frontier_plan.h"
#include "passes/restructure/open_tree.h"
#include "tests/passes/restructure/reconverge/plans.h"

using namespace kc;
using test::Graph;

namespace {

constexpr BlockOrder kOrders[] = {BlockOrder::CycleContiguous, BlockOrder::DepthFirst,
                                  BlockOrder::DepthFirstPostDominance, BlockOrder::BreadthFirst};

// A graph as it is planned: nodes that only branch backward are split.
struct Planned {
  Graph g;
  std::vector<bool> divergent;
  ReconvergePlan plan;
};
Planned plan(const Graph& original, BlockOrder order, std::vector<bool> divergent) {
  Planned r{original, std::move(divergent), {}};
  const Cycles cycles(original, 0);
  auto nodes = block_order(original, 0, cycles, order);
  for (uint32_t b : branches_backward(original, cycles, nodes, r.divergent)) {
    const auto branch = static_cast<uint32_t>(r.g.size());
    r.g.push_back(original[b]);
    r.g[b] = {branch};
    r.divergent[b] = false;
    r.divergent.push_back(true);
    nodes.insert(nodes.begin(), branch);
  }
  auto p = plan_by_open_tree(r.g, 0, cycles, nodes, r.divergent);
  REQUIRE(p.has_value());
  r.plan = std::move(*p);
  return r;
}
Planned plan(const Graph& g, BlockOrder order) { return plan(g, order, std::vector<bool>(g.size(), true)); }
std::string fault(const Planned& p) { return test::fault(p.g, p.plan, p.divergent); }

}  // namespace

TEST_CASE("flow nodes on the synthetic graphs in four orders", "[orders]") {
  for (BlockOrder order : kOrders) {
    std::map<uint32_t, int> counts;
    uint32_t total = 0;
    for (const Graph& g : test::all_synthetic_graphs()) {
      Planned p = plan(g, order);
      CHECK(fault(p) == "");
      ++counts[p.plan.flow_nodes];
      total += p.plan.flow_nodes;
      CHECK(plan(g, order, std::vector<bool>(g.size(), false)).plan.flow_nodes == 0);
    }
    CAPTURE(static_cast<int>(order));
    if (order == BlockOrder::CycleContiguous) {
      CHECK(total == 3660);
      CHECK(counts == std::map<uint32_t, int>{{1, 181}, {2, 823}, {3, 555}, {4, 42}});
    }
    if (order == BlockOrder::BreadthFirst) CHECK(total == 4760);
    // The poster does not specify the position of nodes in several chains; another model has 3171.
    if (order == BlockOrder::DepthFirst) CHECK(total == 3184);
  }
}

// Orders other than the default leave some branches without a reconvergence point; those graphs use the
// default.
TEST_CASE("random graphs with cycles in four orders", "[orders]") {
  struct Count {
    uint32_t failed = 0, uniform = 0, kept = 0;
  };
  std::map<BlockOrder, Count> counts;
  for (BlockOrder order : kOrders) {
    Count& c = counts[order];
    std::mt19937 random(3);
    for (int round = 0; round < 4000; ++round) {
      Graph g = test::random_cyclic_graph(random, 4 + random() % 14);
      std::vector<bool> divergent(g.size());
      for (size_t n = 0; n < g.size(); ++n) divergent[n] = round % 2 || random() % 2;
      Planned p = plan(g, order, divergent);
      c.failed += !fault(p).empty();
      for (uint32_t n : p.plan.order) {
        if (n >= g.size() || divergent[n] || g[n].size() < 2) continue;
        ++c.uniform;
        c.kept += p.plan.nodes[n].succs[0] != p.plan.nodes[n].succs[1];
      }
    }
  }
  auto share_kept = [&](BlockOrder order) { return 1.0 * counts[order].kept / counts[order].uniform; };
  CHECK(counts[BlockOrder::CycleContiguous].failed == 0);
  CHECK(counts[BlockOrder::BreadthFirst].failed < 120);
  CHECK(counts[BlockOrder::DepthFirst].failed < 260);
  CHECK(counts[BlockOrder::DepthFirstPostDominance].failed < 210);
  CHECK(counts[BlockOrder::CycleContiguous].uniform > 6000);
  CHECK(share_kept(BlockOrder::CycleContiguous) > 0.75);
  CHECK(share_kept(BlockOrder::BreadthFirst) > 0.7);
  CHECK(share_kept(BlockOrder::DepthFirst) > 0.85);
  CHECK(share_kept(BlockOrder::DepthFirstPostDominance) > 0.85);
}

TEST_CASE("ladders, diamonds and short circuits in four orders", "[orders]") {
  for (BlockOrder order : kOrders) {
    bool deep = order == BlockOrder::DepthFirst || order == BlockOrder::DepthFirstPostDominance;
    for (uint32_t k : {3u, 5u, 8u, 20u, 2000u}) {
      Planned p = plan(test::ladder_graph(k), order);
      CHECK(p.plan.flow_nodes == (deep ? k : 2 * k - 1));
      if (k < 2000) CHECK(fault(p) == "");
    }
    CHECK(plan({{1, 2}, {3}, {3}, {}}, order).plan.flow_nodes == 1);
    CHECK(plan({{1, 3}, {2, 3}, {3}, {}}, order).plan.flow_nodes == 0);
  }
  // (c1 || c2) && c3
  const Graph circuit{{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {}};
  CHECK(plan(circuit, BlockOrder::CycleContiguous).plan.flow_nodes == 2);
  CHECK(plan(circuit, BlockOrder::BreadthFirst).plan.flow_nodes == 3);
  std::vector<bool> most(6, true);
  most[0] = false;
  CHECK(plan(circuit, BlockOrder::CycleContiguous, most).plan.flow_nodes == 1);
  for (BlockOrder order : kOrders)
    CHECK(plan(circuit, order, std::vector<bool>(6, false)).plan.flow_nodes == 0);
}

TEST_CASE("orders of a graph hold each node once and end with the exit", "[orders]") {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 14);
    Cycles cycles(g, 0);
    auto known = cycle_contiguous_order(g, 0, cycles);
    std::ranges::sort(known);
    for (BlockOrder order : kOrders) {
      auto nodes = block_order(g, 0, cycles, order);
      CHECK(nodes.front() == 0);
      CHECK(nodes.back() == g.size() - 1);
      std::ranges::sort(nodes);
      CHECK(nodes == known);
    }
  }
}

// The published search in depth-first order misses join points that it reaches too early.
TEST_CASE("a meeting point comes behind all sides", "[orders]") {
  const Graph g{{1, 4}, {2, 3}, {4}, {4}, {5}, {}};
  CHECK(block_order(g, 0, Cycles(g, 0), BlockOrder::DepthFirst) == std::vector<uint32_t>{0, 1, 2, 4, 3, 5});
  CHECK(block_order(g, 0, Cycles(g, 0), BlockOrder::DepthFirstPostDominance) ==
        std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("random graphs with cycles, by frontiers", "[frontiers]") {
  std::mt19937 random(3);
  uint32_t uniform = 0, kept = 0;
  for (int round = 0; round < 6000; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 14);
    std::vector<bool> divergent(g.size());
    for (size_t n = 0; n < g.size(); ++n) divergent[n] = round % 2 || random() % 2;
    ReconvergePlan p = plan_by_frontiers(g, 0, Cycles(g, 0), divergent);
    INFO(test::text(g, p, divergent));
    CHECK(test::fault(g, p, divergent) == "");
    for (uint32_t n : p.order) {
      if (n >= g.size() || divergent[n] || g[n].size() < 2) continue;
      ++uniform;
      kept += p.nodes[n].succs[0] != p.nodes[n].succs[1];
    }
    ReconvergePlan all = plan_by_frontiers(g, 0, Cycles(g, 0), std::vector<bool>(g.size(), false));
    CHECK(all.flow_nodes == 0);
  }
  CHECK(1.0 * kept / uniform > 0.6);
}
