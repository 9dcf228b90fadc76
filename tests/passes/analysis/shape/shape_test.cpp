// SPDX-License-Identifier: Apache-2.0
// The lane-to-lane strides of accesses in small waves.
#include "passes/analysis/shape.h"
#include "passes/analysis/neighbours.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"

using namespace kc;

namespace {

struct Address {
  std::optional<int64_t> step;      // empty if unknown
  NeighbourGuess guess;             // of neighbours, if that is unknown
  std::optional<int64_t> row_step;  // from lane to lane in a row
};

// The address of the store at the end.
Address address_of(const std::string& body, const std::string& attributes = "",
                   const LaneLayout& layout = {}) {
  std::string text = "wave func @w(%0: ptr<global> out of i32, %1: i32 n, %2: mask hidden) kernel width=16" +
                     attributes + " {\nb0 mask %2:\n" + body +
                     "  lane_store %2, %90, 1:lane<i32>\n  ret\n}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("input", text));
  const Function& f = *module->functions[0];
  auto errors = verify(f);
  if (!errors.empty()) FAIL(render(f, errors));
  auto shapes = analyse_shapes(f, layout);
  auto guesses = guess_neighbours(f, shapes);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::lane_store) {
        ValueId v = f.inst(i).operands[1];
        const Shape& s = shapes[v.index];
        auto of = [&](Shape::Kind kind) { return s.kind == kind ? std::optional(s.stride) : std::nullopt; };
        return {of(Shape::Strided), guesses[v.index], of(Shape::Rows)};
      }
  return {};
}
std::optional<int64_t> step_of(const std::string& body, const std::string& attributes = "") {
  return address_of(body, attributes).step;
}

}  // namespace

TEST_CASE("what cannot wrap stays in steps when it is extended") {
  const std::string id = "  %3: lane<i32> = local_id dim=0\n",
                    end = "  %90: lane<ptr<global>> = ptr_add %0, %9, scale=4\n";
  CHECK(step_of(id + "  %4: lane<i32> = mul %3, 5:i32\n  %9: lane<i64> = zext %4\n" + end) == 20);
  CHECK(step_of(id + "  %4: lane<i32> = add %3, %1\n  %9: lane<i64> = zext %4\n" + end) == std::nullopt);
  CHECK(step_of(id +
                "  %4: i32 = and %1, 65535:i32\n  %5: lane<i32> = add %3, %4\n  %9: lane<i64> = zext %5\n" +
                end) == 4);
  CHECK(step_of(id + "  %4: i32 = lshr %1, 1:i32\n  %5: lane<i32> = add %3, %4\n  %9: lane<i64> = zext %5\n" +
                end) == 4);
  // A value below 0 in lane 0 is far above in the next lane.
  CHECK(step_of(id + "  %4: lane<i32> = add %3, -1:i32\n  %9: lane<i64> = zext %4\n" + end) == std::nullopt);
  CHECK(step_of(id + "  %4: lane<i32> = add %3, -1:i32\n  %9: lane<i64> = sext %4\n" + end) == 4);
}

TEST_CASE("bits that are never both set are added") {
  const std::string id = "  %3: lane<i32> = local_id dim=0\n",
                    end = "  %90: lane<ptr<global>> = ptr_add %0, %9, scale=4\n";
  CHECK(step_of(id + "  %4: lane<i32> = shl %3, 2:i32\n  %9: lane<i32> = or %4, 3:i32\n" + end) == 16);
  CHECK(step_of(id + "  %4: lane<i32> = shl %3, 2:i32\n  %9: lane<i32> = or %4, 4:i32\n" + end) ==
        std::nullopt);
  CHECK(step_of(id + "  %4: i32 = shl %1, 10:i32\n  %9: lane<i32> = xor %3, %4\n" + end) == 4);
  CHECK(step_of(id + "  %4: lane<i32> = shl %3, 3:i32\n  %9: lane<i32> = lshr %4, 2:i32\n" + end) == 8);
  CHECK(step_of(id + "  %9: lane<i32> = lshr %3, 1:i32\n" + end) == std::nullopt);
}

TEST_CASE("a required size of groups bounds local ids") {
  const std::string id = "  %3: lane<i32> = local_id dim=0\n",
                    end = "  %90: lane<ptr<global>> = ptr_add %0, %9, scale=4\n";
  const std::string near_the_end =
      id + "  %4: lane<i32> = add %3, -100:i32\n  %9: lane<i64> = zext %4\n" + end;
  CHECK(step_of(near_the_end) == std::nullopt);
  CHECK(step_of(near_the_end, " local=16x1x1") == 4);
}

TEST_CASE("arithmetic that keeps neighbours near each other") {
  auto near = [](const std::string& body) {
    Address a = address_of("  %3: lane<i32> = local_id dim=0\n" + body +
                           "  %90: lane<ptr<global>> = ptr_add %0, %9, scale=4\n");
    CHECK(a.step == std::nullopt);
    return a.guess.kind != NeighbourGuess::Far;
  };
  CHECK(near("  %4: lane<i32> = add %3, %1\n  %9: lane<i32> = smax %4, 0:i32\n"));
  CHECK(near("  %4: lane<i32> = and %3, %1\n  %9: lane<i32> = sub %3, %4\n"));
  CHECK(near("  %9: lane<i32> = xor %3, %1\n"));
  CHECK(near("  %9: lane<i32> = urem %3, %1\n"));
  // By an unknown amount, or by a value in memory.
  CHECK(!near("  %9: lane<i32> = mul %3, %1\n"));
  CHECK(!near("  %4: lane<i32> = shl %3, %1\n  %9: lane<i32> = or %4, 1:i32\n"));
  CHECK(
      !near("  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4\n  %5: lane<i32> = lane_load %2, %4\n"
            "  %9: lane<i32> = add %5, %3\n"));
}

