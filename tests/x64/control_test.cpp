// SPDX-License-Identifier: Apache-2.0
// Control flow, masks and memory shapes on hand-written wave functions.
#include <fmt/format.h>

#include "tests/x64/kernels.h"
#include "tests/x64/support.h"

using namespace kc;
using namespace kc::test;

namespace {

int32_t collatz_steps(uint32_t n) {
  int32_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

}  // namespace

TEST_CASE("a divergent loop on lanes") {
  for (unsigned width : {8u, 16u, 32u, 64u}) {
    Module m = parse_wave(collatz(width));
    X64Code code = compile(*m.functions[0]);
    std::vector<int32_t> in(1003), want;
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i + 1);
    for (int32_t n : in) want.push_back(collatz_steps(static_cast<uint32_t>(n)));
    Launch launch{{in.size(), 1, 1}, {17, 1, 1}, {bytes_of(in), Bytes(in.size() * 4)}, {}};
    CHECK(values_of<int32_t>(run_machine(code, launch)[1]) == want);
    CHECK(values_of<int32_t>(run_machine(code, launch, 0)[1]) == want);
    compile(*m.functions[0], true);
  }
}

TEST_CASE("gathers, scatters and bytes touch only the lanes of the mask") {
  for (unsigned width : {8u, 16u, 32u})
    for (bool wide : {false, true})
      for (auto [elem, bytes] : {std::pair{"i8", 1u}, {"i16", 2u}, {"i32", 4u}, {"f32", 4u}, {"i64", 8u}}) {
        Module m = parse_wave(indirect(width, elem, bytes, wide));
        X64Code code = compile(*m.functions[0]);
        size_t n = 77;
        std::vector<uint32_t> index(n);
        for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>((i * 37 + 11) % n);
        Bytes table(n * bytes), out((n * 3 + 2) * bytes, 0x5a);
        for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint8_t>(i * 7 + 3);
        Launch launch{{n, 1, 1}, {n, 1, 1}, {bytes_of(index), table, out}, {}};
        Bytes want = out;
        for (size_t i = 0; i < n; ++i)
          std::memcpy(want.data() + (i * 3 + 1) * bytes, table.data() + index[i] * bytes, bytes);
        INFO(elem << " width " << width << "\n" << code.text);
        CHECK(run_machine(code, launch)[2] == want);
        compile(*m.functions[0], true);
      }
}

TEST_CASE("switches, uniform loops and values from the lowest lane") {
  const char* text = R"(wave func @s(%0: ptr<global>, %1: i32, %2: mask hidden) kernel width=16 {
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<i1> = slt 4:i32, %3
  %5: mask = mask_cond %2, %4
  %6: i1 = any %5
  br_if %6 -> b1, b8
b1 mask %5:
  %7: i32 = first_lane %5, %3
  switch %1, 0:i32, 7:i32 -> b2, b3, b4
b2:
  br -> b5(100:i32)
b3:
  br -> b5(%7)
b4:
  %8: i32 = mul %7, 1000:i32
  br -> b5(%8)
b5(%9: i32) mask %5:
  br -> b6(%9, 0:i32)
b6(%10: i32, %11: i32) mask %5:
  %12: i32 = add %10, 1:i32
  %13: i32 = add %11, 1:i32
  %14: i1 = ult %13, 10:i32
  br_if %14 -> b6(%12, %13), b7
b7 mask %5:
  %15: lane<i32> = add %3, %12
  %16: lane<ptr<global>> = ptr_add %0, %3, scale=4
  lane_store %5, %16, %15
  br -> b8
b8 mask %2:
  ret
}
)";
  Module m = parse_wave(text);
  X64Code code = compile(*m.functions[0]);
  for (auto [which, base] : {std::pair{0u, 0}, {7u, 1}, {5u, 2}}) {
    Launch launch{{23, 1, 1}, {23, 1, 1}, {Bytes(23 * 4)}, {which}};
    std::vector<int32_t> want(23);
    for (int i = 5; i < 23; ++i) {
      int first = i < 16 ? 5 : 16;
      want[static_cast<size_t>(i)] = i + 10 + (base == 0 ? first : base == 1 ? first * 1000 : 100);
    }
    CHECK(values_of<int32_t>(run_machine(code, launch)[0]) == want);
    CHECK(run_interpreter(*m.functions[0], launch)[0] == run_machine(code, launch)[0]);
  }
}

TEST_CASE("what cannot be compiled is named with its place") {
  Module m = parse_wave(R"(wave func @p(%0: ptr<private>, %1: mask hidden) kernel width=8 {
b0 mask %1:
  %2: lane<i32> = lane_id
  %3: lane<ptr<private>> = ptr_add %0, %2
  %4: lane<i64> = lane_load %1, %3 !3:9
  ret
}
)");
  auto reasons = check_x64(*m.functions[0], {});
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0] == "3:9: private memory is accessed in units of 4 bytes, not 8");
}
