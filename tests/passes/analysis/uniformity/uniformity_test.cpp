// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/uniformity.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "ir/text.h"
#include "ir/verify.h"

using namespace kc;

namespace {

// Parsing does not preserve value names. The tests find values by printing the function, whose numbers follow
// the layout. The tests number their values in layout order, so %k stays %k.
struct Analysed {
  Module module;
  Function& f;
  Uniformity u;
  std::map<std::string, ValueId> values;
  std::vector<BlockId> blocks;

  explicit Analysed(Module m, UniformityOptions options)
      : module(std::move(m)), f(*module.functions[0]), u(analyse_uniformity(f, options)), blocks(f.layout) {
    size_t next = 0;
    auto number = [&](ValueId v) { values[fmt::format("%{}", next++)] = v; };
    for (BlockId b : f.layout) {
      for (ValueId p : f.block(b).params) number(p);
      for (InstId i : f.block(b).insts)
        for (ValueId r : f.inst(i).results) number(r);
    }
  }
  bool divergent(const char* name) const { return u.divergent[values.at(name).index]; }
  bool branch(size_t b) const { return u.divergent_branch[blocks[b].index]; }
  bool use(size_t b, const char* name) const { return u.divergent_use(f, blocks[b], values.at(name)); }
};

Analysed analyse(const std::string& body, UniformityOptions options = {}) {
  std::string text = "thread func @k(%0: ptr<global> out of i32, %1: i32) kernel {\n" + body + "}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("test", text));
  auto errors = verify(*module->functions[0]);
  INFO(render(*module->functions[0], errors));
  REQUIRE(errors.empty());
  return Analysed(std::move(*module), options);
}

// Blocks that end in a branch on %3, which differs between work-items; %2 is the id itself.
const std::string kSource = "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n";

}  // namespace

TEST_CASE("ids diverge by dimension", "[uniformity]") {
  const char* body =
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i32 = local_id dim=1\n  %4: i32 = global_id dim=2\n"
      "  %5: i32 = group_id dim=0\n  %6: i32 = add %3, %5\n  ret\n";
  auto plain = analyse(body);
  CHECK(plain.divergent("%2"));
  CHECK(!plain.divergent("%3"));
  CHECK(!plain.divergent("%4"));
  CHECK(!plain.divergent("%5"));
  auto packed = analyse(body, {.lane_y = true});
  CHECK(packed.divergent("%3"));
  CHECK(!packed.divergent("%4"));
  CHECK(packed.divergent("%6"));
}

TEST_CASE("what a sub-group comes to is the same for all of it", "[uniformity]") {
  auto a = analyse(
      "b0:\n  %2: i32 = sub_group_local_id\n  %3: i1 = slt %2, %1\n  %4: i64 = ballot %3\n"
      "  %5: i32 = reduce %2\n  %6: i32 = broadcast_first %2\n  %7: i32 = shuffle %2, %1\n"
      "  %8: i32 = shuffle %1, %2\n  %9: i32 = scan %1\n  %10: i32 = sub_group_id\n  ret\n");
  CHECK(a.divergent("%2"));
  for (const char* uniform : {"%4", "%5", "%6", "%7", "%10"}) CHECK(!a.divergent(uniform));
  for (const char* divergent : {"%3", "%8", "%9"}) CHECK(a.divergent(divergent));
}

TEST_CASE("loads follow their address", "[uniformity]") {
  auto a = analyse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i32 = load %0\n  %4: ptr<global> = ptr_add %0, %2, scale=4\n"
      "  %5: i32 = load %4\n  %6: ptr<private> = bitcast 0:i32\n  %7: i32 = load %6\n  ret\n");
  CHECK(!a.divergent("%0"));
  CHECK(!a.divergent("%3"));
  CHECK(a.divergent("%5"));
  CHECK(!a.divergent("%6"));
  CHECK(a.divergent("%7"));
}

TEST_CASE("diamond: only the join's parameters diverge", "[uniformity]") {
  auto a =
      analyse(kSource +
              "  br_if %3 -> b1, b2\n"
              "b1:\n  %4: i32 = add %1, 1:i32\n  br -> b3(%4, 7:i32, %1, 5:i32)\n"
              "b2:\n  %5: i32 = add %1, 2:i32\n  br -> b3(%5, 7:i32, %1, undef:i32)\n"
              "b3(%6: i32, %7: i32, %8: i32, %9: i32):\n  %10: i32 = add %6, 1:i32\n  %11: i32 = add %7, "
              "%8\n  ret\n");
  CHECK(a.branch(0));
  CHECK(!a.divergent("%4"));
  CHECK(!a.divergent("%5"));
  CHECK(a.divergent("%6"));
  CHECK(!a.divergent("%7"));
  CHECK(!a.divergent("%8"));
  CHECK(!a.divergent("%9"));
  CHECK(a.divergent("%10"));
  CHECK(!a.divergent("%11"));
}

