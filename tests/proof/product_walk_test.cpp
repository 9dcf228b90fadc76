// SPDX-License-Identifier: Apache-2.0
// The walk on small functions: what it proves, and how it says what differs.
#include "proof/product_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <set>

#include "ir/text.h"
#include "ir/verify.h"
#include "proof/value_set.h"

using namespace kc;

namespace {

Function function_of(std::string_view body) {
  std::string text =
      "thread func @f(%0: ptr<global> out of i32, %1: i32 n) kernel {\n" + std::string(body) + "}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("test", text));
  REQUIRE(verify(*module->functions[0]).empty());
  return std::move(*module->functions[0]);
}

proof::WalkResult walk(std::string_view before, std::string_view after) {
  return proof::walk(function_of(before), function_of(after));
}

proof::Verdict verdict(std::string_view before, std::string_view after) {
  return walk(before, after).verdict;
}
bool proved(std::string_view before, std::string_view after) {
  return verdict(before, after) == proof::Verdict::Proved;
}
// A walk that gives up has not failed.
bool fails(std::string_view before, std::string_view after) {
  return verdict(before, after) == proof::Verdict::Failed;
}

constexpr std::string_view kDiamond = R"(
b0:
  %2: i1 = slt %1, 3:i32
  br_if %2 -> b1, b2
b1:
  store %0, 1:i32
  br -> b3(1:i32)
b2:
  store %0, 2:i32
  br -> b3(%1)
b3(%3: i32):
  store %0, %3
  ret
)";

}  // namespace

TEST_CASE("a boolean keeps the path that a merged block forgets", "[walk]") {
  const std::string_view guarded = R"(
b0:
  %2: i1 = slt %1, 3:i32
  br_if %2 -> b1, b2(true:i1, undef:i32)
b1:
  store %0, 1:i32
  br -> b2(FLAG:i1, 1:i32)
b2(%3: i1, %4: i32):
  br_if %3 -> b3, b4(%4)
b3:
  store %0, 2:i32
  br -> b4(%1)
b4(%5: i32):
  store %0, %5
  ret
)";
  std::string right(guarded), wrong(guarded);
  right.replace(right.find("FLAG"), 4, "false"), wrong.replace(wrong.find("FLAG"), 4, "true");
  CHECK(walk(kDiamond, right).states == 4);
  CHECK(proved(kDiamond, right));
  const proof::WalkResult r = walk(kDiamond, wrong);
  CHECK(r.verdict == proof::Verdict::Failed);
  CHECK(proof::describe(r) == R"(failed: unequal events
  before: store %0, %3
  after:  store %0, 2:i32
  path (block before, block after): (b0, b0) (b1, b1) (b3, b3))");
}

TEST_CASE("values are equal if the same operations made them", "[walk]") {
  const auto with = [](std::string_view value) {
    return "b0:\n  %2: i32 = add %1, 1:i32\n  %3: i32 = mul %2, %2\n  %4: i32 = sub %2, %1\n  store %0, " +
           std::string(value) + "\n  ret\n";
  };
  CHECK(proved(with("%3"), with("%3")));
  CHECK_FALSE(proved(with("%3"), with("%4")));
  CHECK(proved("b0:\n  %2: i32 = add %1, 7:i32\n  store %0, %2\n  ret\n",
               "b0:\n  %2: i32 = add 7:i32, %1\n  store %0, %2\n  ret\n"));
  CHECK_FALSE(proved("b0:\n  %2: i32 = sub %1, 7:i32\n  store %0, %2\n  ret\n",
                     "b0:\n  %2: i32 = sub 7:i32, %1\n  store %0, %2\n  ret\n"));
}

