// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/wave_interpreter.h"

#include <fmt/format.h>

#include "tests/sim/support.h"

using namespace kc;
using namespace kc::test;
using Catch::Contains;

namespace {

struct Ran {
  std::vector<int32_t> out;
  WaveRunResult result;
};
Ran run(const std::string& text, const LaunchSpec& launch, WaveRunOptions options = {}, size_t elements = 0) {
  Module m = parse(text);
  Ran r{std::vector<int32_t>(elements ? elements : launch.items(), -7), {}};
  std::vector<MemoryRange> memory{range_of(r.out)};
  options.memory = memory;
  std::vector<uint64_t> arguments{address_of(r.out)};
  r.result = run_waves(*m.functions[0], launch, arguments, options);
  return r;
}

// A function of width 4 whose first lanes store; %3 is each lane's own address, %4 the mask of lanes below 2.
std::string with_body(const std::string& body) {
  return R"(wave func @w(%0: ptr<global>, %1: mask hidden) kernel width=4 {
  var $x.0: lane<i32>
  var $m.1: mask
b0 mask %1:
  %2: lane<i32> = global_id dim=0
  %3: lane<ptr<global>> = ptr_add %0, %2, scale=4
  %5: lane<i1> = slt %2, 2:i32
  %4: mask = mask_cond %1, %5
)" + body +
         "}\n";
}
std::string error_of(const std::string& body, WaveRunOptions options = {}) {
  Ran r = run(with_body(body), line(4, 4), options);
  return r.result.ok() ? "ok" : r.result.message;
}

// A diamond: lanes with an even id execute b1 and join the others in b2.
std::string diamond(const std::string& stored) {
  return R"(wave func @w(%0: ptr<global>, %1: mask hidden) kernel width=8 {
b0 mask %1:
  %2: lane<i32> = global_id dim=0
  %3: lane<i32> = and %2, 1:i32
  %4: lane<i1> = eq %3, 0:i32
  %5: mask = mask_cond %1, %4
  %6: lane<i32> = mul %2, 10:i32
  br -> b1
b1 mask %5:
  %7: lane<i32> = add %6, 1000:i32
  br -> b2
b2 mask %1:
  %8: lane<i32> = blend %5, %7, %6
  %9: lane<ptr<global>> = ptr_add %0, %2, scale=4
  lane_store %1, %9, )" +
         stored + "\n  ret\n}\n";
}

}  // namespace

TEST_CASE("lanes take their own side of a diamond, the tail is masked") {
  Ran r = run(diamond("%8"), line(11, 11));
  INFO(r.result.message);
  REQUIRE(r.result.ok());
  CHECK(r.out == std::vector<int32_t>{1000, 10, 1020, 30, 1040, 50, 1060, 70, 1080, 90, 1100});
  CHECK(r.result.statistics.waves == 2);
  CHECK(r.result.steps == 2 * 12);
  CHECK(r.result.statistics.of(WaveCategory::Merge) == 2);
  CHECK(r.result.statistics.of(WaveCategory::Mask) == 2);
  CHECK(r.result.statistics.of(WaveCategory::LaneStore) == 2);
  CHECK(r.result.statistics.of(WaveCategory::Control) == 6);
  // 7 lane instructions; the add of b1 has 4 and 2 lanes, the others 8 and 3.
  CHECK(r.result.statistics.lane_issues == 2 * 7);
  CHECK(r.result.statistics.active_lanes == 6 * 11 + 4 + 2);
}

TEST_CASE("a result outside its block's mask must not be stored") {
  Ran strict = run(diamond("%7"), line(8, 8));
  CHECK(strict.result.status == RunStatus::Error);
  CHECK_THAT(
      strict.result.message,
      Contains("unspecified content of lane 1 (work-item (1, 0, 0)) reaches the value of @w: lane_store"));
  CHECK(strict.out == std::vector<int32_t>(8, -7));
  Ran loose = run(diamond("%7"), line(8, 8), {.strict = false});
  REQUIRE(loose.result.ok());
  CHECK(loose.out[0] == 1000);
  CHECK(loose.out[6] == 1060);
  // Neither the lane's real value nor a plain zero.
  for (int odd : {1, 3, 5, 7}) CHECK((loose.out[odd] != 1000 + odd * 10 && loose.out[odd] != 0));
}

