// SPDX-License-Identifier: Apache-2.0
// Thread frontiers against their definition, solved naively, and against running warps; priorities against
// the constraints of barriers.
#include "passes/analysis/frontiers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <set>

#include "tests/property/random_graph.h"
#include "tests/property/synthetic_graphs.h"

using namespace kc;
using namespace kc::test;

namespace {

using Sets = std::vector<std::set<uint32_t>>;  // of nodes, by node

std::vector<uint32_t> priorities(const Graph& g, const std::vector<bool>& barrier = {}) {
  return priority_order(g, 0, barrier.empty() ? std::vector<bool>(g.size(), false) : barrier);
}

// Applies the definition in frontiers.h to the fixpoint.
Sets slow_frontiers(const Graph& g, const Frontiers& f) {
  Sets s(g.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b : f.order) {
      std::set<uint32_t> all = s[b];
      all.insert(g[b].begin(), g[b].end());
      for (uint32_t t : all)
        for (uint32_t u : all)
          if (f.position[t] < f.position[u]) changed |= s[t].insert(u).second;
    }
  }
  return s;
}

Sets sets_of(const Graph& g, const Frontiers& f) {
  Sets s(g.size());
  for (uint32_t b : f.order)
    for (uint32_t u : f.frontier(b)) s[b].insert(u);
  return s;
}

// As published: one pass, and only divergent branches add their targets.
Sets published_frontiers(const Graph& g, const Frontiers& f) {
  Sets s(g.size());
  std::set<uint32_t> waiting;
  for (uint32_t b : f.order) {
    waiting.erase(b);
    s[b] = waiting;
    if (g[b].size() < 2) continue;
    for (uint32_t t : g[b])
      if (f.position[t] > f.position[b]) waiting.insert(t);
  }
  return s;
}

// Whether a warp in which all paths are taken has waiting work-items outside the frontier, in an acyclic
// graph.
bool violated(const Graph& g, const Frontiers& f, const Sets& frontiers) {
  std::set<uint32_t> places{0};  // positions of work-items, by priority
  while (!places.empty()) {
    uint32_t b = f.order[*places.begin()];
    places.erase(places.begin());
    for (uint32_t p : places)
      if (!frontiers[b].contains(f.order[p])) return true;
    for (uint32_t t : g[b]) places.insert(f.position[t]);
  }
  return false;
}

// Runs work-items along random paths in priority order; returns whether all waiting ones are in the frontier.
bool lanes_wait_in_frontiers(const Graph& g, const Frontiers& f, std::mt19937& random) {
  std::vector<uint32_t> at(12, 0);
  for (int step = 0; step < 400; ++step) {
    uint32_t best = kNone;
    for (uint32_t n : at) best = std::min(best, f.position[n]);
    uint32_t b = f.order[best];
    for (uint32_t& n : at) {
      if (n != b) {
        if (!f.waits(n, b)) return false;
        continue;
      }
      if (!g[n].empty()) n = g[n][random() % g[n].size()];
    }
    if (g[b].empty()) return true;  // the exit is last
  }
  return true;
}

// Every node from which a barrier is reachable without passing another one precedes it.
void check_barriers(const Graph& g, const std::vector<uint32_t>& order, const std::vector<bool>& barrier) {
  std::vector<uint32_t> position(g.size());
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  for (uint32_t n : order) {
    if (barrier[n]) continue;
    std::set<uint32_t> seen{n};
    std::vector<uint32_t> work{n};
    while (!work.empty()) {
      uint32_t m = work.back();
      work.pop_back();
      if (barrier[m]) CHECK(position[n] < position[m]);
      if (barrier[m]) continue;
      for (uint32_t s : g[m])
        if (seen.insert(s).second) work.push_back(s);
    }
  }
}

Graph landing_pads(uint32_t n) {
  // A chain of n blocks, each of which can also go to a pad of its own; the pads follow.
  Graph g(2 * n + 1);
  for (uint32_t i = 0; i < n; ++i) g[i] = {i + 1 < n ? i + 1 : 2 * n, n + i}, g[n + i] = {2 * n};
  return g;
}

Graph nest(uint32_t n) {
  // n nested loops, each left from its header.
  Graph g(2 * n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    g[i] = {i + 1, i == 0 ? 2 * n : 2 * n - i};
    g[2 * n - 1 - i] = {i};
  }
  return g;
}

// A sequence of random graphs with cycles.
Graph chain(std::mt19937& random, uint32_t graphs, uint32_t nodes) {
  Graph g;
  for (uint32_t k = 0; k < graphs; ++k) {
    auto first = static_cast<uint32_t>(g.size());
    for (NodeList succs : random_cyclic_graph(random, nodes)) {
      for (uint32_t& s : succs) s += first;
      g.push_back(std::move(succs));
    }
    if (k + 1 < graphs) g.back() = {first + nodes};
  }
  return g;
}

}  // namespace