TEST_CASE("the results of two runs of one load are two values", "[walk]") {
  // The sum of this load and the one before it; and twice the same.
  const auto loop = [](std::string_view kept) {
    return R"(
b0:
  %2: i32 = load %0
  br -> b1(%2)
b1(%3: i32):
  %4: i32 = load %0
  %5: i32 = add )" +
           std::string(kept) + R"(, %4
  store %0, %5
  %6: i1 = slt %5, %1
  br_if %6 -> b1(%4), b2
b2:
  ret
)";
  };
  CHECK(proved(loop("%3"), loop("%3")));
  CHECK_FALSE(proved(loop("%3"), loop("%4")));
}

TEST_CASE("variables of a loop that are exchanged are told apart", "[walk]") {
  const auto loop = [](std::string_view args, std::string_view stored) {
    return R"(
b0:
  %2: i32 = load %0
  br -> b1(%1, %2)
b1(%3: i32, %4: i32):
  store %0, )" +
           std::string(stored) + R"(
  %5: i32 = load %0
  %6: i1 = slt %5, %1
  br_if %6 -> b1()" +
           std::string(args) + R"(), b2
b2:
  ret
)";
  };
  CHECK(proved(loop("%4, %3", "%3"), loop("%4, %3", "%3")));
  CHECK_FALSE(proved(loop("%4, %3", "%3"), loop("%3, %4", "%3")));
  CHECK_FALSE(proved(loop("%4, %3", "%3"), loop("%4, %3", "%4")));
}

TEST_CASE("a loop without effects may neither appear nor disappear", "[walk]") {
  const std::string_view ends = "b0:\n  store %0, %1\n  ret\n";
  const std::string_view spins = "b0:\n  br -> b1\nb1:\n  br -> b1\n";
  const std::string_view may_spin = R"(
b0:
  br -> b1
b1:
  %2: i1 = slt %1, 3:i32
  br_if %2 -> b1, b2
b2:
  store %0, %1
  ret
)";
  CHECK(proved(spins, spins));
  CHECK(walk(ends, spins).reason == "a silent cycle of the new function alone");
  CHECK(walk(spins, ends).reason == "a silent cycle of the old function alone");
  CHECK(proved(may_spin, may_spin));
  CHECK_FALSE(proved(may_spin, ends));
  CHECK_FALSE(proved(ends, may_spin));
}

namespace {

// Blocks that tell which one was reached.
const std::string kEnds = R"(
b1:
  store %0, 1:i32
  ret
b2:
  store %0, 2:i32
  ret
b3:
  store %0, 3:i32
  ret
)";

}  // namespace

TEST_CASE("a switch equals the chain of its tests", "[walk]") {
  const std::string direct = "b0:\n  switch %1, 1:i32, 5:i32 -> b3, b1, b2" + kEnds;
  const auto chain = [](int second) {
    return fmt::format(
               "b0:\n  %2: i1 = eq %1, 1:i32\n  br_if %2 -> b1, b4\n"
               "b4:\n  %3: i1 = ne %1, {}:i32\n  br_if %3 -> b3, b2",
               second) +
           kEnds;
  };
  CHECK(proved(direct, chain(5)));
  CHECK(fails(direct, chain(4)));
}

TEST_CASE("a switch equals comparisons for ranges of its cases", "[walk]") {
  const std::string direct =
      "b0:\n  switch %1, 4:i32, 3:i32, 0:i32, 5:i32, 1:i32, -1:i32, -2:i32 -> b3, b1, b1, b2, b1, b2, b2, "
      "b2" +
      kEnds;
  const auto ranges = [](int first, int others, int last, int tail) {
    return fmt::format(
               "b0:\n  %2: i32 = sub %1, {}:i32\n  %3: i1 = ule %2, {}:i32\n  br_if %3 -> b1, b4\n"
               "b4:\n  %4: i1 = ule %1, {}:i32\n  br_if %4 -> b2, b5\n"
               "b5:\n  %5: i1 = ult {}:i32, %1\n  br_if %5 -> b2, b3",
               first, others, last, tail) +
           kEnds;
  };
  CHECK(proved(direct, ranges(3, 2, 1, -3)));
  CHECK(proved(ranges(3, 2, 1, -3), direct));
  CHECK(fails(direct, ranges(2, 2, 1, -3)));
  CHECK(fails(direct, ranges(3, 1, 1, -3)));
  CHECK(fails(direct, ranges(3, 3, 1, -3)));
  CHECK(fails(direct, ranges(3, 2, 0, -3)));
  CHECK(fails(direct, ranges(3, 2, 2, -3)));
  CHECK(fails(direct, ranges(3, 2, 1, -2)));
  CHECK(fails(direct, ranges(3, 2, 1, -4)));
}

