// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/restructure/structurize.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"

using namespace kc;
using test::Graph;

namespace {

Function function_of(const Graph& g) {
  Function f = test::graph_function(g, std::vector<bool>(g.size(), true));
  mem2reg(f);
  return f;
}

StructurizeReport check(const Graph& g, uint64_t steer, const StructurizeOptions& options = {}) {
  Function f = function_of(g);
  auto want = test::run_graph_function(f, steer);
  REQUIRE(!want.empty());
  const std::string before = print(f);
  const bool was = check_structured(f).empty();
  StructurizeReport report;
  bool changed = structurize(f, options, &report);
  INFO(before << "\nbecomes\n" << print(f));
  REQUIRE(verify(f).empty());
  REQUIRE(check_structured(f) == "");
  REQUIRE(test::run_graph_function(f, steer) == want);
  if (!options.whole && !options.head) {
    CHECK(changed != was);
    if (was) CHECK(print(f) == before);
  }
  CHECK_FALSE(structurize(f, options));
  return report;
}

}  // namespace

TEST_CASE("all small unstructured graphs become structured", "[structurize]") {
  std::map<uint32_t, int> switches;
  uint32_t total = 0, assignments = 0, widest = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    StructurizeReport r = check(g, 5);
    ++switches[r.switches];
    total += r.switches;
    assignments += r.assignments;
    widest = std::max(widest, r.widest);
  }
  CHECK(total == 2465);
  CHECK(switches == std::map<uint32_t, int>{{1, 829}, {2, 681}, {3, 90}, {4, 1}});
  CHECK(assignments == 9405);
  CHECK(widest == 3);
}

TEST_CASE("short circuits and ladders", "[structurize]") {
  StructurizeReport r = check({{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {}}, 1);
  CHECK(r.switches == 2);
  CHECK(r.assignments == 6);
  for (uint32_t k : {3u, 5u, 8u}) {
    r = check(test::ladder_graph(k), 1);
    CHECK(r.switches == k - 1);
    CHECK(r.assignments == 4 * (k - 1));
  }
}

TEST_CASE("loops that test at their head stay unless asked for", "[structurize]") {
  const Graph loop{{1}, {2, 3}, {1}, {}};
  CHECK(check(loop, 1).switches == 0);
  StructurizeReport r = check(loop, 1, {.whole = true});
  CHECK(r.switches == 1);
  CHECK(r.assignments == 2);
  const Graph tail{{1}, {2}, {1, 3}, {}};
  CHECK(check(tail, 1, {.whole = true}).switches == 0);
}

TEST_CASE("any graph becomes structured", "[structurize]") {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    INFO("round " << round);
    Graph g = test::random_cyclic_graph(random, 3 + random() % 14);
    if (random() % 2) test::add_switches(random, g);
    check(g, random(), {.form = static_cast<SwitchForm>(round % 3), .whole = round % 4 == 0});
  }
}
