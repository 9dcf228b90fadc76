// SPDX-License-Identifier: Apache-2.0
// No step is quadratic on shapes that occur in programs.
#include <catch2/catch.hpp>
#include <ctime>

#include "ir/verify.h"
#include "passes/restructure/reconverge.h"
#include "tests/property/synthetic_graphs.h"

using namespace kc;
using test::Graph;

namespace {

// Every branch uses one divergent condition; there are no other values.
Function bare_function(const Graph& g) {
  Function f;
  f.name = "large";
  Builder build(f);
  build.block = f.add_block();
  ValueId id = build.make(Op::global_id, kI32, {}, {0});
  ValueId condition = build.make(Op::eq, kI1, {id, build.i32(3)});
  BlockId first(f.block_count());
  for (size_t n = 0; n < g.size(); ++n) f.add_block();
  auto at = [&](uint32_t n) { return BlockId(first.index + n); };
  build.br(first);
  for (uint32_t n = 0; n < g.size(); ++n) {
    build.block = at(n);
    if (g[n].empty())
      build.ret();
    else if (g[n].size() == 1)
      build.br(at(g[n][0]));
    else
      build.br_if(condition, {at(g[n][0]), {}}, {at(g[n][1]), {}});
  }
  return f;
}

// Seconds of processor time for a graph of about n nodes that needs `flows` flow blocks.
template <typename Make, typename Flows>
double cost(uint32_t n, Make&& make, Flows&& flows) {
  Function f = bare_function(make(n));
  std::clock_t start = std::clock();
  ReconvergeReport report;
  reconverge(f, {}, &report);
  CHECK(check_reconverging(f, analyse_uniformity(f)).empty());
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK(report.flow_blocks == flows(n));
  CHECK(verify(f).empty());
  return seconds;
}

// Eight times the size must not cost much more than eight times the time; quadratic work would be 64 times.
template <typename Make, typename Flows>
void check_growth(const char* name, Make&& make, Flows&& flows) {
  INFO(name);
  double small = cost(4000, make, flows), large = cost(32000, make, flows);
  CHECK(large < 30 * small + 1);
}

}  // namespace

TEST_CASE("tens of thousands of blocks in near-linear time", "[reconverge]") {
  check_growth(
      "ladder", [](uint32_t n) { return test::ladder_graph(n / 2); }, [](uint32_t n) { return n - 1; });
  check_growth(
      "diamonds one after another",
      [](uint32_t n) {
        Graph g(n + 1);
        for (uint32_t i = 0; i < n; i += 4) {
          g[i] = {i + 1, i + 2};
          g[i + 1] = g[i + 2] = {i + 3};
          g[i + 3] = {i + 4};
        }
        return g;
      },
      [](uint32_t n) { return n / 4; });
  check_growth(
      "a loop with a break in every block",
      [](uint32_t n) {
        Graph g(n);
        for (uint32_t i = 0; i + 1 < n; ++i) g[i] = {i + 2 == n ? 1 : i + 1, n - 1};
        return g;
      },
      [](uint32_t) { return 0u; });
  check_growth(
      "nested ifs",
      [](uint32_t n) {
        Graph g(n);
        for (uint32_t i = 0; i < n / 2; ++i) g[i] = {i + 1, n - 1 - i};
        for (uint32_t i = n / 2; i + 1 < n; ++i) g[i] = {i + 1};
        g[n / 2 - 1] = {n / 2};
        return g;
      },
      [](uint32_t) { return 0u; });
  check_growth(
      "ifs that may leave altogether",
      [](uint32_t n) {
        Graph g(n);
        for (uint32_t i = 0; i + 2 < n; i += 2) {
          g[i] = {i + 1, i + 2};
          g[i + 1] = {i + 2, n - 1};
        }
        g[n - 2] = {n - 1};
        return g;
      },
      [](uint32_t n) { return n / 2 - 1; });
}
