// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/reconverge.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/restructure/header_selection.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using test::Graph;

namespace {

Function parse(const std::string& body) {
  std::string text = "thread func @k(%0: ptr<global> out of i32, %1: i32) kernel {\n" + body + "}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("test", text));
  Function f = std::move(*module->functions[0]);
  INFO(render(f, verify(f)));
  REQUIRE(verify(f).empty());
  return f;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string s;
  for (const auto& line : lines) s += line + "\n";
  return s;
}

ReconvergeReport checked(Function& f) {
  ReconvergeReport report;
  Function before = f;
  reconverge(f, {}, &report);
  std::string faults = render(f, verify(f)) + joined(check_reconverging(f, analyse_uniformity(f)));
  if (!faults.empty()) FAIL(faults << print(before) << "==>\n" << print(f));
  return report;
}

size_t branches(const Function& f, const Uniformity& u, bool divergent) {
  size_t n = 0;
  for (BlockId b : f.layout) n += f.successors(b).size() > 1 && u.divergent_branch[b.index] == divergent;
  return n;
}

// Before and after must agree on every work-item, for all outcomes of the uniform branches.
void same_runs(const Function& before, const Function& after) {
  for (uint64_t steer : {0x0ull, 0x9e3779b97f4a7c15ull, ~0ull}) {
    auto want = test::run_graph_function(before, steer);
    REQUIRE(!want.empty());
    auto got = test::run_graph_function(after, steer);
    if (got != want) FAIL(print(before) << "==>\n" << print(after));
  }
}

}  // namespace

TEST_CASE("a diamond needs one flow block", "[reconverge]") {
  Function f = parse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  br_if %3 -> b1, b2\n"
      "b1:\n  %4: i32 = add %2, 1:i32\n  br -> b3(%4)\n"
      "b2:\n  br -> b3(%2)\n"
      "b3(%5: i32):\n  store %0, %5\n  ret\n");
  auto report = checked(f);
  CHECK(report.flow_blocks == 1);
  CHECK(report.rounds == 1);
  CHECK(f.layout.size() == 5);
  Function again = std::move(f);
  CHECK(checked(again).flow_blocks == 0);
}

TEST_CASE("short circuits", "[reconverge]") {
  auto body = [](const char* first) {
    return fmt::format(
        "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  %4: i1 = eq %1, 1:i32\n"
        "  br_if {} -> b2, b1\nb1:\n  br_if %{} -> b2, b4\nb2:\n  br_if %{} -> b3, b4\n"
        "b3:\n  br -> b5\nb4:\n  br -> b5\nb5:\n  ret\n",
        first, 3, 3);
  };
  Function all = parse(body("%3"));
  CHECK(checked(all).flow_blocks == 2);
  Function most = parse(body("%4"));
  CHECK(checked(most).flow_blocks == 1);
}

TEST_CASE("two branches that meet at one block share it", "[reconverge]") {
  Function f = parse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  br_if %3 -> b1, b3\n"
      "b1:\n  br_if %3 -> b2, b3\nb2:\n  br -> b3\nb3:\n  ret\n");
  CHECK(checked(f).flow_blocks == 0);
}

TEST_CASE("a function without divergent branches is not touched", "[reconverge]") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 10);
    Function f = test::graph_function(g, std::vector<bool>(g.size(), false));
    mem2reg(f);
    if (branches(f, analyse_uniformity(f), true)) continue;
    std::string before = print(f);
    CHECK(!reconverge(f));
    CHECK(print(f) == before);
  }
}

TEST_CASE("switches, several returns and endless cycles", "[reconverge]") {
  Function f = parse(
      "b0:\n  %2: i32 = global_id dim=0\n  switch %2, 1:i32, 2:i32, 3:i32 -> b1(4:i32), b2, b1(5:i32), b3\n"
      "b1(%3: i32):\n  store %0, %3\n  ret\n"
      "b2:\n  ret\n"
      "b3:\n  %4: i1 = eq %2, %1\n  br_if %4 -> b3, b4\n"
      "b4:\n  br -> b4\n");
  checked(f);
  Function endless = parse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  br_if %3 -> b1, b2\n"
      "b1:\n  br_if %3 -> b1, b2\nb2:\n  br_if %3 -> b2, b1\n");
  checked(endless);
  Function both = parse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  br_if %3 -> b1(1:i32), b1(%2)\n"
      "b1(%4: i32):\n  store %0, %4\n  ret\n");
  checked(both);
}

