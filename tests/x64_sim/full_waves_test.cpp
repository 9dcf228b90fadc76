// SPDX-License-Identifier: Apache-2.0
// Groups of a known size that is a multiple of the wave width: accesses use no masks and stay within the
// buffers.
#include <fmt/format.h>

#include "tests/x64_sim/emulated.h"

using namespace kc;
using namespace kc::test;

namespace {

// The last work-item reads word 125 of %0, and some write up to the same offset in %1.
std::string text_of(unsigned width) {
  return fmt::format(
      R"(wave func @full(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: mask hidden) kernel width={} local=64x1x1 {{
b0 mask %3:
  %4: lane<i32> = local_id dim=0
  %5: lane<i32> = and %4, 1:i32
  %6: lane<i32> = shl %4, 1:i32
  %7: lane<i32> = sub %6, %5
  %8: lane<ptr<global>> = ptr_add %0, %7, scale=4
  %9: lane<i32> = lane_load %3, %8
  %10: lane<ptr<global>> = ptr_add %0, %4, scale=4
  %11: lane<i32> = lane_load %3, %10
  %12: lane<i1> = ult %11, %9
  %13: mask = mask_cond %3, %12
  %14: lane<ptr<global>> = ptr_add %1, %7, scale=4
  lane_store %13, %14, %11
  %15: lane<ptr<global>> = ptr_add %2, %4, scale=4
  lane_store %3, %15, %9
  ret
}}
)",
      width);
}

}  // namespace

TEST_CASE("waves that are full, emulated") {
  if (!have_emulator()) return;
  std::vector<uint32_t> in(126);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  Launch launch{{64, 1, 1}, {64, 1, 1}, {bytes_of(in), Bytes(126 * 4, 0x5a), Bytes(64 * 4)}, {}};
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (bool avx512 : {false, true}) {
      Module m = parse_wave(text_of(width));
      const Function& f = *m.functions[0];
      auto code = compile_x64(f, {.avx512 = avx512, .layout = {.aligned = true}, .assembly = true});
      REQUIRE(code);
      INFO(code->text);
      // The launch mask is never read.
      CHECK(code->text.find(fmt::format("[rdi + {}]", offsetof(CpuWaveContext, mask))) == std::string::npos);
      std::vector<X64Code> codes{*code};
      CHECK(run_emulator(load(codes)[0], codes[0], launch) == run_interpreter(f, launch));
      // If waves may be partial, it is.
      auto cut = compile_x64(f, {.avx512 = avx512, .assembly = true});
      REQUIRE(cut);
      CHECK(cut->text.find(fmt::format("[rdi + {}]", offsetof(CpuWaveContext, mask))) != std::string::npos);
    }
}

// The emulator refuses such a store where it is not aligned: %1 begins 4 bytes after a multiple of 64.
TEST_CASE("full waves store past the caches where vectors are aligned") {
  if (!have_emulator()) return;
  std::vector<uint32_t> in(130);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  Launch launch{
      {128, 1, 1}, {64, 1, 1}, {bytes_of(in), Bytes(129 * 4, 0x5a), Bytes(128 * 4), Bytes(128)}, {}};
  for (unsigned width : {16u, 32u})
    for (bool avx512 : {false, true}) {
      Module m = parse_wave(fmt::format(
          R"(wave func @stream(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: ptr<global>, %4: mask hidden) kernel width={} local=64x1x1 {{
b0 mask %4:
  %5: lane<i32> = global_id dim=0
  %6: lane<ptr<global>> = ptr_add %0, %5, scale=4
  %7: lane<i32> = lane_load %4, %6
  %8: lane<ptr<global>> = ptr_add %1, %5, scale=4, offset=4
  lane_store %4, %8, %7
  %9: lane<ptr<global>> = ptr_add %2, %5, scale=4
  lane_store %4, %9, %7
  %10: lane<i8> = trunc %7
  %11: lane<i8> = add %10, 7:i8
  %12: lane<ptr<global>> = ptr_add %3, %5
  lane_store %4, %12, %11
  ret
}}
)",
          width));
      const Function& f = *m.functions[0];
      auto code =
          compile_x64(f, {.avx512 = avx512, .layout = {.aligned = true}, .streams = true, .assembly = true});
      REQUIRE(code);
      INFO(code->text);
      CHECK(code->text.find("vmovntps") != std::string::npos);
      std::vector<X64Code> codes{*code};
      CHECK(run_emulator(load(codes)[0], codes[0], launch) == run_interpreter(f, launch));
    }
}

TEST_CASE("waves inside of borders load neighbours in one access") {
  Module m = parse_wave(
      R"(wave func @clamped(%0: ptr<global>, %1: ptr<global>, %2: i32, %3: mask hidden) kernel width=8 {
b0 mask %3:
  %4: lane<i32> = global_id dim=0
  %5: lane<i32> = add %4, -1:i32
  %6: lane<i32> = smax %5, 0:i32
  %7: lane<ptr<global>> = ptr_add %0, %6, scale=4
  %8: lane<i32> = lane_load %3, %7
  %9: lane<i32> = add %4, 1:i32
  %10: lane<i32> = smin %9, %2
  %11: lane<ptr<global>> = ptr_add %0, %10, scale=4
  %12: lane<i32> = lane_load %3, %11
  %13: lane<i32> = sub %12, %8
  %14: lane<ptr<global>> = ptr_add %1, %4, scale=4
  lane_store %3, %14, %13
  ret
}
)");
  auto code =
      compile_x64(*m.functions[0], {.small_buffers = true, .layout = {.aligned = true}, .assembly = true});
  REQUIRE(code);
  INFO(code->text);
  // The copy for these waves comes first: its store is before the first of the other copies' gathers.
  const size_t store = code->text.find("vmovups ymmword ptr [r"), gather = code->text.find("vpgatherdd");
  REQUIRE(store != std::string::npos);
  REQUIRE(gather != std::string::npos);
  CHECK(store < gather);
  CHECK(code->text.find("vmaskmovps") > store);
}