TEST_CASE("the graph of the paper's first figure") {
  // BB1 .. BB5 are 0 .. 4, the exit is 5.
  Graph g{{1, 2}, {2, 5}, {3, 4}, {4, 5}, {5}, {}};
  Frontiers f(g, priorities(g));
  CHECK(f.order == std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(sets_of(g, f) == Sets{{}, {2}, {5}, {4, 5}, {5}, {}});
  CHECK(f.top == std::vector<uint32_t>{kNone, 2, 5, 4, 5, kNone});
  std::set<std::pair<uint32_t, uint32_t>> checks;
  for (uint32_t b = 0; b < 5; ++b)
    for (uint32_t t : g[b])
      if (t != 5 && f.checks(b, t)) checks.insert({b, t});
  CHECK(checks == std::set<std::pair<uint32_t, uint32_t>>{{1, 2}, {3, 4}});
}

TEST_CASE("the synthetic graphs: frontiers hold, those published do not") {
  uint64_t wrong = 0, wrong_by_number = 0;
  for (const Graph& g : all_synthetic_graphs()) {
    std::vector<uint32_t> by_number(g.size());
    std::iota(by_number.begin(), by_number.end(), 0);
    for (bool number : {false, true}) {
      Frontiers f(g, number ? by_number : priorities(g));
      Sets s = sets_of(g, f);
      CHECK(s == slow_frontiers(g, f));
      CHECK(!violated(g, f, s));
      (number ? wrong_by_number : wrong) += violated(g, f, published_frontiers(g, f));
    }
  }
  CHECK(wrong == 528);
  CHECK(wrong_by_number == 496);  // the numbers are an order, too
}

TEST_CASE("random graphs with cycles") {
  std::mt19937 random(11);
  uint64_t larger = 0;
  for (int round = 0; round < 3000; ++round) {
    Graph g = random_cyclic_graph(random, 4 + random() % 16);
    std::vector<bool> barrier(g.size(), false);
    if (round % 3 == 0)
      for (uint32_t n = 1; n + 1 < g.size(); ++n) barrier[n] = random() % 5 == 0;
    std::vector<uint32_t> order = priorities(g, barrier);
    CHECK(std::set<uint32_t>(order.begin(), order.end()).size() == order.size());
    CHECK(order.front() == 0);
    check_barriers(g, order, barrier);
    Frontiers f(g, order);
    Sets fast = sets_of(g, f), slow = slow_frontiers(g, f);
    bool holds = true;
    for (uint32_t b : f.order) holds &= std::ranges::includes(fast[b], slow[b]);
    CHECK(holds);
    // Only orders constrained by barriers can make them larger than necessary.
    if (round % 3 == 0)
      larger += fast != slow;
    else
      CHECK(fast == slow);
    CHECK(lanes_wait_in_frontiers(g, f, random));
    for (uint32_t b : f.order) CHECK(f.top[b] == (fast[b].empty() ? kNone : f.frontier(b)[0]));
  }
  CHECK(larger < 200);
}

TEST_CASE("a loop with a barrier begins behind it") {
  // 1 -> 2 (barrier) -> 1 or 3, 3 -> 1; 1 can leave.
  Graph g{{1}, {2, 4}, {1, 3}, {1}, {}};
  CHECK(priorities(g) == std::vector<uint32_t>{0, 1, 2, 3, 4});
  CHECK(priorities(g, {false, false, true, false, false}) == std::vector<uint32_t>{0, 3, 1, 2, 4});
  // The paper's Figure 2 c and d, with BB0 to BB3 as 1 to 4: the code after the barrier in BB1 precedes the
  // next arrival there.
  Graph figure{{1}, {2}, {3, 4}, {1, 5}, {3}, {}};
  CHECK(priorities(figure, {false, false, true, false, false, false}) ==
        std::vector<uint32_t>{0, 4, 3, 1, 2, 5});
}

TEST_CASE("a hundred thousand blocks") {
  std::mt19937 random(5);
  for (const Graph& g :
       {ladder_graph(50'000), landing_pads(50'000), nest(50'000), chain(random, 2'500, 40)}) {
    auto start = std::chrono::steady_clock::now();
    std::vector<bool> barrier(g.size(), false);
    for (size_t n = 1; n + 1 < g.size(); n += 1000) barrier[n] = true;
    Frontiers f(g, priorities(g, barrier));
    CAPTURE(f.order.size());
    // Quadratic work would take minutes.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  }
}
