// SPDX-License-Identifier: Apache-2.0
// Block executions under each scheme against results from the literature and from independent models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "passes/restructure/reconverge.h"
#include "tests/sim/support.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

namespace {

uint64_t executions(const PathFunction& paths, WarpScheme scheme) {
  WarpRunResult r = run_paths(paths, scheme);
  INFO(r.message);
  REQUIRE(r.ok());
  return r.statistics.block_executions;
}

}  // namespace

TEST_CASE("the first figure of the thread frontiers paper") {
  // BB1 to BB5 are 0 to 4; 5 is the exit. The four work-items of the paper.
  const char* text = R"(thread func @figure(%0: ptr<global> ways of i32) kernel {
b0:
  %1: i64 = global_id dim=0
  %2: ptr<global> = ptr_add %0, %1, scale=4
  %3: i32 = load %2
  %4: i32 = and %3, 1:i32
  %5: i1 = eq %4, 0:i32
  br_if %5 -> b1, b2
b1:
  %6: i32 = and %3, 2:i32
  %7: i1 = eq %6, 0:i32
  br_if %7 -> b2, b5
b2:
  %8: i32 = and %3, 4:i32
  %9: i1 = eq %8, 0:i32
  br_if %9 -> b3, b4
b3:
  %10: i32 = and %3, 8:i32
  %11: i1 = eq %10, 0:i32
  br_if %11 -> b4, b5
b4:
  br -> b5
b5:
  ret
}
)";
  Module m = parse(text);
  const Function& f = *m.functions[0];
  std::vector<uint32_t> ways{1, 2, 4, 8};
  std::vector<MemoryRange> memory{range_of(ways)};
  WarpSimulator simulator(f, priorities_of(f));
  std::map<WarpScheme, std::vector<uint32_t>> issued;
  for (WarpScheme scheme : kSchemes) {
    std::vector<uint64_t> arguments{address_of(ways)};
    auto r = simulator.run(
        line(4, 4), arguments,
        {.memory = memory, .scheme = scheme, .width = 4, .on_block = [&](auto, BlockId b, auto&) {
           auto place = std::ranges::find(f.layout, b) - f.layout.begin();
           issued[scheme].push_back(static_cast<uint32_t>(place + 1));
         }});
    REQUIRE(r.ok());
    CHECK(r.statistics.redundant_executions() == (scheme == WarpScheme::Ipdom ? 3 : 0));
  }
  // The exit is block 6 here. BB3, BB4 and BB5 run twice under ipdom.
  CHECK(issued[WarpScheme::Ipdom] == std::vector<uint32_t>{1, 2, 3, 4, 5, 3, 4, 5, 6});
  CHECK(issued[WarpScheme::TfStack] == std::vector<uint32_t>{1, 2, 3, 4, 5, 6});
  CHECK(issued[WarpScheme::TfSandy] == std::vector<uint32_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("what lanes hold, and where the others wait") {
  // Lanes 0 and 1 go to b1, lane 2 to b2, lane 3 to b4, which leads to b5 or ends.
  std::string text = R"(thread func @parts() kernel {
b0:
  %0: i32 = local_id dim=0
  %1: i1 = ult %0, 2:i32
  br_if %1 -> b1(%0), b3
b1(%2: i32):
  %3: i32 = add %2, 40:i32
  br -> b2(%3)
b2(%4: i32):
  br -> b5
b3:
  %5: i1 = eq %0, 2:i32
  br_if %5 -> b2(7:i32), b4
b4:
  br -> b5
b5:
  ret
}
)";
  const bool ends = GENERATE(false, true);
  if (ends) text.replace(text.rfind("br -> b5"), 8, "ret");
  Module m = parse(text.c_str());
  const Function& f = *m.functions[0];
  WarpSimulator simulator(f, priorities_of(f));
  auto place = [&](BlockId b) {
    REQUIRE(b.valid());
    return std::ranges::find(f.layout, b) - f.layout.begin();
  };
  std::map<WarpScheme, std::vector<std::string>> steps;
  for (WarpScheme scheme : kSchemes) {
    auto r =
        simulator.run(line(4, 4), {},
                      {.memory = {},
                       .scheme = scheme,
                       .width = 4,
                       .on_state = [&](uint64_t, BlockId b, const LaneSet& lanes, const WarpState& state) {
                         std::string s = fmt::format("b{} {}", place(b), fmt::join(lanes, ""));
                         std::vector<bool> seen(4);
                         for (uint32_t l : lanes) {
                           seen[l] = true;
                           for (ValueId p : f.block(b).params) s += fmt::format(" {}", state.value(l, p));
                         }
                         for (const WarpExit& e : state.waiting()) {
                           s += fmt::format(", {} at b{}", fmt::join(e.lanes, ""), place(e.to));
                           for (uint32_t l : e.lanes) {
                             CHECK(!seen[l]);
                             seen[l] = true;
                           }
                         }
                         steps[scheme].push_back(std::move(s));
                       }});
    REQUIRE(r.ok());
  }
  const std::vector<std::string> post_dominator =
      ends ? std::vector<std::string>{"b0 0123",
                                      "b1 01 0 1, 23 at b3",
                                      "b2 01 40 41, 23 at b3",
                                      "b5 01, 23 at b3",
                                      "b3 23",
                                      "b2 2 7, 3 at b4",
                                      "b5 2, 3 at b4",
                                      "b4 3"}
           : std::vector<std::string>{"b0 0123",         "b1 01 0 1, 23 at b3",       "b2 01 40 41, 23 at b3",
                                      "b3 23, 01 at b5", "b2 2 7, 3 at b4, 01 at b5", "b4 3, 012 at b5",
                                      "b5 0123"};
  CHECK(steps[WarpScheme::Ipdom] == post_dominator);
  for (WarpScheme scheme : {WarpScheme::TfStack, WarpScheme::TfSandy}) {
    std::vector<std::string> frontiers{"b0 0123", "b1 01 0 1, 23 at b3", "b3 23, 01 at b2",
                                       "b2 012 40 41 7, 3 at b4"};
    if (ends)
      frontiers.insert(frontiers.end(), {"b5 012, 3 at b4", "b4 3"});
    else
      frontiers.insert(frontiers.end(), {"b4 3, 012 at b5", "b5 0123"});
    CHECK(steps[scheme] == frontiers);
  }
}

