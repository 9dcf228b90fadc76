// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/linearize.h"

#include <catch2/catch.hpp>
#include <ctime>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/restructure/predicate_chain.h"
#include "passes/restructure/structurize.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/property/large_graphs.h"

using namespace kc;
using test::Graph;

namespace {

LinearizeReport check(const Graph& g, uint64_t steer, const LinearizeOptions& options = {}) {
  Function f = test::graph_function(g, std::vector<bool>(g.size(), true));
  mem2reg(f);
  auto want = test::run_graph_function(f, steer);
  REQUIRE(!want.empty());
  const std::string before = print(f);
  const bool was = check_structured(f).empty();
  LinearizeReport report;
  bool changed = linearize(f, options, &report);
  INFO(before << "\nbecomes\n" << print(f));
  REQUIRE(verify(f).empty());
  REQUIRE(check_structured(f) == "");
  REQUIRE(test::run_graph_function(f, steer) == want);
  if (!options.whole && !options.merge && options.max_stack == 0) {
    CHECK(changed != was);
    if (was) CHECK(print(f) == before);
  }
  return report;
}

constexpr LinearizeOptions kPlain{.skip = false, .fold = false, .known = false, .late = false};

}  // namespace

TEST_CASE("all small unstructured graphs in a row", "[linearize]") {
  uint32_t live = 0, skipped = 0, nested = 0, past = 0, refused = 0, selective = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    live += check(g, 5, {.skip = false, .fold = false, .known = false, .whole = true}).live_guards;
    skipped += check(g, 5, {.whole = true}).live_guards;
    nested += check(g, 5, {.nest = true, .whole = true}).live_guards;
    check(g, 5, {.skip = false, .nest = true, .whole = true});
    LinearizeReport tried = check(g, 5, {.past = true, .whole = true});
    past += tried.live_guards, refused += tried.refused > 0;
    selective += check(g, 5).live_guards;
  }
  CHECK(live == 7832);
  CHECK(skipped == 6604);
  CHECK(nested == 6518);
  CHECK(past == 6543);
  CHECK(refused == 790);  // graphs that the second half of the paper's O1 would have broken
  CHECK(selective <= skipped);
}

TEST_CASE("a short circuit in a row", "[linearize]") {
  LinearizeReport r = check({{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {}}, 1, kPlain);
  CHECK(r.regions == 1);
  CHECK(r.guards == 4);
  CHECK(r.live_guards == 4);
}

// The paper's figure, with its blocks 1 to 6 as 0 to 5 and the exit as 6: the possible next blocks at each
// guard.
TEST_CASE("turns that come to the guards of a short circuit", "[linearize]") {
  const SuccessorLists succs{{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {6}};
  PredicateChain row(succs, {0}, {}, true);
  std::vector<std::vector<uint32_t>> turns;
  size_t live = 0;
  for (const PredicateChain::Guard& s : row.guards()) {
    CHECK(!s.back);
    turns.push_back(s.values);
    live += s.values.size() > 1;
  }
  CHECK(turns == std::vector<std::vector<uint32_t>>{{0}, {1, 2}, {2, 4}, {3, 4}, {4, 5}, {5}});
  CHECK(live == 4);
  // Only the second block leads to the fifth besides the third: work-items from the first bypass the guard.
  row.skip();
  CHECK(row.after_block(0) == row.guard_of(1));
}

// if (c1) { load; if (c2) use; else use; } else { load; if (c3) use; else use; }
TEST_CASE("loads and what uses them apart in a row", "[linearize]") {
  const char* text = R"(thread func @f(%0: ptr<global> p of i32, %1: i32 x) kernel {
b0:
  %2: i1 = slt %1, 0:i32
  br_if %2 -> b1, b5
b1:
  %3: i32 = load %0
  %4: i1 = eq %1, 1:i32
  br_if %4 -> b2, b3
b2:
  store %0, %3
  br -> b4
b3:
  %5: i32 = add %3, 1:i32
  store %0, %5
  br -> b4
b4:
  br -> b9
b5:
  %6: i32 = load %0
  %7: i1 = eq %1, 2:i32
  br_if %7 -> b6, b7
b6:
  store %0, %6
  br -> b8
b7:
  %8: i32 = add %6, 1:i32
  store %0, %8
  br -> b8
b8:
  br -> b9
b9:
  ret
}
)";
  auto order = [&](const LinearizeOptions& options) {
    auto module = parse_module(text);
    REQUIRE(module.has_value());
    Function& f = *module->functions[0];
    const std::vector<BlockId> before = f.layout;
    linearize(f, options);
    std::string places;
    for (BlockId b : f.layout)
      if (auto at = std::ranges::find(before, b); at != before.end())
        places += std::to_string(at - before.begin());
    return places;
  };
  CHECK(order({.max_stack = 1}) == "0123456789");
  CHECK(order({.max_stack = 1, .interleave = true}) == "0152346789");
  CHECK(order({.interleave = true}) == "0123456789");
}

