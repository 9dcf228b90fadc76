// SPDX-License-Identifier: Apache-2.0
// Random functions leave the same memory in lockstep as one work-item at a time.
#include <map>

#include "passes/lower/lower_traps.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/property/running.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

TEST_CASE("random kernels run the same in warps under every scheme") {
  for (uint64_t seed = 1; seed <= seeds(150); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    WarpSimulator simulator(*f, priorities_of(*f));
    for (WarpScheme scheme : kSchemes)
      for (uint32_t width : {4u, 32u, 0u}) {
        INFO(to_string(scheme) << ", width " << width);
        CHECK(check_engine(expected, data, [&](RunData& d) -> RunResult {
                auto arguments = d.arguments();
                auto memory = d.memory();
                auto r = simulator.run(
                    d.launch, arguments,
                    {.memory = memory, .max_steps = kMaxSteps, .scheme = scheme, .width = width});
                CHECK(r.statistics.needed_executions <= r.statistics.block_executions);
                return r;
              }) == "");
      }
  }
}

// Any control flow, including irreducible cycles: waiting work-items are always in the thread frontier.
TEST_CASE("random graphs with cycles in warps") {
  std::mt19937 random(17);
  uint64_t worse = 0, better = 0, vain = 0;
  for (int round = 0; round < 400; ++round) {
    Graph g = random_cyclic_graph(random, 4 + random() % 14);
    std::vector<bool> divergent;
    for (size_t n = 0; n < g.size(); ++n) divergent.push_back(random() % 4 != 0);
    Function f = graph_function(g, divergent);
    mem2reg(f);
    uint64_t steer = random();
    std::vector<uint32_t> expected = run_graph_function(f, steer);
    REQUIRE(!expected.empty());
    WarpSimulator simulator(f, priorities_of(f));
    std::map<WarpScheme, WarpStatistics> counts;
    for (WarpScheme scheme : kSchemes) {
      std::vector<uint32_t> out(expected.size(), 0);
      const MemoryRange range{reinterpret_cast<uint64_t>(out.data()), out.size() * sizeof(uint32_t)};
      const uint64_t arguments[] = {range.base, steer};
      LaunchSpec launch;
      launch.global[0] = launch.local[0] = out.size();
      auto r = simulator.run(launch, arguments, {.memory = std::span(&range, 1), .scheme = scheme});
      INFO(r.message);
      REQUIRE(r.ok());
      CHECK(out == expected);
      counts[scheme] = r.statistics;
    }
    uint64_t ipdom = counts[WarpScheme::Ipdom].block_executions;
    uint64_t stack = counts[WarpScheme::TfStack].block_executions;
    worse += stack > ipdom, better += stack < ipdom;
    // The same order, except for blocks that are issued without active lanes.
    CHECK(counts[WarpScheme::TfSandy].block_executions ==
          stack + counts[WarpScheme::TfSandy].empty_executions);
    vain += counts[WarpScheme::TfSandy].empty_executions > 0;
    CHECK(counts[WarpScheme::TfStack].needed_executions == counts[WarpScheme::Ipdom].needed_executions);
  }
  CAPTURE(worse, better, vain);
  CHECK(better > 50);
  CHECK(worse > 0);
  CHECK(vain > 20);
}
