// SPDX-License-Identifier: Apache-2.0
// Groups whose waves all come to the same barriers: which ones those are, and that they compute what the wave
// interpreter does, in one call for each group.
#include <fmt/format.h>

#include "backends/x64/groups_meet.h"
#include "tests/x64/support.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr uint64_t kLocalAt = 16;  // of the local buffer, in bytes

// Each work-item adds what another one of its group has in local memory, while a number goes down to 0.
// `first` makes the number, %10; `next` makes it smaller, from %20 to %30, with %21, which comes out of a
// branch that waves take differently: in the branch it is `taken`, else `not_taken`.
struct Loop {
  std::string_view first = "%10: i32 = add %4, 0:i32", next = "%30: i32 = lshr %20, 1:i32", taken = "0:i32",
                   not_taken = "0:i32";
  bool meets = true;
};

std::string kernel_of(const Loop& loop, unsigned width) {
  return fmt::format(
      R"(wave func @k(%0: ptr<global>, %1: ptr<global>, %2: ptr<constant>, %3: ptr<local>, %4: i32, %5: mask hidden) kernel width={} {{
  site 0: barrier "" !3:1
  site 1: barrier "" !5:1
b0 mask %5:
  %6: lane<i32> = global_id dim=0
  %7: lane<i32> = local_id dim=0
  %8: i32 = local_size dim=0
  %9: lane<ptr<local>> = ptr_add %3, %7, scale=4
  {}
  %11: lane<ptr<global>> = ptr_add %1, %6, scale=4
  %12: lane<i32> = lane_load %5, %11
  %13: lane<i32> = add %7, 21:i32
  %14: lane<i32> = urem %13, %8
  %15: lane<ptr<local>> = ptr_add %3, %14, scale=4
  br -> b1(%10, %12)
b1(%20: i32, %16: lane<i32>) mask %5:
  lane_store %5, %9, %16
  lane_barrier %5, flags=1, site=0
  %17: lane<i32> = lane_load %5, %15
  %18: lane<i32> = add %17, %16
  %22: lane<i1> = ult %7, %20
  %23: mask = mask_cond %5, %22
  %24: i1 = any %23
  br_if %24 -> b2, b3({}, %18)
b2 mask %23:
  %25: lane<i32> = mul %18, 3:i32
  %26: lane<i32> = blend %23, %25, %18
  br -> b3({}, %26)
b3(%21: i32, %27: lane<i32>) mask %5:
  lane_barrier %5, flags=1, site=1
  {}
  %31: i1 = ne %30, 0:i32
  br_if %31 -> b1(%30, %27), b4(%27)
b4(%32: lane<i32>) mask %5:
  lane_store %5, %11, %32
  ret
}}
)",
      width, loop.first, loop.not_taken, loop.taken, loop.next);
}

Launch launch_of(uint64_t local) {
  std::vector<uint32_t> numbers(16, 37), items(local * 4);
  for (size_t i = 0; i < items.size(); ++i) items[i] = static_cast<uint32_t>(i * 2654435761u);
  Launch l{{items.size(), 1, 1},
           {local, 1, 1},
           {bytes_of(numbers), bytes_of(items), bytes_of(numbers)},
           {kLocalAt, 100}};
  l.local_bytes = static_cast<uint32_t>(kLocalAt + local * 4);
  return l;
}

constexpr Loop kLoops[] = {
    {},
    {.first = "%10: i32 = uniform_load %2"},
    // Other waves may have changed it.
    {.first = "%10: i32 = uniform_load %0", .meets = false},
    {.first = "%33: i64 = group_id dim=0\n  %34: i32 = trunc %33\n  %10: i32 = add %34, 40:i32"},
    // Of the first lane of the wave.
    {.first = "%33: i32 = first_lane %5, %7\n  %34: i32 = and %33, 0:i32\n  %10: i32 = or %34, 9:i32",
     .meets = false},
    {.next = "%33: i32 = lshr %20, 1:i32\n  %30: i32 = sub %33, %21"},
    {.next = "%33: i32 = lshr %20, 2:i32\n  %30: i32 = shl %33, %21", .taken = "1:i32", .not_taken = "1:i32"},
    {.next = "%33: i32 = lshr %20, 1:i32\n  %34: i32 = mul %21, 0:i32\n  %30: i32 = add %33, %34",
     .taken = "1:i32",
     .meets = false},
    {.next = "%30: i32 = lshr %21, 1:i32", .taken = "%20", .not_taken = "%20"},
};

}  // namespace