TEST_CASE("unspecified content is stopped where it would have an effect") {
  const std::string unknown =
      "  br -> b1\nb1 mask %4:\n  %6: lane<i32> = add %2, 5:i32\n  br -> b2\nb2 mask %1:\n";
  CHECK(error_of(unknown + "  lane_store %4, %3, %6\n  ret\n") == "ok");
  CHECK_THAT(error_of(unknown + "  lane_store %1, %3, %6\n  ret\n"),
             Contains("lane 2") && Contains("reaches the value"));
  CHECK_THAT(error_of(unknown + "  %7: lane<i32> = add %6, %2\n  lane_store %1, %3, %7\n  ret\n"),
             Contains("lane 2") && Contains("reaches the value"));
  const std::string address = unknown + "  %7: lane<ptr<global>> = ptr_add %0, %6, scale=0\n";
  CHECK_THAT(error_of(address + "  lane_store %1, %7, %2\n  ret\n"),
             Contains("reaches the address of @w: lane_store"));
  CHECK_THAT(error_of(address + "  %8: lane<i32> = lane_load %1, %7\n  ret\n"),
             Contains("reaches the address of @w: %8: lane<i32> = lane_load"));
  CHECK(error_of(address + "  %8: lane<i32> = lane_load %4, %7\n  lane_store %4, %3, %8\n  ret\n") == "ok");
  CHECK_THAT(error_of(address + "  %8: lane<i32> = lane_load %4, %7\n  lane_store %1, %3, %8\n  ret\n"),
             Contains("lane 2") && Contains("reaches the value of @w: lane_store"));
  const std::string condition = unknown + "  %7: lane<i1> = slt %6, 6:i32\n";
  // A mask propagates it, lane by lane, to where it selects lanes.
  const std::string chosen = condition + "  %8: mask = mask_cond %1, %7\n";
  CHECK(error_of(chosen + "  ret\n") == "ok");
  CHECK_THAT(error_of(chosen + "  lane_store %8, %3, %2\n  ret\n"),
             Contains("lane 2") && Contains("reaches the mask"));
  CHECK_THAT(error_of(chosen + "  br -> b3\nb3 mask %8:\n  lane_store %8, %3, %2\n  ret\n"),
             Contains("mask"));
  CHECK(error_of(chosen + "  %9: mask = mask_and %8, %4\n  lane_store %9, %3, %2\n  ret\n") == "ok");
  CHECK(error_of(condition + "  %8: mask = mask_cond %4, %7\n  lane_store %8, %3, %2\n  ret\n") == "ok");
  CHECK_THAT(error_of(unknown + "  %7: mask = mask_andnot %1, %4\n  %8: i32 = first_lane %7, %6\n  ret\n"),
             Contains("lane 2") && Contains("first_lane"));
  CHECK(error_of(unknown + "  %7: i32 = first_lane %1, %6\n  ret\n") == "ok");
}

TEST_CASE("what a merge or a select leaves out may be unspecified") {
  const std::string unknown =
      "  br -> b1\nb1 mask %4:\n  %6: lane<i32> = add %2, 5:i32\n  br -> b2\nb2 mask %1:\n";
  CHECK(error_of(unknown + "  %7: lane<i32> = blend %4, %6, %2\n  lane_store %1, %3, %7\n  ret\n") == "ok");
  CHECK_THAT(error_of(unknown + "  %7: lane<i32> = blend %4, %2, %6\n  lane_store %1, %3, %7\n  ret\n"),
             Contains("lane 2"));
  CHECK(error_of(unknown + "  %7: lane<i32> = select %5, %6, %2\n  lane_store %1, %3, %7\n  ret\n") == "ok");
  CHECK_THAT(error_of(unknown + "  %7: lane<i32> = select %5, %2, %6\n  lane_store %1, %3, %7\n  ret\n"),
             Contains("lane 2"));
  // A blend preserves its inputs outside its block's mask.
  CHECK(error_of("  br -> b1\nb1 mask %4:\n  %6: lane<i32> = blend %4, %2, %2\n  br -> b2\nb2 mask %1:\n"
                 "  lane_store %1, %3, %6\n  ret\n") == "ok");
}

