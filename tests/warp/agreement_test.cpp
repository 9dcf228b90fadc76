// SPDX-License-Identifier: Apache-2.0
// Mask-based execution and stack hardware execute the same source blocks, to the extent that masks keep
// together all work-items that arrive together.
#include <catch2/catch.hpp>

#include "passes/restructure/reconverge.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

namespace {

// Executions of blocks with an id below `blocks` by one warp of 32.
uint64_t executions(const Function& f, WarpScheme scheme, size_t blocks) {
  std::vector<uint32_t> out(32, 0);
  const MemoryRange range{reinterpret_cast<uint64_t>(out.data()), out.size() * sizeof(uint32_t)};
  const uint64_t arguments[] = {range.base, 0};
  LaunchSpec launch;
  launch.global[0] = launch.local[0] = out.size();
  uint64_t count = 0;
  auto r =
      WarpSimulator(f, priorities_of(f))
          .run(launch, arguments,
               {.memory = std::span(&range, 1), .scheme = scheme, .on_block = [&](auto, BlockId b, auto&) {
                  count += b.index < blocks;
                }});
  REQUIRE(r.ok());
  return count;
}

// Whether some work-items may take a back edge while others of their iteration are still in the cycle. With
// masks, the former wait; with a stack, they do not.
bool rounds_part(const Function& f, const Frontiers& frontiers, const Cycles& cycles) {
  for (uint32_t p : frontiers.order)
    for (const Target& t : f.successors(BlockId(p))) {
      const uint32_t h = t.block.index;
      if (frontiers.position[h] > frontiers.position[p]) continue;
      for (uint32_t u : cycles.nodes(cycles.smallest_with(p, h))) {
        bool left = frontiers.waits(u, p);
        for (const Target& other : f.successors(BlockId(p))) left |= other.block.index == u;
        if (u != h && left) return true;
      }
    }
  return false;
}

struct Agreement {
  uint64_t stack = 0, masks = 0;  // executions
  uint32_t compared = 0, differing = 0;
};
Agreement compare(ReconvergeOptions::Plan plan, bool irreducible) {
  std::mt19937 random(21);
  Agreement sum;
  for (int round = 0; round < 1000; ++round) {
    Graph g = random_cyclic_graph(random, 4 + random() % 14);
    Function f = graph_function(g, std::vector<bool>(g.size(), true));
    mem2reg(f);
    const size_t blocks = f.block_count();
    const Cycles cycles(f, Cfg(f));
    bool must_agree = !rounds_part(f, Frontiers(f), cycles);
    for (const Cycle& c : cycles.cycles) must_agree &= irreducible || c.reducible();
    const uint64_t stack = executions(f, WarpScheme::TfStack, blocks);
    reconverge(f, {}, nullptr, {plan});
    const uint64_t masks = executions(f, WarpScheme::Ipdom, blocks);
    sum.stack += stack, sum.masks += masks;
    sum.compared += must_agree;
    sum.differing += must_agree && stack != masks;
  }
  return sum;
}

}  // namespace

TEST_CASE("graphs with cycles by frontiers run the blocks that a stack runs") {
  Agreement a = compare(ReconvergeOptions::Frontiers, true);
  CHECK(a.compared > 500);
  CHECK(a.differing == 0);
  CHECK(static_cast<double>(a.masks) / static_cast<double>(a.stack) == Approx(1).epsilon(0.02));
}

TEST_CASE("reconverged graphs with cycles run the blocks that a stack runs") {
  Agreement a = compare(ReconvergeOptions::Scans, false);
  CHECK(a.compared > 300);
  CHECK(a.differing == 0);
  CHECK(static_cast<double>(a.masks) / static_cast<double>(a.stack) == Approx(1).epsilon(0.02));
}
