// SPDX-License-Identifier: Apache-2.0
// Cross-lane reads at every width and type, against the wave interpreter.
#include <fmt/format.h>

#include <random>

#include "tests/x64/support.h"

using namespace kc;
using namespace kc::test;

namespace {

// %1 contains a lane number for each work-item, %2 values of the type. Run for work-items with an odd lane
// number, and for all.
std::string text_of(Type type, unsigned width) {
  return fmt::format(
      R"(wave func @s(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: ptr<global>, %4: mask hidden) kernel width={0} {{
b0 mask %4:
  %5: lane<i32> = global_id dim=0
  %6: lane<ptr<global>> = ptr_add %1, %5, scale=4
  %7: lane<i32> = lane_load %4, %6
  %8: lane<ptr<global>> = ptr_add %2, %5, scale={2}
  %9: lane<{1}> = lane_load %4, %8
  %10: lane<{1}> = lane_shuffle %4, %9, %7
  %11: lane<i32> = lane_id
  %12: lane<i32> = and %7, 1:i32
  %13: lane<i1> = eq %12, 1:i32
  %14: mask = mask_cond %4, %13
  %15: lane<ptr<global>> = ptr_add %0, %5, scale={2}
  lane_store %4, %15, %10
  %16: i64 = mask_bits %14
  %17: lane<i64> = splat %16
  %18: lane<ptr<global>> = ptr_add %3, %5, scale=8
  lane_store %4, %18, %17
  %19: i1 = any %14
  br_if %19 -> b1, b2
b1 mask %14:
  %20: lane<i32> = add %11, 1:i32
  %21: lane<{1}> = lane_shuffle %14, %9, %20
  lane_store %14, %15, %21
  br -> b2
b2 mask %4:
  ret
}}
)",
      width, to_string(type), type.bytes());
}

}  // namespace

TEST_CASE("shuffles and the bits of masks agree with the wave interpreter") {
  std::mt19937 random(1);
  for (Type type : {kI8, kI16, kI32, kI64, kF32, kF64})
    for (unsigned width : {8u, 16u, 32u, 64u}) {
      constexpr size_t kItems = 150;
      std::vector<uint32_t> lanes(kItems);
      for (uint32_t& l : lanes) l = random() % 8 ? random() % (width + 4) : static_cast<uint32_t>(random());
      Bytes values(kItems * type.bytes());
      for (uint8_t& b : values) b = static_cast<uint8_t>(random());
      Launch launch{{kItems, 1, 1},
                    {kItems, 1, 1},
                    {Bytes(values.size()), bytes_of(lanes), values, Bytes(8 * kItems)},
                    {}};
      Module m = parse_wave(text_of(type, width));
      auto want = run_interpreter(*m.functions[0], launch);
      for (bool avx512 : {false, true}) {
        if (avx512 && (!cpu_features().avx512 || width < 16)) continue;
        INFO(to_string(type) << " width " << width << " avx512 " << avx512);
        auto got = run_machine(compile(*m.functions[0], avx512), launch);
        CHECK(got[0] == want[0]);
        CHECK(got[3] == want[3]);
      }
    }
}