TEST_CASE("undef and unset variables are unspecified") {
  CHECK_THAT(error_of("  lane_store %1, %3, undef:lane<i32>\n  ret\n"),
             Contains("lane 0") && Contains("value"));
  CHECK_THAT(error_of("  br_if undef:i1 -> b1, b1\nb1 mask %1:\n  ret\n"),
             Contains("reaches the condition of @w: br_if"));
  CHECK_THAT(error_of("  %6: i32 = add undef:i32, 1:i32\n  switch %6, 1:i32 -> b1, b1\nb1 mask %1:\n  ret\n"),
             Contains("reaches the condition of @w: switch"));
  CHECK_THAT(error_of("  %6: i32 = uniform_load undef:ptr<global>\n  ret\n"),
             Contains("reaches the address"));
  CHECK_THAT(error_of("  %6: mask = mask_if %1, undef:i1\n  lane_store %6, %3, %2\n  ret\n"),
             Contains("reaches the mask"));
  CHECK_THAT(error_of("  %6: mask = mask_and %1, undef:mask\n  lane_store %6, %3, %2\n  ret\n"),
             Contains("reaches the mask"));
  CHECK(error_of("  %6: mask = mask_and 0:mask, undef:mask\n  lane_store %6, %3, %2\n  ret\n") == "ok");
  CHECK(error_of("  %6: mask = mask_or %4, undef:mask\n  %7: mask = mask_and %6, %4\n"
                 "  lane_store %7, %3, %2\n  ret\n") == "ok");
  CHECK_THAT(error_of("  %6: lane<i32> = var_get var=$x.0\n  lane_store %1, %3, %6\n  ret\n"),
             Contains("value"));
  CHECK(error_of(
            "  var_set %2, var=$x.0\n  %6: lane<i32> = var_get var=$x.0\n  lane_store %1, %3, %6\n  ret\n") ==
        "ok");
  CHECK_THAT(error_of("  %6: mask = var_get var=$m.1\n  lane_store %6, %3, %2\n  ret\n"),
             Contains("reaches the mask"));
  // Passed along edges without an error; the error is reported at the use.
  const std::string carried = "  br -> b1(undef:lane<i32>)\nb1(%6: lane<i32>) mask %1:\n";
  CHECK(error_of(carried + "  ret\n") == "ok");
  CHECK_THAT(error_of(carried + "  lane_store %1, %3, %6\n  ret\n"), Contains("lane 0"));
}

TEST_CASE("laws of masks are checked while running") {
  CHECK_THAT(error_of("  br -> b1\nb1 mask %4:\n  lane_store %1, %3, %2\n  br -> b2\nb2 mask %1:\n  ret\n"),
             Contains("lanes 0xc are outside the block's mask"));
  CHECK_THAT(
      error_of(
          "  br -> b1\nb1 mask %4:\n  %6: lane<i32> = lane_load %1, %3\n  br -> b2\nb2 mask %1:\n  ret\n"),
      Contains("lanes 0xc are outside the block's mask"));
  const std::string empty = "  %6: mask = mask_andnot %1, %1\n  br -> b1\nb1 mask %6:\n";
  CHECK_THAT(error_of(empty + "  %7: i32 = uniform_load %0\n  br -> b2\nb2 mask %1:\n  ret\n"),
             Contains("uniform_load %0 breaks a law of wave IR: it runs with an empty mask"));
  CHECK_THAT(error_of("  br -> b1\nb1:\n  %7: i32 = uniform_load %0\n  br -> b2\nb2 mask %1:\n  ret\n"),
             Contains("before its block's mask is known"));
  CHECK_THAT(error_of(empty + "  %7: i32 = first_lane %6, %2\n  br -> b2\nb2 mask %1:\n  ret\n"),
             Contains("empty mask"));
  CHECK_THAT(error_of("  br -> b1\nb1 mask %4:\n  ret\n"),
             Contains("lanes 0x3 return, but the wave has 0xf"));
  CHECK(error_of("  br -> b1\nb1 mask %4:\n  ret\n", {.all_return = false}) == "ok");
  CHECK_THAT(error_of(empty + "  br -> b2\nb2:\n  br -> b2 !9:1\n", {.max_steps = 500}),
             Contains("more than 500 steps") && Contains("!9:1"));
  CHECK_THAT(
      error_of("  %6: lane<ptr<global>> = ptr_add %3, 1:i32, scale=4\n  lane_store %1, %6, %2\n  ret\n"),
      Contains("lane 3") && Contains("store of 4 bytes outside every buffer"));
}

