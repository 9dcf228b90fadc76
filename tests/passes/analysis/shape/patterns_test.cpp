// SPDX-License-Identifier: Apache-2.0
// The lane-to-lane differences of values without a constant stride, in small waves.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/analysis/lane_patterns.h"

using namespace kc;

namespace {

using Steps = std::vector<int64_t>;

struct Launch {
  bool aligned = true, small_buffers = false;
  std::array<uint64_t, 3> packed{};  // groups of this size, whose waves follow the linear local ids
};

// Of the last value, in a wave of 8; empty if it has no pattern.
Steps steps_of(const std::string& body, Launch launch = {}) {
  const bool packed = launch.packed[0] != 0;
  const std::string size = packed ? fmt::format(" local={}", fmt::join(launch.packed, "x")) : "";
  std::string text = "wave func @w(%0: ptr<global> p of i32, %1: i32 n, %2: mask hidden) kernel width=8" +
                     size + " {\nb0 mask %2:\n  %3: lane<i32> = local_id dim=0\n" + body + "  ret\n}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("input", text));
  const Function& f = *module->functions[0];
  auto errors = verify(f);
  if (!errors.empty()) FAIL(render(f, errors));
  LaneLayout layout;
  if (packed) layout = packed_layout(launch.packed);
  layout.aligned = launch.aligned;
  AnalysisCache analyses(f);
  auto patterns =
      analyse_patterns(f, analyse_shapes(f, layout, analyses), layout, launch.small_buffers, analyses);
  const auto& insts = f.block(f.entry()).insts;
  const auto& last = patterns[f.result(insts[insts.size() - 2]).index];
  return last ? last->steps : Steps();
}

}  // namespace

TEST_CASE("bits of lanes from a multiple of the width are known") {
  CHECK(steps_of("  %9: lane<i32> = and %3, 3:i32\n") == Steps{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(steps_of("  %9: lane<i32> = xor %3, 5:i32\n") == Steps{0, -1, 2, 1, -4, -5, -2, -3});
  CHECK(steps_of("  %9: lane<i32> = or %3, 1:i32\n") == Steps{0, 0, 2, 2, 4, 4, 6, 6});
  CHECK(steps_of("  %9: lane<i32> = lshr %3, 1:i32\n") == Steps{0, 0, 1, 1, 2, 2, 3, 3});
  // Higher bits are the same in all lanes.
  CHECK(steps_of("  %9: lane<i32> = and %3, -2:i32\n") == Steps{0, 0, 2, 2, 4, 4, 6, 6});
  CHECK(steps_of("  %9: lane<i32> = and %3, 24:i32\n") == Steps(8));
  CHECK(steps_of("  %9: lane<i32> = and %3, 3:i32\n", {.aligned = false}).empty());
}

TEST_CASE("patterns are added, multiplied and moved") {
  // Indices of a sort's lower partners: 2 * id - (id & 3).
  const std::string low =
      "  %4: lane<i32> = shl %3, 1:i32\n  %5: lane<i32> = and %3, 3:i32\n  %6: lane<i32> = sub %4, %5\n";
  CHECK(steps_of(low + "  %9: lane<i32> = add %6, %1\n") == Steps{0, 1, 2, 3, 8, 9, 10, 11});
  // The factor makes one more bit known.
  CHECK(steps_of(low + "  %9: lane<i32> = and %6, 8:i32\n") == Steps{0, 0, 0, 0, 8, 8, 8, 8});
  CHECK(steps_of(low + "  %9: lane<i32> = mul %6, -3:i32\n") == Steps{0, -3, -6, -9, -24, -27, -30, -33});
  CHECK(steps_of(low + "  %9: lane<ptr<global>> = ptr_add %0, %6, scale=4, offset=8\n") ==
        Steps{0, 4, 8, 12, 32, 36, 40, 44});
  // The sum may carry into unknown bits.
  CHECK(steps_of("  %4: lane<i32> = add %3, 1:i32\n  %9: lane<i32> = and %4, 3:i32\n").empty());
  CHECK(steps_of("  %4: lane<i32> = add %3, %1\n  %9: lane<i32> = and %4, 3:i32\n").empty());
  CHECK(steps_of("  %9: lane<i32> = mul %3, %3\n").empty());
}

TEST_CASE("patterns of indices are those of addresses where nothing wraps") {
  const std::string index = "  %4: lane<i32> = xor %3, 1:i32\n  %5: lane<i32> = add %4, %1\n",
                    address = "  %9: lane<ptr<global>> = ptr_add %0, %5, scale=4\n";
  // Lane 1 is below lane 0, whose index may exceed 2^31 while it is inactive.
  CHECK(steps_of(index + address).empty());
  CHECK(steps_of(index + address, {.small_buffers = true}) == Steps{0, -4, 8, 4, 16, 12, 24, 20});
  const std::string upward = "  %4: lane<i32> = or %3, 1:i32\n  %5: lane<i32> = add %4, %1\n";
  CHECK(steps_of(upward + address) == Steps{0, 0, 8, 8, 16, 16, 24, 24});
  CHECK(steps_of("  %4: lane<i32> = xor %3, 1:i32\n  %9: lane<ptr<global>> = ptr_add %0, %4, scale=4\n") ==
        Steps{0, -4, 8, 4, 16, 12, 24, 20});
  CHECK(steps_of(index + "  %9: lane<i64> = sext %5\n", {.small_buffers = true}).empty());
  CHECK(steps_of("  %4: lane<i32> = xor %3, 1:i32\n  %9: lane<i64> = sext %4\n") ==
        Steps{0, -1, 2, 1, 4, 3, 6, 5});
}

TEST_CASE("what is loaded or merged has no pattern") {
  CHECK(steps_of("  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4\n  %9: lane<i32> = lane_load %2, %4\n")
            .empty());
  CHECK(steps_of("  %9: lane<i32> = blend %2, %3, 7:lane<i32>\n").empty());
}

TEST_CASE("ids of packed waves have patterns where all waves of a group have the same") {
  const std::string x = "  %9: lane<i32> = shl %3, 0:i32\n", y = "  %9: lane<i32> = local_id dim=1\n",
                    z = "  %9: lane<i32> = local_id dim=2\n";
  CHECK(steps_of(x, {.packed = {4, 6, 1}}) == Steps{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(steps_of(y, {.packed = {4, 6, 1}}) == Steps{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(steps_of(z, {.packed = {2, 2, 6}}) == Steps{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(steps_of(y, {.packed = {16, 4, 1}}) == Steps(8));
  // Larger than any group of a launch.
  CHECK(steps_of(y, {.packed = {4, 1048576, 1048576}}).empty());
  // The second wave begins elsewhere in a row.
  CHECK(steps_of(x, {.packed = {12, 2, 1}}).empty());
  CHECK(steps_of(y, {.packed = {12, 2, 1}}).empty());
  // The first lanes have y = 0, 2 and 4.
  CHECK(steps_of("  %4: lane<i32> = local_id dim=1\n  %9: lane<i32> = and %4, 1:i32\n",
                 {.packed = {4, 6, 1}}) == Steps{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(steps_of("  %4: lane<i32> = local_id dim=1\n  %9: lane<i32> = and %4, 3:i32\n",
                 {.packed = {4, 6, 1}}) == Steps{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(steps_of("  %4: lane<i32> = local_id dim=1\n  %9: lane<i32> = xor %4, 3:i32\n",
                 {.packed = {4, 6, 1}}) == Steps{0, 0, 0, 0, -1, -1, -1, -1});
}
