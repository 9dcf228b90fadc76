// SPDX-License-Identifier: Apache-2.0
#include "tests/property/large_graphs.h"

namespace kc::test {
namespace {

Graph diamonds(uint32_t n) {
  n = n / 4 * 4;
  Graph g(n + 1);
  for (uint32_t i = 0; i < n; i += 4) {
    g[i] = {i + 1, i + 2};
    g[i + 1] = g[i + 2] = {i + 3};
    g[i + 3] = {i + 4};
  }
  return g;
}

Graph breaks(uint32_t n) {
  Graph g(n);
  for (uint32_t i = 0; i + 1 < n; ++i) g[i] = {i + 2 == n ? 1 : i + 1, n - 1};
  return g;
}

Graph continues(uint32_t n) {
  Graph g(n);
  g[0] = {1};
  for (uint32_t i = 1; i + 2 < n; ++i) g[i] = {i + 1, 1};
  g[n - 2] = {1, n - 1};
  return g;
}

Graph nested_ifs(uint32_t n) {
  n = n / 2 * 2;
  Graph g(n);
  for (uint32_t i = 0; i < n / 2; ++i) g[i] = {i + 1, n - 1 - i};
  for (uint32_t i = n / 2; i + 1 < n; ++i) g[i] = {i + 1};
  g[n / 2 - 1] = {n / 2};
  return g;
}

// A short circuit in the innermost of nested ifs.
Graph nest_around_short_circuit(uint32_t n) {
  n = n / 2 * 2;
  Graph g = nested_ifs(n);
  uint32_t inner = n / 2 - 3;
  g[inner] = {inner + 1, inner + 3};
  g[inner + 1] = {inner + 2, inner + 3};
  g[inner + 2] = {inner + 4};
  g[inner + 3] = {inner + 4};
  return g;
}

Graph early_returns(uint32_t n) {
  Graph g(n);
  for (uint32_t i = 0; i + 1 < n; ++i) g[i] = {i + 1, n - 1};
  g[n - 2] = {n - 1};
  return g;
}

Graph leave_altogether(uint32_t n) {
  n = n / 2 * 2;
  Graph g(n);
  for (uint32_t i = 0; i + 2 < n; i += 2) {
    g[i] = {i + 1, i + 2};
    g[i + 1] = {i + 2, n - 1};
  }
  g[n - 2] = {n - 1};
  return g;
}

// Headers are 1 to n/2, latches follow in the opposite order.
Graph nested_loops(uint32_t n) {
  const uint32_t k = n / 2;
  Graph g(2 * k + 2);
  g[0] = {1};
  for (uint32_t i = 1; i <= k; ++i) g[i] = {i + 1};
  for (uint32_t i = k + 1; i <= 2 * k; ++i) g[i] = {2 * k + 1 - i, i + 1};
  return g;
}

// The same, and every header may also leave the enclosing loop.
Graph loops_left_by_two(uint32_t n) {
  Graph g = nested_loops(n);
  const uint32_t k = n / 2;
  for (uint32_t i = 2; i <= k; ++i) g[i] = {i + 1, 2 * k + 3 - i};
  return g;
}

// A sequence of loops with two entries.
Graph two_entries(uint32_t n) {
  n = n / 3 * 3;
  Graph g(n + 1);
  for (uint32_t i = 0; i < n; i += 3) {
    g[i] = {i + 1, i + 2};
    g[i + 1] = {i + 2};
    g[i + 2] = {i + 1, i + 3};
  }
  return g;
}

Graph ladder(uint32_t n) { return ladder_graph(n / 2); }

}  // namespace

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

const std::vector<LargeShape>& large_shapes() {
  static const std::vector<LargeShape> shapes{
      {"ladder", ladder},
      {"diamonds one after another", diamonds},
      {"a loop with a break in every block", breaks},
      {"a loop with a continue in every block", continues},
      {"nested ifs", nested_ifs},
      {"nested ifs around a short circuit", nest_around_short_circuit},
      {"early returns", early_returns},
      {"ifs that may leave altogether", leave_altogether},
      {"nested loops", nested_loops},
      {"nested loops that are left by two", loops_left_by_two},
      {"loops with two entries one after another", two_entries},
  };
  return shapes;
}

}  // namespace kc::test