TEST_CASE("undef beside a value that is no constant is a difference", "[uniformity]") {
  auto a = analyse(kSource + "  br_if %3 -> b1, b2(undef:i32)\nb1:\n  br -> b2(%1)\nb2(%4: i32):\n  ret\n");
  CHECK(a.divergent("%4"));
}

TEST_CASE("both edges of a branch to one block", "[uniformity]") {
  auto a = analyse(kSource + "  br_if %3 -> b1(1:i32), b1(2:i32)\nb1(%4: i32):\n  ret\n");
  CHECK(a.divergent("%4"));
}

TEST_CASE("a join is where disjoint paths meet", "[uniformity]") {
  // A -> B, C; B -> D; C -> D, E; Y -> E; D, E -> F, with A divergent: D and F join, E does not.
  auto a = analyse(
      "b0:\n  %2: i32 = global_id dim=0\n  %3: i1 = eq %2, %1\n  %4: i1 = eq %1, 0:i32\n  br_if %4 -> b1, "
      "b2\n"
      "b1:\n  br_if %3 -> b3, b4\n"                // A
      "b2:\n  br -> b6(1:i32)\n"                   // Y
      "b3:\n  br -> b5(1:i32)\n"                   // B
      "b4:\n  br_if %4 -> b5(2:i32), b6(2:i32)\n"  // C
      "b5(%5: i32):\n  br -> b7(1:i32)\n"          // D
      "b6(%6: i32):\n  br -> b7(2:i32)\n"          // E
      "b7(%7: i32):\n  ret\n");
  CHECK(!a.branch(0));
  CHECK(a.branch(1));
  CHECK(!a.branch(4));
  CHECK(a.divergent("%5"));
  CHECK(!a.divergent("%6"));
  CHECK(a.divergent("%7"));
}

TEST_CASE("a loop that work-items leave at different times", "[uniformity]") {
  auto a =
      analyse(kSource +
              "  br -> b1(0:i32)\n"
              "b1(%4: i32):\n  %5: i32 = add %4, 1:i32\n  %6: i1 = slt %5, %2\n  br_if %6 -> b1(%5), b2\n"
              "b2:\n  %7: i32 = add %4, 1:i32\n  ret\n");
  CHECK(a.branch(1));
  CHECK(!a.divergent("%4"));  // in lockstep within the loop
  CHECK(!a.divergent("%5"));
  CHECK(!a.use(1, "%5"));
  CHECK(a.use(2, "%5"));
  CHECK(a.divergent("%7"));
  CHECK(a.u.divergent_exit[0]);
  CHECK(a.u.divergent_cycle[a.blocks[1].index] == 0);
}

TEST_CASE("values that a divergent exit passes on", "[uniformity]") {
  auto a = analyse(kSource +
                   "  br -> b1(0:i32)\n"
                   "b1(%4: i32):\n  %5: i32 = add %4, 1:i32\n  %6: i1 = slt %5, %2\n  br_if %6 -> b1(%5), "
                   "b2(%5, %1, 3:i32)\n"
                   "b2(%7: i32, %8: i32, %9: i32):\n  ret\n");
  CHECK(a.divergent("%7"));
  CHECK(!a.divergent("%8"));
  CHECK(!a.divergent("%9"));
}

TEST_CASE("only the cycle that is left by some diverges", "[uniformity]") {
  // The inner loop ends after a divergent number of iterations, the outer after a uniform number.
  auto a =
      analyse(kSource +
              "  br -> b1(0:i32)\n"
              "b1(%4: i32):\n  br -> b2(0:i32)\n"
              "b2(%5: i32):\n  %6: i32 = add %5, 1:i32\n  %7: i1 = slt %6, %2\n  br_if %7 -> b2(%6), b3\n"
              "b3:\n  %8: i32 = add %4, 1:i32\n  %9: i1 = slt %8, %1\n  br_if %9 -> b1(%8), b4\n"
              "b4:\n  ret\n");
  CHECK(a.branch(2));
  CHECK(!a.branch(3));
  CHECK(!a.divergent("%4"));
  CHECK(!a.divergent("%5"));
  CHECK(a.use(3, "%6"));
  CHECK(!a.use(4, "%8"));
}

