// SPDX-License-Identifier: Apache-2.0
// Event counts, and barriers.
#include <catch2/catch.hpp>

#include "tests/sim/support.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

namespace {

WarpRunResult run(const char* text, const LaunchSpec& launch, std::vector<uint32_t>& buffer,
                  WarpRunOptions options) {
  Module m = parse(text);
  std::vector<MemoryRange> memory{range_of(buffer)};
  options.memory = memory;
  std::vector<uint64_t> arguments{address_of(buffer)};
  const Function& f = *m.functions[0];
  return WarpSimulator(f, priorities_of(f)).run(launch, arguments, options);
}

// Adds 1 to element id * `stride`.
std::string stepping(int stride) {
  return "thread func @steps(%0: ptr<global> x of i32) kernel {\n"
         "b0:\n"
         "  %1: i64 = global_id dim=0\n"
         "  %2: ptr<global> = ptr_add %0, %1, scale=" +
         std::to_string(4 * stride) +
         "\n"
         "  %3: i32 = load %2\n"
         "  %4: i32 = add %3, 1:i32\n"
         "  store %2, %4\n"
         "  ret\n"
         "}\n";
}

}  // namespace

TEST_CASE("instructions, lanes and memory of straight code") {
  std::vector<uint32_t> buffer(40 * 64, 7);
  for (uint32_t width : {4u, 8u, 32u, 64u, 0u}) {
    auto r = run(stepping(1).c_str(), line(40, 40), buffer, {.memory = {}, .width = width});
    REQUIRE(r.ok());
    const WarpStatistics& s = r.statistics;
    uint64_t lanes = width ? width : 40, warps = (40 + lanes - 1) / lanes;
    CHECK(s.warps == warps);
    CHECK(s.dynamic_instructions == 6 * warps);
    CHECK(s.active_lanes == 6 * 40);
    CHECK(s.activity_factor() == 40.0 / static_cast<double>(warps * lanes));
    CHECK(s.block_executions == warps);
    CHECK(s.redundant_executions() == 0);
    CHECK(s.memory_instructions == 2 * warps);
    CHECK(s.address_runs == 2 * warps);
    // 160 bytes are two segments; a warp of 4 or 8 lanes touches one, others as many as they need.
    uint64_t transactions = width == 0 || width == 64 ? 2 : warps;
    CHECK(s.memory_transactions == 2 * transactions);
  }
  auto r = run(stepping(4).c_str(), line(32, 32), buffer, {.memory = {}, .width = 32});
  CHECK(r.statistics.memory_transactions == 2 * 4);
  CHECK(r.statistics.address_runs == 2 * 32);
  CHECK(r.statistics.memory_efficiency() == 0.25);
  r = run(stepping(32).c_str(), line(32, 32), buffer, {.memory = {}, .width = 32});
  CHECK(r.statistics.memory_transactions == 2 * 32);
}

TEST_CASE("accesses that cross a segment, and accesses of one address") {
  const char* text = R"(thread func @one(%0: ptr<global> x of i32) kernel {
b0:
  %1: ptr<global> = ptr_add %0, 0:i64, scale=1, offset=126
  %2: i32 = load %1
  ret
}
)";
  std::vector<uint32_t> buffer(64);
  auto r = run(text, line(32, 32), buffer, {.memory = {}, .width = 32});
  CHECK(r.statistics.memory_instructions == 1);
  CHECK(r.statistics.memory_transactions == 2);
  CHECK(r.statistics.address_runs == 1);
}

TEST_CASE("what stops a launch is said") {
  std::vector<uint32_t> buffer(8);
  auto r = run(stepping(1).c_str(), line(9, 9), buffer, {.memory = {}, .width = 4});
  CHECK(r.status == RunStatus::OutOfBounds);
  CHECK(r.message.starts_with("work-item (8, 0, 0): load of 4 bytes outside every buffer"));
  const char* forever = R"(thread func @forever(%0: ptr<global> x of i32) kernel {
b0:
  br -> b1
b1:
  br -> b1
}
)";
  for (WarpScheme scheme : kSchemes) {
    r = run(forever, line(9, 9), buffer, {.memory = {}, .max_steps = 1000, .scheme = scheme});
    CHECK(r.status == RunStatus::StepLimit);
  }
}

// An arm of each branch could leave for b5 before the barrier, as an exception does; no work-item does so.
constexpr const char* kBarrierBeforeMeeting = R"(thread func @exceptions(%0: ptr<global> x of i32) kernel {
  site 0: barrier "" !7:3