TEST_CASE("which groups meet, and what they compute") {
  for (const Loop& loop : kLoops)
    for (unsigned width : {8u, 16u, 64u}) {
      const Module m = parse_wave(kernel_of(loop, width));
      const Function& f = *m.functions[0];
      INFO(print(f));
      CHECK(x64::groups_meet(f) == loop.meets);
      for (uint64_t local : {8u, 64u, 100u, 256u}) {
        const Launch launch = launch_of(local);
        const auto want = run_interpreter(f, launch);
        for (bool avx512 : {false, true}) {
          if (avx512 && !cpu_features().avx512) continue;
          const X64Code code = compile(f, avx512);
          CHECK(code.image.groups_meet == loop.meets);
          for (unsigned threads : {1u, 2u}) CHECK(run_machine(code, launch, threads) == want);
          // Groups of a known size are loops over their waves, also if the last one is not full.
          Function sized = f;
          sized.reqd_local = {static_cast<uint32_t>(local), 1, 1};
          const auto whole = compile_x64(sized, {.avx512 = avx512, .layout = {.aligned = true}});
          REQUIRE(whole);
          CHECK(whole->image.whole_groups == loop.meets);
          CHECK(run_machine(*whole, launch) == want);
        }
      }
    }
}

TEST_CASE("what local memory holds is the same for all waves while none of them stores to it") {
  const std::string load = "  %33: i32 = uniform_load %3\n",
                    next =
                        "%34: i32 = and %33, 0:i32\n  %35: i32 = lshr %20, 1:i32\n  %30: i32 = or %34, %35";
  auto with = [&](std::string_view before, const std::string& inst) {
    std::string text = kernel_of({.next = next}, 16);
    text.insert(text.find(before), load);
    if (!inst.empty()) text.insert(text.find("  %25:"), inst);
    return parse_wave(text);
  };
  // Between the two barriers.
  CHECK(x64::groups_meet(*with("  %18:", "").functions[0]));
  // In front of the first one, and behind the last one: the loop begins with a store.
  CHECK_FALSE(x64::groups_meet(*with("  lane_store %5, %9", "").functions[0]));
  CHECK_FALSE(x64::groups_meet(*with("  %34:", "").functions[0]));
  // A store, behind the load, by some waves.
  CHECK_FALSE(x64::groups_meet(*with("  %18:", "  lane_store %23, %9, %18\n").functions[0]));
  CHECK(x64::groups_meet(*with("  %18:", "  lane_store %23, %11, %18\n").functions[0]));  // elsewhere
}

TEST_CASE("groups do not meet where some of their waves come to a barrier") {
  // The barrier is in the branch.
  std::string text = kernel_of({}, 16);
  const std::string barrier = "  lane_barrier %5, flags=1, site=1\n";
  text.erase(text.find(barrier), barrier.size());
  text.insert(text.find("  %25:"), barrier);
  CHECK_FALSE(x64::groups_meet(*parse_wave(text).functions[0]));
  // Behind a loop that waves leave at different times, all waves are at the barrier again.
  text = kernel_of({}, 16);
  text.replace(text.find("br -> b3(0:i32, %26)"), 20, "br_if %24 -> b3(0:i32, %26), b2");
  CHECK(x64::groups_meet(*parse_wave(text).functions[0]));
  // A wave that ends early does not come to the others' barrier.
  text = kernel_of({}, 16);
  text.replace(text.find("b3(0:i32, %18)"), 14, "b4(%18)");
  CHECK_FALSE(x64::groups_meet(*parse_wave(text).functions[0]));
  // No barrier, nothing to meet at.
  CHECK_FALSE(x64::groups_meet(
      *parse_wave("wave func @k(%0: mask hidden) kernel width=8 {\nb0 mask %0:\n  ret\n}\n").functions[0]));
}