TEST_CASE("all ways through the synthetic graphs") {
  std::map<uint64_t, int> redundancy;
  std::map<WarpScheme, uint64_t> total;
  for (const Graph& g : all_synthetic_graphs()) {
    PathFunction paths = path_function(g);
    for (WarpScheme scheme : kSchemes) {
      WarpRunResult r = run_paths(paths, scheme);
      REQUIRE(r.ok());
      total[scheme] += r.statistics.block_executions;
      CHECK(r.statistics.needed_executions == g.size());
      if (scheme == WarpScheme::Ipdom) {
        ++redundancy[r.statistics.redundant_executions()];
        CHECK(r.statistics.block_executions == ipdom_executions(g));
      }
    }
  }
  CHECK(total[WarpScheme::Ipdom] == 15594);
  CHECK(total[WarpScheme::TfStack] == 11063);
  CHECK(total[WarpScheme::TfSandy] == 11063);
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

TEST_CASE("ladders") {
  for (uint32_t k : {3u, 5u, 8u}) {
    PathFunction ladder = ladder_function(k);
    CHECK(executions(ladder, WarpScheme::Ipdom) == uint64_t{2} << k);
    CHECK(executions(ladder, WarpScheme::TfStack) == 2 * k + 2);
    CHECK(executions(ladder, WarpScheme::TfSandy) == 2 * k + 2);
  }
}

TEST_CASE("a short circuit") {
  // (c1 || c2) && c3
  PathFunction paths = path_function({{2, 1}, {2, 4}, {3, 4}, {5}, {5}, {}});
  CHECK(executions(paths, WarpScheme::Ipdom) == 10);
  CHECK(executions(paths, WarpScheme::TfStack) == 6);
}

namespace {

struct Executions {
  uint64_t original = 0, all = 0, redundant = 0;
};
// The synthetic graphs, reconverged, on a machine with a plain stack.
Executions reconverged_executions(ReconvergeOptions plan) {
  Executions sum;
  for (const Graph& g : all_synthetic_graphs()) {
    PathFunction paths = path_function(g);
    ReconvergeReport report;
    reconverge(paths.f, {}, &report, plan);
    CHECK(!report.plan_failed);
    std::vector<uint32_t> out(paths.items);
    std::vector<MemoryRange> memory{range_of(out)};
    std::vector<uint64_t> arguments{address_of(out)};
    auto count = [&](uint64_t, BlockId b, const LaneSet&) { sum.original += b.index < g.size(); };
    auto r = WarpSimulator(paths.f, priorities_of(paths.f))
                 .run(line(paths.items, paths.items), arguments,
                      {.memory = memory, .width = 0, .on_block = count});
    REQUIRE(r.ok());
    sum.all += r.statistics.block_executions;
    sum.redundant += r.statistics.redundant_executions();
  }
  return sum;
}

}  // namespace

// The original blocks execute as often as under thread frontiers.
TEST_CASE("reconverged graphs under ipdom") {
  for (uint32_t k : {3u, 5u, 8u}) {
    PathFunction ladder = ladder_function(k);
    reconverge(ladder.f);
    CHECK(executions(ladder, WarpScheme::Ipdom) == 4 * k + 1);
  }
  Executions n = reconverged_executions({});
  CHECK(n.original == 11063);
  CHECK(n.all == 11063 + 3660);
  CHECK(n.redundant == 0);
}

// Depth-first order has fewer flow blocks, but some blocks execute before all work-items that reach them have
// arrived.
TEST_CASE("graphs that were reconverged in other orders under ipdom") {
  Executions rpot = reconverged_executions({ReconvergeOptions::OpenTree, BlockOrder::CycleContiguous});
  CHECK(rpot.original == 11063);
  CHECK(rpot.all == 11063 + 3660);
  Executions breadth = reconverged_executions({ReconvergeOptions::OpenTree, BlockOrder::BreadthFirst});
  CHECK(breadth.original == 11063);
  Executions depth = reconverged_executions({ReconvergeOptions::OpenTree, BlockOrder::DepthFirst});
  CHECK(depth.original == 12675);
}

// Every point at which others may wait has a flow block.
TEST_CASE("graphs with a place of waiting for each frontier block under ipdom") {
  Executions n = reconverged_executions({ReconvergeOptions::Frontiers});
  CHECK(n.original == 11063);
  CHECK(n.redundant == 0);
  // The same number as by default: flow blocks that are never bypassed are omitted.
  CHECK(n.all == 11063 + 3660);
  for (uint32_t k : {3u, 5u, 8u}) {
    PathFunction ladder = ladder_function(k);
    reconverge(ladder.f, {}, nullptr, {ReconvergeOptions::Frontiers});
    CHECK(executions(ladder, WarpScheme::Ipdom) == 4 * k + 1);
  }
}

TEST_CASE("a loop does not grow the stack") {
  const char* text = R"(thread func @loop() kernel {
b0:
  %0: i32 = global_id dim=0
  br -> b1(0:i32)
b1(%1: i32):
  %2: i1 = ult %1, %0
  br_if %2 -> b2, b3
b2:
  %3: i32 = add %1, 1:i32
  br -> b1(%3)
b3:
  ret
}
)";
  Module m = parse(text);
  WarpSimulator simulator(*m.functions[0], priorities_of(*m.functions[0]));
  for (WarpScheme scheme : kSchemes) {
    auto r = simulator.run(line(32, 32), {}, {.memory = {}, .scheme = scheme});
    REQUIRE(r.ok());
    CHECK(r.statistics.block_executions == 1 + 32 + 31 + 1);
    CHECK(r.statistics.redundant_executions() == 0);
    CHECK(r.statistics.max_stack == (scheme == WarpScheme::TfSandy ? 0 : 2));
  }
}