TEST_CASE("two switches that share all bytes equal comparisons", "[walk]") {
  std::string first, targets, second, others;
  for (int v = 0; v < 250; ++v) first += fmt::format(", {}:i8", v), targets += ", b1";
  for (int v = 250; v < 256; ++v) second += fmt::format(", {}:i8", v), others += ", b1";
  const std::string switches = "\nb0:\n  %2: i8 = load %0\n  switch %2" + first + " -> b4" + targets +
                               "\nb4:\n  switch %2" + second + " -> b2" + others + kEnds;
  const auto ranges = [&](int from) {
    return fmt::format(
               "\nb0:\n  %2: i8 = load %0\n  %3: i1 = ule %2, 249:i8\n  br_if %3 -> b1, b4\n"
               "b4:\n  %4: i1 = ule {}:i8, %2\n  br_if %4 -> b1, b2",
               from) +
           kEnds;
  };
  CHECK(proved(switches, ranges(250)));
  CHECK(fails(switches, ranges(251)));
}

TEST_CASE("two switches over one value equal one chain of comparisons in another order", "[walk]") {
  const std::string switches =
      "b0:\n  switch %1, 1:i32 -> b4, b1\n"
      "b4:\n  switch %1, 3:i32, 1:i32, 4:i32 -> b3, b2, b3, b2" +
      kEnds;
  const auto chain = [](int first, int second) {
    return fmt::format(
               "b0:\n  %2: i32 = sub %1, {}:i32\n  %3: i1 = ule %2, 1:i32\n  br_if %3 -> b2, b4\n"
               "b4:\n  %4: i1 = eq %1, {}:i32\n  br_if %4 -> b1, b3",
               first, second) +
           kEnds;
  };
  CHECK(proved(switches, chain(3, 1)));
  CHECK(proved(chain(3, 1), switches));
  CHECK(fails(switches, chain(2, 1)));
  CHECK(fails(switches, chain(4, 1)));
  CHECK(fails(switches, chain(3, 2)));
}

TEST_CASE("the last test of bytes that are left needs no answer", "[walk]") {
  std::string cases, targets;
  for (int v = 0; v < 250; ++v) cases += fmt::format(", {}:i8", v), targets += ", b1";
  const std::string switches =
      "\nb0:\n  %2: i8 = load %0\n  switch %2" + cases + " -> b4" + targets +
      "\nb4:\n  switch %2, 250:i8, 251:i8, 252:i8, 253:i8, 254:i8, 255:i8 -> b3, b2, b2, "
      "b2, b2, b2, b2" +
      kEnds;
  const auto chain = [&](int last) {
    std::string text = "\nb0:\n  %2: i8 = load %0\n  %3: i1 = ule %2, 249:i8\n  br_if %3 -> b1, b250";
    for (int v = 250; v <= last; ++v)
      text += fmt::format("\nb{}:\n  %{}: i1 = eq %2, {}:i8\n  br_if %{} -> b2, {}", v, v, v, v,
                          v < last ? fmt::format("b{}", v + 1) : "b3");
    return text + kEnds;
  };
  CHECK(proved(switches, chain(255)));
  CHECK(fails(switches, chain(254)));
  CHECK(fails(switches, chain(250)));
}