TEST_CASE("uniform control flow, loads and values") {
  // Adds out[0..3] with a uniform loop, then every lane adds its lane number; lanes store in ascending order.
  Ran r = run(R"(wave func @w(%0: ptr<global>, %1: mask hidden) kernel width=4 {
b0 mask %1:
  br -> b1(0:i32, 0:i32)
b1(%2: i32, %3: i32) mask %1:
  %4: ptr<global> = ptr_add %0, %2, scale=4
  %5: i32 = uniform_load %4
  %6: i32 = add %3, %5
  %7: i32 = add %2, 1:i32
  %8: i1 = slt %7, 4:i32
  br_if %8 -> b1(%7, %6), b2
b2 mask %1:
  %9: lane<i32> = lane_id
  %10: lane<i32> = splat %6
  %11: lane<i32> = add %9, %10
  %12: lane<i32> = splat 0:i32
  %13: lane<ptr<global>> = ptr_add %0, %12, scale=4
  lane_store %1, %13, %11
  %14: i1 = any %1
  switch %7, 3:i32, 4:i32 -> b3, b3, b4
b3:
  br -> b3
b4 mask %1:
  ret
}
)",
              line(4, 4));
  INFO(r.result.message);
  REQUIRE(r.result.ok());
  CHECK(r.out == std::vector<int32_t>{-28 + 3, -7, -7, -7});
}

TEST_CASE("waves cover rows, or packed groups") {
  const char* text = R"(wave func @w(%0: ptr<global>, %1: mask hidden) kernel width=8 {{
b0 mask %1:
  %2: lane<i32> = global_id dim=0
  %3: {0} = global_id dim=1
  %4: i32 = global_size dim=0
  %5: {0} = mul %3, %4
  %6: lane<i32> = add %2, %5
  %7: lane<ptr<global>> = ptr_add %0, %6, scale=4
  %8: lane<i32> = lane_id
  lane_store %1, %7, %8
  ret
}}
)";
  LaunchSpec spec{.dims = 2, .global = {6, 4, 1}, .local = {3, 2, 1}};
  Ran rows = run(fmt::format(fmt::runtime(text), "i32"), spec);
  INFO(rows.result.message);
  REQUIRE(rows.result.ok());
  CHECK(rows.result.statistics.waves == 8);
  std::vector<int32_t> row{0, 1, 2, 0, 1, 2}, second{3, 4, 5, 3, 4, 5};
  auto join = [](std::initializer_list<std::vector<int32_t>> parts) {
    std::vector<int32_t> all;
    for (const auto& p : parts) all.insert(all.end(), p.begin(), p.end());
    return all;
  };
  CHECK(rows.out == join({row, row, row, row}));
  Ran packed = run(fmt::format(fmt::runtime(text), "lane<i32>"), spec, {.packed = true});
  INFO(packed.result.message);
  REQUIRE(packed.result.ok());
  CHECK(packed.result.statistics.waves == 4);
  CHECK(packed.out == join({row, second, row, second}));
  Ran wrong = run(fmt::format(fmt::runtime(text), "i32"), spec, {.packed = true});
  CHECK_THAT(wrong.result.message, Contains("lanes 0 and 3 differ"));
}

TEST_CASE("what cannot run as waves is an error") {
  std::vector<uint64_t> arguments{0};
  Module thread = parse("thread func @f(%0: ptr<global>) kernel {\nb0:\n  ret\n}\n");
  CHECK_THAT(run_waves(*thread.functions[0], line(1), arguments, {}).message,
             Contains("is a thread function"));
  Module maskless = parse("wave func @f(%0: ptr<global>) kernel width=8 {\nb0:\n  ret\n}\n");
  CHECK_THAT(run_waves(*maskless.functions[0], line(1), arguments, {}).message, Contains("last parameter"));
  Module wide = parse("wave func @f(%0: mask) kernel width=128 {\nb0:\n  ret\n}\n");
  CHECK_THAT(run_waves(*wide.functions[0], line(1), {}, {}).message, Contains("from 1 to 64"));
}
