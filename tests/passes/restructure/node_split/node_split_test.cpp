// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/node_split.h"

#include <catch2/catch.hpp>
#include <ctime>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/restructure/structurize.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/property/large_graphs.h"

using namespace kc;
using test::Graph;

namespace {

NodeSplitReport check(const Graph& g, uint64_t steer) {
  Function f = test::graph_function(g, std::vector<bool>(g.size(), true));
  mem2reg(f);
  auto want = test::run_graph_function(f, steer);
  REQUIRE(!want.empty());
  const std::string before = print(f);
  const bool was = check_structured(f).empty();
  NodeSplitReport report;
  bool changed = node_split(f, nullptr, &report);
  INFO(before << "\nbecomes\n" << print(f));
  REQUIRE(verify(f).empty());
  REQUIRE(check_structured(f) == "");
  REQUIRE(test::run_graph_function(f, steer) == want);
  CHECK(changed != was);
  if (was) CHECK(print(f) == before);
  return report;
}

}  // namespace

TEST_CASE("all small unstructured graphs by copies", "[node_split]") {
  uint32_t copies = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    NodeSplitReport r = check(g, 5);
    CHECK_FALSE(r.given_up);
    copies += r.copies;
  }
  CAPTURE(copies);
  CHECK(copies > 1601);
}

TEST_CASE("copies double with every step of a ladder", "[node_split]") {
  // The path of the second condition has its own third condition with both arms, and one more for its own
  // failure.
  CHECK(check({{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {}}, 1).copies == 4);
  // 2 + 4 + ... + 2^k blocks instead of 2k.
  for (uint32_t k : {2u, 3u, 4u}) CHECK(check(test::ladder_graph(k), 1).copies == (2u << k) - 2 - 2 * k);
  CHECK(check(test::ladder_graph(12), 1).given_up);
}

TEST_CASE("any graph by copies", "[node_split]") {
  std::mt19937 random(3);
  int given_up = 0;
  for (int round = 0; round < 1000; ++round) {
    INFO("round " << round);
    Graph g = test::random_cyclic_graph(random, 3 + random() % 14);
    if (random() % 2) test::add_switches(random, g);
    given_up += check(g, random()).given_up;
  }
  CHECK(given_up < 250);
}

TEST_CASE("copying a hundred thousand blocks ends in seconds", "[node_split]") {
  for (const test::LargeShape& shape : test::large_shapes()) {
    INFO(shape.name);
    Function f = test::bare_function(shape.make(100'000));
    std::clock_t start = std::clock();
    node_split(f);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (std::getenv("KC_TIMES"))
      std::printf("%.2f %s\n", seconds, std::string(shape.name).c_str()), std::fflush(stdout);
    CHECK(seconds < 20);
    CHECK(verify(f).empty());
    CHECK(check_structured(f) == "");
  }
}
