// SPDX-License-Identifier: Apache-2.0
// PhiWebs against textbook liveness, instruction by instruction.
#include "passes/analysis/phi_webs.h"

#include <fmt/format.h>

#include <set>

#include "ir/text.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

using Set = std::set<ValueId>;

// Values live at the start of each block, including parameters with a use, by fixpoint iteration. `visit`
// receives the values live after every instruction, and its results.
struct Liveness {
  explicit Liveness(const Function& function) : f(function), in(f.block_count()) {
    for (bool again = true; again;) {
      again = false;
      for (auto it = f.layout.rbegin(); it != f.layout.rend(); ++it) {
        Set live = before(*it, [](InstId, const Set&) {});
        if (live != in[it->index]) in[it->index] = std::move(live), again = true;
      }
    }
  }
  template <typename Visit>
  Set before(BlockId b, Visit visit) const {
    Set live;
    auto use = [&](ValueId v) {
      if (!f.is_inline(v)) live.insert(v);
    };
    for (const Target& t : f.successors(b)) {
      for (ValueId v : in[t.block.index])
        if (!is_param_of(v, t.block)) live.insert(v);
      for (ValueId v : t.args) use(v);
    }
    const auto& insts = f.block(b).insts;
    for (size_t n = insts.size(); n-- > 0;) {
      visit(insts[n], live);
      for (ValueId v : f.inst(insts[n]).results) live.erase(v);
      for (ValueId v : f.inst(insts[n]).operands) use(v);
    }
    return live;
  }
  bool is_param_of(ValueId v, BlockId b) const {
    return f.value(v).kind == ValueKind::Param && f.value(v).owner == b.index;
  }
  const Function& f;
  std::vector<Set> in;
};

void check_webs(const Function& f, const std::vector<bool>& group) {
  Cfg cfg(f);
  const DominatorTree tree(f, cfg);
  PhiWebs webs(f, cfg, tree, group);
  Liveness live(f);
  auto once_each = [&](const Set& values) {
    std::set<uint32_t> seen;
    for (ValueId v : values) REQUIRE(seen.insert(webs.of(v)).second);
  };
  for (BlockId b : f.layout) {
    auto in = webs.live_in(b);
    REQUIRE(Set(in.begin(), in.end()) == live.in[b.index]);
    for (ValueId v : in) REQUIRE((webs.is_live_in(v, b) && webs.is_live_in(webs.of(v), b)));
    once_each(live.in[b.index]);
    live.before(b, [&](InstId i, const Set& after) {
      once_each(after);
      for (ValueId v : f.inst(i).results) REQUIRE((webs.of(v) == kNone) == !after.contains(v));
    });
  }
  for (uint32_t web = 0; web < webs.count(); ++web)
    for (ValueId v : webs.members(web)) {
      REQUIRE(webs.of(v) == web);
      REQUIRE(f.type(v) == f.type(webs.members(web)[0]));
      REQUIRE(group[v.index] == group[webs.members(web)[0].index]);
    }
  const PhiWebs numbers(f, cfg, tree, group, PhiWebs::Numbers);
  REQUIRE(numbers.count() == webs.count());
  for (uint32_t v = 0; v < f.value_count(); ++v) REQUIRE(numbers.of(ValueId(v)) == webs.of(ValueId(v)));
}

}  // namespace

TEST_CASE("a loop's counter is one web, values that are needed together are not") {
  auto module = parse_module(R"(thread func @k(%0: ptr<global> out of i32, %1: i32 n) kernel {
b0:
  br -> b1(0:i32, 1:i32, 2:i32)
b1(%2: i32, %3: i32, %4: i32):
  %5: i32 = add %2, 1:i32
  %6: ptr<global> = ptr_add %0, %4, scale=4
  store %6, %4
  %7: i1 = slt %5, %1
  br_if %7 -> b1(%5, %4, %3), b2(%4)
b2(%8: i32):
  store %0, %8
  ret
}
)");
  REQUIRE(module);
  const Function& f = *module->functions[0];
  const Cfg cfg(f);
  PhiWebs webs(f, cfg, DominatorTree(f, cfg), std::vector<bool>(f.value_count(), true));
  BlockId loop = f.layout[1], end = f.layout[2];
  auto web = [&](BlockId b, size_t param) { return webs.of(f.block(b).params[param]); };
  ValueId incremented = f.successors(loop)[0].args[0];
  CHECK(web(loop, 0) == webs.of(incremented));
  CHECK(web(loop, 1) != web(loop, 2));  // swapped in each iteration: both are live at the same time
  CHECK(web(loop, 2) == web(end, 0));
  CHECK(web(loop, 0) != web(loop, 2));
}

TEST_CASE("webs of random functions hold no two values that are alive together") {
  for (uint64_t seed = 0; seed < seeds(150); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed, {.max_blocks = 24});
    mem2reg(*f);
    check_webs(*f, std::vector<bool>(f->value_count(), true));
    std::vector<bool> group(f->value_count());
    for (size_t v = 0; v < group.size(); ++v) group[v] = v % 3 == 0;
    check_webs(*f, group);
  }
}

// Blocks that each pass a value of their own back to the loop: one web of many values, with which each next
// value is compared by itself. The last ones are alive together with the loop's parameter: %2 before, %4
// after its definition.
TEST_CASE("a value joins a web of many only if they are never alive together") {
  constexpr int kStates = 40;
  for (const bool from_above : {false, true}) {
    std::string text =
        "thread func @k(%0: ptr<global> out of i32, %1: i32 n) kernel {\nb0:\n  %2: i32 = add %1, 1:i32\n"
        "  br -> b1(%1)\nb1(%3: i32):\n  store %0, %2\n  %4: i32 = add %3, 1:i32\n  %5: i1 = slt %4, 0:i32\n"
        "  br_if %5 -> b2, b3\n";
    int block = 3, value = 6;
    for (int k = 0; k < kStates; ++k, ++block, value += 2)
      text += fmt::format(
          "b{0}:\n  %{2}: i32 = add %1, {4}:i32\n  %{3}: i1 = slt %{2}, {4}:i32\n  br_if %{3} -> b1(%{2}), "
          "b{1}\n",
          block, block + 1, value, value + 1, k);
    text += fmt::format("b{}:\n  ret\nb2:\n", block);
    text += from_above ? "  br -> b1(%2)\n}\n" : "  store %0, %3\n  br -> b1(%4)\n}\n";
    auto module = parse_module(text);
    REQUIRE(module);
    const Function& f = *module->functions[0];
    check_webs(f, std::vector<bool>(f.value_count(), true));
    const Cfg cfg(f);
    const PhiWebs webs(f, cfg, DominatorTree(f, cfg), std::vector<bool>(f.value_count(), true));
    CHECK(webs.members(webs.of(f.block(f.layout[1]).params[0])).size() > kStates);
  }
}