// if (x < 9) { if (x < 0) *p += 3 * x; else *q ^= x; }
TEST_CASE("a block that uses what it loads is parted where others can stand in between", "[linearize]") {
  const char* text = R"(thread func @f(%0: ptr<global> p of i32, %1: ptr<global> q of i32, %2: i32 x) kernel {
b0:
  %9: i1 = slt %2, 9:i32
  br_if %9 -> b4, b5
b4:
  %3: i1 = slt %2, 0:i32
  br_if %3 -> b1, b2
b1:
  %4: i32 = load %0
  %5: i32 = mul %2, 3:i32
  %6: i32 = add %4, %5
  store %0, %6
  br -> b3
b2:
  %7: i32 = load %1
  %8: i32 = xor %7, %2
  store %1, %8
  br -> b3
b3:
  br -> b5
b5:
  ret
}
)";
  auto order = [&](const LinearizeOptions& options) {
    auto module = parse_module(text);
    REQUIRE(module.has_value());
    Function& f = *module->functions[0];
    const size_t blocks = f.block_count();
    linearize(f, options);
    REQUIRE(verify(f).empty());
    CHECK(check_structured(f) == "");
    if (options.max_stack == 0) CHECK(f.block_count() == blocks);  // no predicate chain
    std::string ops;
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts)
        if (f.inst(i).op != Op::slt && info(f.inst(i).op).effects != Effects::Control)
          ops += std::string(info(f.inst(i).op).name) + " ";
    return ops;
  };
  CHECK(order({.interleave = true}) == "load mul add store load xor store ");
  CHECK(order({.max_stack = 1}) == "load mul add store load xor store ");
  CHECK(order({.max_stack = 1, .interleave = true}) == "load mul load add store xor store ");
}

TEST_CASE("any graph in a row", "[linearize]") {
  std::mt19937 random(3);
  for (uint32_t round = 0; round < 2000; ++round) {
    INFO("round " << round);
    Graph g = test::random_cyclic_graph(random, 3 + random() % 14);
    if (random() % 2) test::add_switches(random, g);
    LinearizeOptions options{.skip = (round & 1) == 0,
                             .nest = (round & 64) != 0,
                             .past = (round & 128) != 0,
                             .fold = (round & 2) == 0,
                             .known = (round & 4) == 0,
                             .late = (round & 32) == 0,
                             .max_stack = round % 5,
                             .interleave = round % 7 == 0,
                             .whole = (round & 24) == 24,
                             .merge = (round & 24) == 16};
    check(g, random(), options);
  }
}

TEST_CASE("a hundred thousand blocks in rows in seconds", "[linearize]") {
  for (const test::LargeShape& shape : test::large_shapes())
    for (uint32_t most : {0u, 1u}) {
      INFO(shape.name);
      Function f = test::bare_function(shape.make(100'000));
      std::clock_t start = std::clock();
      linearize(f, {.max_stack = most});
      double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      if (std::getenv("KC_TIMES"))
        std::printf("%.2f %s\n", seconds, std::string(shape.name).c_str()), std::fflush(stdout);
      CHECK(seconds < 20);
      CHECK(verify(f).empty());
      CHECK(check_structured(f) == "");
    }
}