TEST_CASE("the synthetic graphs as functions", "[reconverge]") {
  uint32_t flows = 0, item = 0;
  for (const Graph& g : test::all_synthetic_graphs()) {
    Function f = test::graph_function(g, std::vector<bool>(g.size(), true));
    mem2reg(f);
    Function before = f;
    flows += checked(f).flow_blocks;
    if (item++ % 16 == 0) same_runs(before, f);
  }
  CHECK(flows == 3660);
}

TEST_CASE("random graphs, some branches uniform, keep their meaning", "[reconverge]") {
  std::mt19937 random(5);
  size_t uniform_before = 0, uniform_after = 0, rounds = 0, most_rounds = 0;
  for (int round = 0; round < 300; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 12);
    std::vector<bool> divergent(g.size());
    for (size_t n = 0; n < g.size(); ++n) {
      divergent[n] = random() % 2;
      // Occasionally a switch.
      if (g[n].size() == 2 && random() % 6 == 0) {
        auto extra = 1 + static_cast<uint32_t>(random() % (g.size() - 1));
        if (std::find(g[n].begin(), g[n].end(), extra) == g[n].end()) g[n].push_back(extra);
      }
    }
    Function f = test::graph_function(g, divergent);
    mem2reg(f);
    Function before = f;
    uniform_before += branches(f, analyse_uniformity(f), false);
    auto report = checked(f);
    uniform_after += branches(f, analyse_uniformity(f), false);
    rounds += report.rounds, most_rounds = std::max<size_t>(most_rounds, report.rounds);
    same_runs(before, f);
  }
  CHECK(most_rounds > 1);
  CHECK(rounds < 600);
  CHECK(uniform_after * 10 > uniform_before * 7);
}

TEST_CASE("random kernels keep their meaning", "[reconverge]") {
  size_t flows = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    auto f = test::random_function(seed, {.traps = false});
    mem2reg(*f);
    auto data = test::make_data(seed);
    auto expected = test::run_reference(*f, data);
    flows += checked(*f).flow_blocks;
    INFO("seed " << seed);
    CHECK(test::compare(expected, test::run_reference(*f, data).after, expected.result) == "");
  }
  CHECK(flows > 400);
}

// Compares with frontiers where scans need more blocks; elsewhere the plan is that of scans. Irreducible
// cycles may get other headers, with more blocks but cheaper iterations.
TEST_CASE("of two plans the one with fewer blocks is taken", "[reconverge]") {
  std::mt19937 random(12);
  int fewer = 0, cheaper = 0;
  for (int round = 0; round < 600; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 12);
    std::vector<bool> divergent(g.size());
    for (size_t n = 0; n < g.size(); ++n) divergent[n] = random() % 2;
    Function f = test::graph_function(g, divergent);
    mem2reg(f);
    Function before = f, by_scans = f;
    ReconvergeReport scans;
    reconverge(by_scans, {}, &scans, {ReconvergeOptions::Scans});
    ReconvergeReport report = checked(f);
    if (header_choices(before, Cycles(before, Cfg(before))).empty()) {
      CHECK(report.flow_blocks + report.latch_blocks <= scans.flow_blocks + scans.latch_blocks);
    } else {
      Function by_frontiers = before;
      reconverge(by_frontiers, {}, nullptr, {ReconvergeOptions::Frontiers});
      const double one = cost_of_rounds(by_scans), other = cost_of_rounds(by_frontiers);
      CHECK(cost_of_rounds(f) <= std::max(one, other));
      cheaper += cost_of_rounds(f) < std::min(one, other);
    }
    fewer += report.flow_blocks + report.latch_blocks < scans.flow_blocks + scans.latch_blocks;
    if (round % 10 == 0) same_runs(before, f);
  }
  CHECK(fewer > 10);
  CHECK(cheaper > 10);
}
