// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/cycles.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace kc;

namespace {

// Whether a path of at least one edge leads from `from` to `to` over nodes of `within`, except `without`.
bool reaches(const SuccessorLists& succs, const std::set<uint32_t>& within, uint32_t from, uint32_t to) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    for (uint32_t s : succs[n]) {
      if (!within.contains(s)) continue;
      if (s == to) return true;
      if (seen.insert(s).second) work.push_back(s);
    }
  }
  return false;
}

// The definition applied directly: the maximal strongly connected sets within `nodes` must be the cycles
// directly below `parent`, and recursively inside them without the headers.
void check_level(const SuccessorLists& succs, const std::set<uint32_t>& reached, const Cycles& cycles,
                 const std::set<uint32_t>& nodes, uint32_t parent) {
  for (uint32_t n : nodes) {
    std::set<uint32_t> component;
    if (reaches(succs, nodes, n, n))
      for (uint32_t m : nodes)
        if (m == n || (reaches(succs, nodes, n, m) && reaches(succs, nodes, m, n))) component.insert(m);
    uint32_t c = cycles.innermost[n];
    while (c != kNone && cycles.cycles[c].parent != parent) c = cycles.cycles[c].parent;
    if (component.empty()) {
      CHECK(c == kNone);
      continue;
    }
    REQUIRE(c != kNone);
    auto members = cycles.nodes(c);
    CHECK(std::set<uint32_t>(members.begin(), members.end()) == component);
    CHECK(members.size() == component.size());
    const Cycle& cycle = cycles.cycles[c];
    std::set<uint32_t> entries, exits;
    for (uint32_t m : component)
      for (uint32_t s : succs[m])
        if (!component.contains(s)) exits.insert(s);
    for (uint32_t m : reached)
      for (uint32_t s : succs[m])
        if (!component.contains(m) && component.contains(s)) entries.insert(s);
    if (component.contains(0)) entries.insert(0);
    CHECK(std::set<uint32_t>(cycle.entries.begin(), cycle.entries.end()) == entries);
    CHECK(cycle.entries.size() == entries.size());
    CHECK(cycle.entries.front() == cycle.header);
    CHECK(std::set<uint32_t>(cycle.exits.begin(), cycle.exits.end()) == exits);
    if (*component.begin() != n) continue;
    component.erase(cycle.header);
    check_level(succs, reached, cycles, component, c);
  }
}

}  // namespace

TEST_CASE("nested loops", "[cycles]") {
  // 0 -> 1 -> 2 -> 3; 3 -> 2 (inner), 3 -> 1 (outer), 3 -> 4
  Cycles cycles({{1}, {2}, {3}, {2, 1, 4}, {}}, 0);
  REQUIRE(cycles.cycles.size() == 2);
  CHECK(cycles.cycles[0].header == 1);
  CHECK(cycles.cycles[1].header == 2);
  CHECK(cycles.cycles[1].parent == 0);
  CHECK(cycles.cycles[1].depth == 2);
  CHECK(cycles.cycles[0].reducible());
  CHECK(cycles.smallest_with(1, 3) == 0);
  CHECK(cycles.largest_between(3, 1) == 1);
  CHECK(cycles.largest_between(3, 4) == 0);
}

TEST_CASE("a cycle with two entries", "[cycles]") {
  Cycles cycles({{1, 2}, {2, 3}, {1}, {}}, 0);
  REQUIRE(cycles.cycles.size() == 1);
  CHECK(!cycles.cycles[0].reducible());
  CHECK(cycles.cycles[0].entries == std::vector<uint32_t>{1, 2});
}

TEST_CASE("random graphs against the definition", "[cycles]") {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    uint32_t n = 2 + random() % 9;
    SuccessorLists succs(n);
    for (auto& list : succs)
      for (uint32_t k = random() % 3; k-- > 0;) list.push_back(random() % n);
    Cycles cycles(succs, 0);
    std::set<uint32_t> reached{0}, all;
    for (uint32_t m = 0; m < n; ++m) all.insert(m);
    for (uint32_t m = 1; m < n; ++m)
      if (reaches(succs, all, 0, m)) reached.insert(m);
    check_level(succs, reached, cycles, reached, kNone);
  }
}

TEST_CASE("a hundred thousand nodes", "[cycles]") {
  // One loop around a chain of small loops, the first of which shares its header.
  const uint32_t n = 100000;
  SuccessorLists succs(n);
  for (uint32_t i = 0; i + 1 < n; ++i) {
    succs[i].push_back(i + 1);
    if (i % 3 == 2) succs[i].push_back(i - 1);
  }
  succs[n - 2].push_back(1);
  Cycles cycles(succs, 0);
  CHECK(cycles.cycles.size() == (n - 1) / 3);
}