b0:
  %1: i64 = global_id dim=0
  %2: ptr<global> = ptr_add %0, %1, scale=4
  %3: i32 = load %2
  %4: i1 = ult %3, 2:i32
  br_if %4 -> b1, b2
b1:
  %5: i1 = eq %3, 100:i32
  br_if %5 -> b5, b3
b2:
  %6: i1 = eq %3, 101:i32
  br_if %6 -> b5, b3
b3:
  barrier flags=2, site=0 !7:3
  br -> b4(1:i32)
b4(%7: i32):
  store %2, %7
  ret
b5:
  br -> b4(9:i32)
}
)";

TEST_CASE("a barrier before the meeting place is a deadlock under ipdom, not under thread frontiers") {
  for (uint32_t width : {4u, 0u}) {
    for (WarpScheme scheme : kSchemes) {
      std::vector<uint32_t> buffer{0, 1, 2, 3, 4, 5, 6, 7};
      auto r =
          run(kBarrierBeforeMeeting, line(8, 8), buffer, {.memory = {}, .scheme = scheme, .width = width});
      if (scheme == WarpScheme::Ipdom) {
        CHECK(r.status == RunStatus::Trapped);
        REQUIRE(r.trap);
        CHECK(r.trap->site.kind == TrapKind::DivergentBarrier);
        CHECK(r.trap->site.loc == Loc{7, 3});
      } else {
        CHECK(r.ok());
        CHECK(buffer == std::vector<uint32_t>(8, 1));
      }
    }
  }
}

TEST_CASE("work-items that have ended need not come to a barrier") {
  const char* text = R"(thread func @early(%0: ptr<global> x of i32) kernel {
  site 0: barrier "" !5:3
b0:
  %1: i64 = global_id dim=0
  %2: i1 = ult %1, 5:i64
  br_if %2 -> b1, b2
b1:
  barrier flags=2, site=0 !5:3
  %3: ptr<global> = ptr_add %0, %1, scale=4
  store %3, 1:i32
  ret
b2:
  ret
}
)";
  for (WarpScheme scheme : kSchemes)
    for (uint32_t width : {4u, 8u, 0u}) {
      std::vector<uint32_t> buffer(16, 0);
      auto r = run(text, line(16, 16), buffer, {.memory = {}, .scheme = scheme, .width = width});
      CHECK(r.ok());
      CHECK(std::count(buffer.begin(), buffer.end(), 1u) == 5);
    }
}

// Figure 2 c and d of the paper: after the barrier in b1 some work-items take a detour to the end of the
// loop.
TEST_CASE("priorities that barriers do not ask for leave work-items behind") {
  const char* text = R"(thread func @rounds(%0: ptr<global> x of i32) kernel {
  site 0: barrier "" !4:5
b0:
  %1: i64 = local_id dim=0
  %2: ptr<global> = ptr_add %0, %1, scale=4
  br -> b1(0:i32)
b1(%3: i32):
  br -> b2
b2:
  barrier flags=2, site=0 !4:5
  %4: i64 = and %1, 1:i64
  %5: i1 = eq %4, 0:i64
  br_if %5 -> b4, b3
b3:
  br -> b4
b4:
  %6: i32 = add %3, 1:i32
  %7: i1 = ult %6, 5:i32
  br_if %7 -> b1(%6), b5
b5:
  store %2, %6
  ret
}
)";
  Module m = parse(text);
  const Function& f = *m.functions[0];
  auto succs = successor_lists(f, Cfg(f));
  std::vector<uint32_t> order;
  for (size_t n : {0, 1, 2, 4, 3, 5}) order.push_back(f.layout[n].index);
  Frontiers wrong(succs, order);
  for (uint32_t width : {8u, 0u})
    for (WarpScheme scheme : {WarpScheme::TfStack, WarpScheme::TfSandy}) {
      std::vector<uint32_t> buffer(16, 0);
      std::vector<MemoryRange> memory{range_of(buffer)};
      std::vector<uint64_t> arguments{address_of(buffer)};
      WarpRunOptions options{.memory = memory, .scheme = scheme, .width = width};
      auto r = WarpSimulator(f, priorities_of(wrong)).run(line(16, 16), arguments, options);
      REQUIRE(r.trap);
      CHECK(r.trap->site.loc.line == 4);
      r = WarpSimulator(f, priorities_of(f)).run(line(16, 16), arguments, options);
      CHECK(r.ok());
      CHECK(buffer == std::vector<uint32_t>(16, 5));
    }
}