TEST_CASE("sets of possible values", "[walk]") {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  const auto within = [](uint64_t v, uint64_t first, uint64_t last) {
    return first <= last ? v >= first && v <= last : v >= first || v <= last;
  };
  for (int round = 0; round < 500; ++round) {
    proof::ValueSet set(4);
    std::set<uint64_t> expected;
    for (uint64_t v = 0; v < 16; ++v) expected.insert(v);
    for (int step = 0; step < 8; ++step) {
      const uint64_t first = below(16), last = below(16);
      set.remove(first, last);
      std::erase_if(expected, [&](uint64_t v) { return within(v, first, last); });
      for (uint64_t from = 0; from < 16; ++from)
        for (uint64_t to = 0; to < 16; ++to) {
          const bool one = std::ranges::any_of(expected, [&](uint64_t v) { return within(v, from, to); });
          REQUIRE(set.meets(from, to) == one);
        }
      REQUIRE(set.empty() == expected.empty());
      REQUIRE(set.only() == (expected.size() == 1 ? std::optional(*expected.begin()) : std::nullopt));
    }
  }
  proof::ValueSet words(64);
  words.remove(0, ~uint64_t{0} - 1);
  CHECK(words.only() == ~uint64_t{0});
}

TEST_CASE("what a path excludes ends it, for integers of all sizes", "[walk]") {
  // Behind the last test no value is left: what is there may differ.
  const auto chain = [](int last, int end) {
    return fmt::format(
        "\nb0:\n  %2: i64 = load %0\n  %3: i64 = sub %2, 3:i64\n  %4: i1 = ule %3, -2:i64\n  br_if %4 -> b1, "
        "b4\n"
        "b4:\n  %5: i1 = eq %2, {}:i64\n  br_if %5 -> b2, b{}\n"
        "b1:\n  store %0, 1:i32\n  ret\nb2:\n  store %0, 2:i32\n  ret\nb3:\n  store %0, 3:i32\n  ret\n",
        last, end);
  };
  const std::string one = "b5:\n  store %0, 4:i32\n  ret\n";
  CHECK(proved(chain(2, 3), chain(2, 3)));
  CHECK(proved(chain(2, 3), chain(2, 5) + one));
  CHECK(fails(chain(1, 3), chain(1, 5) + one));
}

TEST_CASE("a pointer that equals a constant is that constant", "[walk]") {
  const auto stores = [](const std::string& value) {
    return "b0:\n  %2: ptr<global> = load %0\n  %3: i1 = eq %2, 0:ptr<global>\n  br_if %3 -> b1, b2\n"
           "b1:\n  store %0, " +
           value + "\n  ret\nb2:\n  ret\n";
  };
  CHECK(proved(stores("%2"), stores("0:ptr<global>")));
  CHECK(fails(stores("%2"), stores("8:ptr<global>")));
}

TEST_CASE("questions about other values in between do not multiply the ways", "[walk]") {
  constexpr int kOthers = 20;
  std::string loads = "b0:\n", others;
  for (int k = 0; k < kOthers; ++k) loads += fmt::format("  %{}: i32 = load %0\n", 10 + k);
  for (int k = 0; k < kOthers; ++k)
    others += fmt::format("b{}:\n  switch %{}, 1:i32, 2:i32, 3:i32 -> b{}, b{}, b{}, b{}\n", 100 + k, 10 + k,
                          101 + k, 101 + k, 101 + k, 101 + k);
  const std::string last = "  switch %1, 2:i32, 3:i32 -> b3, b2, b3" + kEnds;
  const std::string before =
      loads + "  switch %1, 1:i32 -> b100, b1\n" + others + fmt::format("b{}:\n", 100 + kOthers) + last;
  const std::string after = loads + "  switch %1, 1:i32 -> b4, b1\nb4:\n" + last;
  CHECK(proved(before, after));
}

TEST_CASE("a wave has no walk", "[walk]") {
  const std::string text = "wave func @f(%0: ptr<global> out of i32) kernel width=8 {\nb0:\n  ret\n}\n";
  auto module = parse_module(text);
  REQUIRE(module.has_value());
  const Function& f = *module->functions[0];
  CHECK(proof::walk(f, f).verdict == proof::Verdict::GaveUp);
}
