// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>

#include "ir/cfg.h"
#include "ir/verify.h"

using namespace kc;

namespace {

// The blocks reachable from the entry without passing `without`.
std::vector<bool> reached(const Function& f, BlockId without) {
  std::vector<bool> seen(f.block_count(), false);
  std::vector<BlockId> work;
  auto enter = [&](BlockId b) {
    if (b != without && !seen[b.index]) seen[b.index] = true, work.push_back(b);
  };
  enter(f.entry());
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    for (const Target& t : f.successors(b)) enter(t.block);
  }
  return seen;
}

// Whether a block without successors, or an endless cycle's edge to the virtual exit, is reachable from
// `from` without passing `without`. Only valid for graphs in which every block reaches an exit.
bool leaves(const Function& f, BlockId from, BlockId without) {
  std::vector<bool> seen(f.block_count(), false);
  std::vector<BlockId> work;
  auto enter = [&](BlockId b) {
    if (b != without && !seen[b.index]) seen[b.index] = true, work.push_back(b);
  };
  enter(from);
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    if (f.successors(b).empty()) return true;
    for (const Target& t : f.successors(b)) enter(t.block);
  }
  return false;
}

Function random_graph(std::mt19937& random) {
  Function f;
  const uint32_t n = 3 + random() % 9;
  for (uint32_t i = 0; i < n; ++i) f.add_block();
  Builder build(f);
  auto pick = [&] { return f.layout[1 + random() % (n - 1)]; };
  for (BlockId b : f.layout) {
    build.block = b;
    uint32_t kind = random() % 8;
    if (kind == 0)
      build.ret();
    else if (kind < 4)
      build.br(pick());
    else
      build.br_if(f.constant(kI1, 0), {pick(), {}}, {pick(), {}});
  }
  return f;
}

}  // namespace

TEST_CASE("dominators and post-dominators of random graphs", "[cfg]") {
  std::mt19937 random(11);
  size_t with_exits = 0;
  for (int round = 0; round < 2000; ++round) {
    Function f = random_graph(random);
    REQUIRE(verify(f).empty());
    Cfg cfg(f);
    DominatorTree dom(f, cfg);
    PostDominatorTree post(f, cfg);
    bool all_leave = true;
    for (BlockId b : cfg.rpo) all_leave &= leaves(f, b, BlockId());
    with_exits += all_leave;
    for (BlockId a : cfg.rpo) {
      auto without = reached(f, a);
      for (BlockId b : cfg.rpo) {
        CHECK(dom.dominates(a, b) == (a == b || !without[b.index]));
        if (all_leave) CHECK(post.post_dominates(a, b) == (a == b || !leaves(f, b, a)));
      }
    }
  }
  CHECK(with_exits > 500);
}