TEST_CASE("guesses of neighbours") {
  using Guess = NeighbourGuess;
  auto guess = [](const std::string& body) {
    return address_of("  %3: lane<i32> = local_id dim=0\n" + body +
                      "  %90: lane<ptr<global>> = ptr_add %0, %9, scale=4\n")
        .guess;
  };
  const std::string row = "  %4: lane<i32> = udiv %3, %1\n", column = "  %5: lane<i32> = urem %3, %1\n";
  CHECK(guess("  %9: lane<i32> = udiv %3, %1\n") == Guess{Guess::Steady, {}});
  CHECK(guess(column + "  %9: lane<i32> = add %5, %1\n") == Guess{Guess::Near, 4});
  CHECK(guess(column + "  %9: lane<i32> = sub %1, %5\n") == Guess{Guess::Near, -4});
  CHECK(guess(row + "  %6: lane<i32> = mul %4, 1000:i32\n" + column + "  %9: lane<i32> = add %6, %5\n") ==
        Guess{Guess::Near, 4});
  CHECK(guess(row + "  %6: lane<i32> = mul %4, %1\n  %9: lane<i32> = sub %3, %6\n") == Guess{Guess::Near, 4});
  CHECK(guess(column + "  %9: lane<i32> = shl %5, 1:i32\n") == Guess{Guess::Near, 8});
  CHECK(guess(column + "  %9: lane<i32> = shl %5, 2:i32\n") == Guess{});
  CHECK(guess("  %9: lane<i32> = and %3, 7:i32\n").step == std::nullopt);
  CHECK(guess("  %4: i32 = xor %1, -1:i32\n  %9: lane<i32> = and %3, %4\n") == Guess{Guess::Near, {}});
  CHECK(guess("  %4: i32 = add %1, -1:i32\n  %9: lane<i32> = and %3, %4\n") == Guess{Guess::Near, 4});
  CHECK(guess("  %4: lane<i32> = xor %3, %1\n  %9: lane<i32> = and %4, -16:i32\n") ==
        Guess{Guess::Steady, {}});
}

TEST_CASE("lanes of packed waves are in steps along rows") {
  const std::string ids =
      "  %3: lane<i32> = local_id dim=0\n  %4: lane<i32> = local_id dim=1\n  %5: lane<i32> = local_id dim=2\n"
      "  %6: lane<i32> = mul %4, %1\n  %7: lane<i32> = add %6, %3\n  %8: lane<i32> = mul %3, %1\n";
  auto at = [&](const std::string& index, std::array<uint64_t, 3> local) {
    return address_of(ids + "  %90: lane<ptr<global>> = ptr_add %0, " + index + ", scale=4\n", "",
                      packed_layout(local));
  };
  // Two rows of 8 in a wave of 16: x within a row; values computed from y are constant there.
  CHECK(at("%3", {8, 8, 1}).row_step == 4);
  CHECK(at("%4", {8, 8, 1}).row_step == 0);
  CHECK(at("%6", {8, 8, 1}).row_step == 0);
  CHECK(at("%7", {8, 8, 1}).row_step == 4);
  CHECK(at("%7", {8, 8, 1}).step == std::nullopt);
  CHECK(at("%5", {8, 8, 1}).step == 0);
  CHECK(at("%8", {8, 8, 1}).row_step == std::nullopt);
  CHECK(at("%7", {12, 8, 1}).row_step == 4);
  // Rows of length one.
  CHECK(at("%7", {5, 8, 1}).row_step == std::nullopt);
  // Rows as long as the wave, and lines along other dimensions.
  CHECK(at("%7", {32, 2, 1}).step == 4);
  CHECK(at("%4", {1, 5, 1}).step == 4);
  CHECK(at("%3", {1, 5, 1}).step == 0);
  CHECK(at("%5", {1, 1, 64}).step == 4);
  CHECK(at("%5", {1, 2, 8}).row_step == 0);
}

TEST_CASE("what is loaded or merged is in no row") {
  const std::string body =
      "  %3: lane<i32> = local_id dim=1\n  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4\n"
      "  %5: lane<i32> = lane_load %2, %4\n";
  const LaneLayout layout = packed_layout({8, 8, 1});
  CHECK(address_of(body + "  %90: lane<ptr<global>> = ptr_add %0, %5, scale=4\n", "", layout).row_step ==
        std::nullopt);
  CHECK(address_of(body + "  %6: lane<i32> = blend %2, %3, 7:lane<i32>\n"
                          "  %90: lane<ptr<global>> = ptr_add %0, %6, scale=4\n",
                   "", layout)
            .row_step == std::nullopt);
}