TEST_CASE("lanes of which nobody knows where they wait are reported") {
  PathFunction paths = path_function({{1, 2}, {3}, {3, 4}, {4}, {}});
  Frontiers right(paths.f);
  BlockPriorities wrong = priorities_of(right);
  std::ranges::fill(wrong.top, kNone);
  std::vector<uint32_t> out(paths.items);
  std::vector<MemoryRange> memory{range_of(out)};
  std::vector<uint64_t> arguments{address_of(out)};
  auto r = WarpSimulator(paths.f, wrong)
               .run(line(4, 4), arguments, {.memory = memory, .scheme = WarpScheme::TfSandy});
  CHECK(r.status == RunStatus::Error);
  CHECK(r.message.starts_with("work-items wait outside the frontier of the block of @paths: "));
}

// Work-items at b1 cannot know that b3 has no waiting ones.
TEST_CASE("a conservative branch issues a block for nobody") {
  const char* text = R"(thread func @vain() kernel {
b0:
  %0: i32 = local_id dim=0
  switch %0, 3:i32, 77:i32 -> b1, b4, b3
b1:
  %1: i1 = eq %0, 78:i32
  br_if %1 -> b2, b4
b2:
  br -> b3
b3:
  br -> b4
b4:
  ret
}
)";
  Module m = parse(text);
  const Function& f = *m.functions[0];
  WarpSimulator simulator(f, priorities_of(f));
  auto stack = simulator.run(line(8, 8), {}, {.memory = {}, .scheme = WarpScheme::TfStack, .width = 8});
  auto sandy = simulator.run(line(8, 8), {}, {.memory = {}, .scheme = WarpScheme::TfSandy, .width = 8});
  CHECK(stack.statistics.block_executions == 3);
  CHECK(sandy.statistics.block_executions == 4);
  CHECK(sandy.statistics.empty_executions == 1);
  CHECK(sandy.statistics.redundant_executions() == 1);
  CHECK(sandy.statistics.dynamic_instructions == stack.statistics.dynamic_instructions + 1);
  CHECK(sandy.statistics.active_lanes == stack.statistics.active_lanes);
  // If all take the same target, so does the branch.
  auto together = simulator.run(line(3, 3), {}, {.memory = {}, .scheme = WarpScheme::TfSandy, .width = 8});
  CHECK(together.statistics.empty_executions == 0);
}