TEST_CASE("a break inside makes the loop's exit divergent", "[uniformity]") {
  auto a = analyse(kSource +
                   "  br -> b1(0:i32)\n"
                   "b1(%4: i32):\n  %5: i1 = slt %4, %1\n  br_if %5 -> b2, b4\n"
                   "b2:\n  %6: i1 = eq %4, %2\n  br_if %6 -> b4, b3\n"
                   "b3:\n  %7: i32 = add %4, 1:i32\n  br -> b1(%7)\n"
                   "b4:\n  ret\n");
  CHECK(!a.branch(1));
  CHECK(a.branch(2));
  CHECK(!a.divergent("%4"));
  CHECK(a.use(4, "%4"));
}

TEST_CASE("two entries of an irreducible cycle", "[uniformity]") {
  auto a = analyse(kSource +
                   "  %4: i1 = eq %1, 3:i32\n  br_if %3 -> b1, b2\n"
                   "b1:\n  %5: i32 = add %1, 1:i32\n  br_if %4 -> b2, b3\n"
                   "b2:\n  %6: i32 = add %1, 2:i32\n  br -> b1\n"
                   "b3:\n  ret\n");
  CHECK(a.divergent("%5"));
  CHECK(a.divergent("%6"));
  CHECK(!a.branch(1));
}

TEST_CASE("a loop within an irreducible cycle is left at different times", "[uniformity]") {
  auto a =
      analyse(kSource +
              "  br_if %3 -> b1, b3\n"
              "b1:\n  br -> b2(0:i32)\n"
              "b2(%4: i32):\n  %5: i32 = add %4, 1:i32\n  %6: i1 = slt %5, %2\n  br_if %6 -> b2(%5), b3\n"
              "b3:\n  %7: i32 = load %0\n  %8: i1 = eq %7, 0:i32\n  br_if %8 -> b1, b4\n"
              "b4:\n  ret\n");
  const uint32_t inner = a.u.cycles.innermost[a.blocks[2].index];
  REQUIRE(inner != a.u.cycles.innermost[a.blocks[1].index]);
  CHECK(!a.u.cycles.cycles[a.u.cycles.innermost[a.blocks[1].index]].reducible());
  CHECK(a.branch(2));
  CHECK(a.u.divergent_exit[inner]);
  CHECK(a.u.divergent_cycle[a.blocks[2].index] == inner);
}

TEST_CASE("divergence goes around a loop as often as it must", "[uniformity]") {
  // Each parameter receives the value of the next one, and the last one the id: one more diverges in each
  // iteration.
  for (uint32_t n : {1, 2, 3, 4, 5, 2000}) {
    std::string zeros, params, next;
    for (uint32_t k = 0; k < n; ++k) {
      zeros += k ? ", 0:i32" : "0:i32";
      params += fmt::format("{}%{}: i32", k ? ", " : "", 4 + k);
      next += fmt::format("{}%{}", k ? ", " : "", k + 1 < n ? 5 + k : 2);
    }
    auto a =
        analyse(kSource + fmt::format("  br -> b1({0})\n"
                                      "b1({1}):\n  %{3}: i32 = add %4, 1:i32\n  %{4}: i1 = slt %1, 5:i32\n"
                                      "  br_if %{4} -> b1({2}), b2\n"
                                      "b2:\n  ret\n",
                                      zeros, params, next, 4 + n, 5 + n));
    INFO(n << " parameters");
    for (uint32_t k = 0; k < n; ++k) CHECK(a.divergent(fmt::format("%{}", 4 + k).c_str()));
    CHECK(a.divergent(fmt::format("%{}", 4 + n).c_str()));
    CHECK(!a.branch(1));
  }
}

TEST_CASE("chains, ladders and break chains stay linear", "[uniformity]") {
  const uint32_t n = 30000;
  std::string chain = kSource + "  br -> b1\n", ladder = kSource + "  br_if %3 -> b1, b2\n",
              loop = kSource + "  br -> b1\n";
  for (uint32_t i = 1; i <= n; ++i) {
    chain += fmt::format("b{}:\n  br_if %3 -> b{}, b{}\n", i, i + 1, n + 1);
    loop += fmt::format("b{}:\n  br_if %3 -> b{}, b{}\n", i, i == n ? 1 : i + 1, n + 1);
    ladder += i + 2 + i % 2 > n
                  ? fmt::format("b{}:\n  br -> b{}\n", i, n + 1)
                  : fmt::format("b{}:\n  br_if %3 -> b{}, b{}\n", i, i + 1 + i % 2, i + 2 + i % 2);
  }
  std::string last = fmt::format("b{}:\n  ret\n", n + 1);
  for (const std::string& text : {chain + last, ladder + last, loop + last}) {
    auto a = analyse(text);
    CHECK(a.branch(n / 2));
  }
}
