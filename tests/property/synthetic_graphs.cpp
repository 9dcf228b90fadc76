// SPDX-License-Identifier: Apache-2.0
#include "tests/property/synthetic_graphs.h"

#include <algorithm>
#include <set>

namespace kc::test {
namespace {

// Node sets are bit masks: the enumerated graphs are tiny.
std::vector<uint32_t> predecessors(const std::vector<uint32_t>& succs) {
  std::vector<uint32_t> preds(succs.size(), 0);
  for (uint32_t n = 0; n < succs.size(); ++n)
    for (uint32_t s = 0; s < succs.size(); ++s)
      if (succs[n] >> s & 1) preds[s] |= 1u << n;
  return preds;
}

bool single(uint32_t set) { return set != 0 && (set & (set - 1)) == 0; }
uint32_t lowest(uint32_t set) { return static_cast<uint32_t>(__builtin_ctz(set)); }

bool minimal(const std::vector<uint32_t>& succs) {
  auto preds = predecessors(succs);
  for (uint32_t n = 1; n < succs.size(); ++n) {
    if (preds[n] == 0) return false;
    if (single(preds[n]) && single(succs[lowest(preds[n])])) return false;
  }
  return true;
}

// One step of reduction: a sequence becomes one node, or an arm of an if is removed.
bool reduce(std::vector<uint32_t>& succs) {
  auto preds = predecessors(succs);
  for (uint32_t n = 1; n < succs.size(); ++n) {
    if (!single(preds[n])) continue;
    uint32_t p = lowest(preds[n]), others = succs[p] & ~(1u << n);
    if (others == 0) {
      succs[p] = succs[n];
      succs[n] = 0;
      return true;
    }
    uint32_t other = lowest(others);
    bool if_then = succs[n] == others;
    bool if_else = single(succs[n]) && succs[other] == succs[n] && single(preds[other]);
    if (if_then || if_else) {
      succs[p] = others;
      succs[n] = 0;
      return true;
    }
  }
  return false;
}

bool structured(std::vector<uint32_t> succs) {
  while (reduce(succs)) {
  }
  return std::all_of(succs.begin(), succs.end(), [](uint32_t set) { return set == 0; });
}

void enumerate(std::vector<uint32_t>& succs, uint32_t node, std::vector<Graph>& out) {
  const auto n = static_cast<uint32_t>(succs.size());
  if (node + 1 == n) {
    if (!minimal(succs) || structured(succs)) return;
    Graph g(n);
    for (uint32_t m = 0; m < n; ++m)
      for (uint32_t s = m + 1; s < n; ++s)
        if (succs[m] >> s & 1) g[m].push_back(s);
    out.push_back(std::move(g));
    return;
  }
  for (uint32_t a = node + 1; a < n; ++a)
    for (uint32_t b = a; b < n; ++b) {
      succs[node] = 1u << a | 1u << b;
      enumerate(succs, node + 1, out);
    }
  succs[node] = 0;
}

}  // namespace

std::vector<Graph> synthetic_graphs(uint32_t n) {
  std::vector<Graph> out;
  std::vector<uint32_t> succs(n, 0);
  enumerate(succs, 0, out);
  return out;
}

std::vector<Graph> all_synthetic_graphs() {
  std::vector<Graph> all;
  for (uint32_t n = 4; n <= 7; ++n)
    for (Graph& g : synthetic_graphs(n)) all.push_back(std::move(g));
  return all;
}

uint64_t ipdom_executions(const Graph& g) {
  const auto n = static_cast<uint32_t>(g.size());
  // The nodes that are on every path from a node to the exit; successors have higher numbers.
  std::vector<std::set<uint32_t>> always(n);
  std::vector<uint32_t> meets(n, n - 1);
  for (uint32_t m = n; m-- > 0;) {
    if (!g[m].empty()) always[m] = always[g[m][0]];
    for (uint32_t s : g[m]) std::erase_if(always[m], [&](uint32_t x) { return !always[s].contains(x); });
    if (!always[m].empty()) meets[m] = *always[m].begin();
    always[m].insert(m);
  }
  auto run = [&](auto&& self, uint32_t from, uint32_t stop) -> uint64_t {
    if (from == stop) return 0;
    uint64_t count = 1;
    for (uint32_t s : g[from]) count += self(self, s, meets[from]);
    return g[from].empty() ? count : count + self(self, meets[from], stop);
  };
  return run(run, 0, n);
}

Graph random_cyclic_graph(std::mt19937& random, uint32_t n) {
  Graph g(n);
  for (uint32_t m = 0; m + 1 < n; ++m) {
    // A forward edge keeps every node reachable from the entry and the exit reachable from every node.
    g[m].push_back(m + 1 + random() % std::min<uint32_t>(3, n - 1 - m));
    if (m + 2 < n && g[m][0] != m + 1 && random() % 2) g[m].push_back(m + 1);
    if (g[m].size() == 1 && random() % 4 != 0) {
      uint32_t s = 1 + random() % (n - 1);
      if (s != g[m][0]) g[m].push_back(s);
    }
    if (random() % 2) std::reverse(g[m].begin(), g[m].end());
  }
  return g;
}

void add_switches(std::mt19937& random, Graph& g) {
  for (auto& succs : g)
    while (succs.size() > 1 && succs.size() < 5 && random() % 3 == 0) {
      const auto s = static_cast<uint32_t>(1 + random() % (g.size() - 1));
      if (std::ranges::find(succs, s) != succs.end()) break;
      succs.push_back(s);
    }
}

Graph ladder_graph(uint32_t k) {
  Graph g(2 * k + 2);
  g[0] = {1, 2};
  for (uint32_t i = 0; i + 1 < k; ++i)
    for (uint32_t side : {1u, 2u}) g[2 * i + side] = {2 * i + 3, 2 * i + 4};
  g[2 * k - 1] = g[2 * k] = {2 * k + 1};
  return g;
}

}  // namespace kc::test
