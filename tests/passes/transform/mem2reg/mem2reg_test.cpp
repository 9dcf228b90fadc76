// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/mem2reg.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <random>

#include "ir/verify.h"

using namespace kc;

namespace {

// `blocks` blocks whose edges `pick` chooses, each reading and writing some of `vars` variables.
template <typename Pick>
Function random_function(uint32_t blocks, uint32_t vars, uint32_t accesses, uint32_t seed, Pick pick) {
  std::mt19937 random(seed);
  Function f;
  f.name = "random";
  Builder b(f);
  for (uint32_t i = 0; i < blocks; ++i) f.add_block();
  ValueId condition = f.add_param(f.entry(), kI1);
  f.params.push_back({.name = "c"});
  for (uint32_t v = 0; v < vars; ++v) f.add_var("v", kI32);
  for (uint32_t i = 0; i < blocks; ++i) {
    b.block = f.layout[i];
    for (uint32_t k = 0; k < accesses; ++k) {
      ValueId sum = b.make(Op::add, kI32, {b.get(VarId(random() % vars)), b.get(VarId(random() % vars))});
      if (random() % 2) b.set(VarId(random() % vars), sum);
    }
    if (i + 1 == blocks) {
      b.ret();
      continue;
    }
    auto [yes, no] = pick(i, random);
    b.br_if(condition, {f.layout[yes], {}}, {f.layout[no], {}});
  }
  return f;
}

// Along one path through the graph, the values of the variables must equal those of the SSA form.
struct Walker {
  const Function& f;
  std::vector<uint64_t> values = std::vector<uint64_t>(f.value_count(), 77);
  std::vector<uint64_t> vars = std::vector<uint64_t>(f.vars.size(), 0);
  uint64_t get(ValueId v) { return f.is_const(v) ? f.value(v).bits : f.is_undef(v) ? 0 : values[v.index]; }

  // The sum that every `add` computed, in order; at most `limit` blocks, edges chosen by the seed.
  std::vector<uint64_t> walk(uint32_t seed, size_t limit) {
    std::vector<uint64_t> trace;
    std::mt19937 random(seed);
    BlockId b = f.entry();
    for (size_t step = 0; step < limit; ++step) {
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.op == Op::var_get) values[inst.results[0].index] = vars[static_cast<size_t>(inst.attrs[0])];
        if (inst.op == Op::var_set) vars[static_cast<size_t>(inst.attrs[0])] = get(inst.operands[0]);
        if (inst.op == Op::add) {
          uint64_t sum = (get(inst.operands[0]) + get(inst.operands[1]) + b.index) & 0xffffffff;
          values[inst.results[0].index] = sum;
          trace.push_back(sum);
        }
      }
      auto targets = f.successors(b);
      if (targets.empty()) break;
      const Target& t = targets[random() % targets.size()];
      std::vector<uint64_t> args;
      for (ValueId v : t.args) args.push_back(get(v));
      for (size_t k = 0; k < args.size(); ++k) values[f.block(t.block).params[k].index] = args[k];
      b = t.block;
    }
    return trace;
  }
};

}  // namespace

TEST_CASE("random graphs keep the values of their variables") {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    uint32_t blocks = 2 + seed % 25;
    auto pick = [&](uint32_t, std::mt19937& random) {
      return std::pair(1 + random() % (blocks - 1), 1 + random() % (blocks - 1));
    };
    Function f = random_function(blocks, 1 + seed % 7, 2, seed, pick);
    std::vector<std::vector<uint64_t>> before;
    for (uint32_t walk = 0; walk < 5; ++walk) before.push_back(Walker{f}.walk(walk, 200));
    mem2reg(f);
    INFO("seed " << seed);
    REQUIRE(render(f, verify(f)) == "");
    REQUIRE(f.vars.empty());
    for (uint32_t walk = 0; walk < 5; ++walk) REQUIRE(Walker{f}.walk(walk, 200) == before[walk]);
    REQUIRE_FALSE(mem2reg(f));
  }
}

TEST_CASE("a hundred thousand blocks take seconds") {
  constexpr uint32_t kBlocks = 100'000;
  auto any = [](uint32_t, std::mt19937& random) {
    return std::pair(1 + random() % (kBlocks - 1), 1 + random() % (kBlocks - 1));
  };
  auto chain = [](uint32_t i, std::mt19937& random) { return std::pair(i + 1, 1 + random() % (i + 1)); };
  auto ladder = [](uint32_t i, std::mt19937&) { return std::pair(i + 1, std::min(i + 2, kBlocks - 1)); };
  auto check = [](const char* what, auto pick, uint32_t vars) {
    Function f = random_function(kBlocks, vars, 1, 1, pick);
    std::clock_t start = std::clock();
    mem2reg(f);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    INFO(what << ": " << seconds << " s");
    CHECK(seconds < 10);
    CHECK(f.vars.empty());
    if (std::getenv("KC_TIMES")) WARN(what << ", " << vars << " variables: " << seconds << " s");
  };
  check("any edges", any, 4);
  check("chain with edges back to anywhere", chain, 4);
  check("ladder", ladder, 4);
}

// The output of mask lowering: every join has its own variable, written at the entry and on one path to the
// join.
TEST_CASE("as many variables as joins") {
  constexpr uint32_t kJoins = 30'000;
  Function f;
  f.name = "joins";
  Builder b(f);
  BlockId entry = f.add_block();
  ValueId condition = f.add_param(entry, kI1), out = f.add_param(entry, kPtrGlobal);
  f.params = {{.name = "c"}, {.name = "out"}};
  b.block = entry;
  for (uint32_t i = 0; i < kJoins; ++i) b.set(f.add_var("m", kI32), b.i32(0));
  for (uint32_t i = 0; i < kJoins; ++i) {
    BlockId then = f.add_block(), join = f.add_block();
    b.br_if(condition, {then, {}}, {join, {}});
    b.block = then;
    b.set(VarId(i), b.i32(static_cast<int32_t>(i + 1)));
    b.br(join);
    b.block = join;
    b.emit(Op::store, {out, b.get(VarId(i))});
    b.set(VarId(i), b.i32(0));
  }
  b.ret();
  std::clock_t start = std::clock();
  mem2reg(f);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 10);
  CHECK(render(f, verify(f)) == "");
  size_t params = 0;
  for (BlockId block : f.layout) params += f.block(block).params.size();
  CHECK(params == 2 + kJoins);
}
