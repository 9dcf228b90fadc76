// SPDX-License-Identifier: Apache-2.0
// Atomic operations and barriers: every atomic row at every type, in both memories, at equal and at different
// addresses, with and without the old value; groups of several waves; divergent barriers.
#include <fmt/format.h>

#include "tests/x64/kernels.h"
#include "tests/x64/sync_kernels.h"

using namespace kc;
using namespace kc::test;

namespace {

std::vector<bool> instruction_sets() {
  std::vector<bool> all{false};
  if (cpu_features().avx512) all.push_back(true);
  return all;
}

// %1 contains a number for each work-item: 0 passes both barriers, 1 leaves before the first, 2 skips the
// first, 3 skips the second.
std::string choosy(unsigned width) {
  return fmt::format(R"(wave func @c(%0: ptr<global>, %1: ptr<global>, %2: mask hidden) kernel width={} {{
  site 0: barrier "" !3:1
  site 1: barrier "" !5:1
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<ptr<global>> = ptr_add %1, %3, scale=4
  %5: lane<i32> = lane_load %2, %4
  %6: lane<i1> = ne %5, 1:i32
  %7: mask = mask_cond %2, %6
  %8: lane<i1> = ne %5, 2:i32
  %9: mask = mask_cond %7, %8
  %10: i1 = any %9
  br_if %10 -> b1, b2
b1 mask %9:
  lane_barrier %9, flags=1, site=0
  br -> b2
b2 mask %7:
  %11: lane<ptr<global>> = ptr_add %0, %3, scale=4
  lane_store %7, %11, 7:lane<i32>
  %12: lane<i1> = ne %5, 3:i32
  %13: mask = mask_cond %7, %12
  %14: i1 = any %13
  br_if %14 -> b3, b4
b3 mask %13:
  lane_barrier %13, flags=1, site=1
  lane_store %13, %11, 8:lane<i32>
  br -> b4
b4 mask %2:
  ret
}}
)",
                     width);
}

// Compares buffers and trap.
size_t check_choosy(const std::vector<int32_t>& choices, uint64_t local, unsigned width, unsigned threads) {
  size_t traps = 0;
  Module m = parse_wave(choosy(width));
  const Function& f = *m.functions[0];
  for (bool avx512 : instruction_sets()) {
    std::vector<int32_t> want(choices.size()), got(choices.size());
    auto arguments = [&](std::vector<int32_t>& out) {
      return std::vector<uint64_t>{reinterpret_cast<uint64_t>(out.data()),
                                   reinterpret_cast<uint64_t>(choices.data())};
    };
    const MemoryRange memory[] = {{reinterpret_cast<uint64_t>(want.data()), want.size() * 4},
                                  {reinterpret_cast<uint64_t>(choices.data()), choices.size() * 4}};
    LaunchSpec spec;
    spec.global = {choices.size(), 1, 1}, spec.local = {local, 1, 1};
    WaveRunOptions options;
    options.memory = memory;
    WaveRunResult reference = run_waves(f, spec, arguments(want), options);
    auto kernel = CpuKernel::load(compile(f, avx512).image);
    REQUIRE(kernel);
    CpuLaunch launch;
    launch.global = spec.global, launch.local = spec.local, launch.threads = threads;
    auto ran = kernel->run(launch, arguments(got));
    REQUIRE(ran);
    INFO("width " << width << " local " << local << " threads " << threads);
    CHECK(got == want);
    REQUIRE(ran->divergent_barrier.has_value() == reference.trap.has_value());
    if (!reference.trap) continue;
    ++traps;
    CHECK(f.traps[ran->divergent_barrier->site] == reference.trap->site);
    CHECK(ran->divergent_barrier->global_id == reference.trap->global_id);
    CHECK(ran->divergent_barrier->count == reference.trap->count);
  }
  return traps;
}

}  // namespace

TEST_CASE("atomic operations agree with the wave interpreter") {
  std::vector<AtomicCase> all = atomic_cases();
  REQUIRE(all.size() == 11 * 2 * 16);
  for (const AtomicCase& c : all)
    for (unsigned width : {8u, 16u, 32u}) {
      Module m = parse_wave(atomic_kernel(c, width));
      Launch launch = atomic_launch(c);
      std::vector<Bytes> want = run_interpreter(*m.functions[0], launch);
      for (bool avx512 : instruction_sets()) {
        X64Code code = compile(*m.functions[0], avx512);
        INFO(describe(c) << " width " << width << "\n" << code.text);
        REQUIRE(run_machine(code, launch) == want);
      }
    }
}

TEST_CASE("atomic operations of several threads lose nothing") {
  // Operations whose result does not depend on the order.
  for (Op op : {Op::lane_atomic_add, Op::lane_atomic_sub, Op::lane_atomic_xor, Op::lane_atomic_smax,
                Op::lane_atomic_umin, Op::lane_atomic_and})
    for (Elem elem : {Elem::I32, Elem::I64})
      for (bool shared : {false, true}) {
        AtomicCase c{op, elem, false, shared, false, false};
        Module m = parse_wave(atomic_kernel(c, 16));
        Launch launch = atomic_launch(c);
        std::vector<Bytes> want = run_interpreter(*m.functions[0], launch);
        X64Code code = compile(*m.functions[0]);
        for (unsigned threads : {1u, 2u}) CHECK(run_machine(code, launch, threads) == want);
      }
}

TEST_CASE("what adds up at one address is one instruction") {
  AtomicCase c{Op::lane_atomic_add, Elem::I32, false, true, true, false};
  Module m = parse_wave(atomic_kernel(c, 16));
  auto count = [](const std::string& text, const char* part) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  CHECK(count(compile(*m.functions[0]).text, "lock add") == 1);
  c.keep = true;
  m = parse_wave(atomic_kernel(c, 16));
  CHECK(count(compile(*m.functions[0]).text, "lock xadd") == 1);
  c.shared = false;
  m = parse_wave(atomic_kernel(c, 16));
  CHECK(count(compile(*m.functions[0]).text, "lock xadd") == 16);
  c.local = true;
  m = parse_wave(atomic_kernel(c, 16));
  CHECK(count(compile(*m.functions[0]).text, "lock") == 0);
}

TEST_CASE("waves of a group wait for one another") {
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (uint64_t local : {1u, 7u, 8u, 9u, 64u, 100u, 200u}) {
      Module m = parse_wave(rotate_kernel(width));
      Launch launch = rotate_launch(local);
      std::vector<Bytes> want = run_interpreter(*m.functions[0], launch);
      for (bool avx512 : instruction_sets()) {
        X64Code code = compile(*m.functions[0], avx512);
        CHECK(code.image.has_barriers);
        for (unsigned threads : {1u, 2u}) CHECK(run_machine(code, launch, threads) == want);
      }
    }
}

TEST_CASE("work-items that do not meet are reported as the wave interpreter does") {
  std::vector<std::vector<int32_t>> choices(12, std::vector<int32_t>(96));
  choices[1].assign(96, 1);
  choices[2].assign(96, 2);
  choices[3].assign(96, 3);
  choices[4][5] = 1;
  choices[5][5] = 2;
  choices[6][37] = 3;
  choices[7][40] = choices[7][41] = 2, choices[7][90] = 1;
  for (size_t i = 32; i < 64; ++i) choices[8][i] = 2;
  for (size_t i = 0; i < 96; ++i) choices[9][i] = i % 2 ? 1 : 0, choices[10][i] = static_cast<int32_t>(i % 4);
  for (size_t i = 0; i < 96; ++i) choices[11][i] = i < 48 ? 1 : 2;
  size_t traps = 0;
  for (const auto& c : choices)
    for (uint64_t local : {8u, 32u, 48u, 96u})
      for (unsigned width : {8u, 16u, 64u})
        for (unsigned threads : {1u, 2u}) traps += check_choosy(c, local, width, threads);
  CHECK(traps > 50 * instruction_sets().size());
}

TEST_CASE("a divergent barrier with literal results") {
  // Item 37 skips the second barrier; its group is 32 to 63, and it has ended when the others arrive.
  std::vector<int32_t> choices(96);
  choices[37] = 3;
  CHECK(check_choosy(choices, 32, 16, 1) == 0);
  // It skips the first barrier: the others are there while it is alone at the second.
  choices[37] = 2;
  auto kernel = CpuKernel::load(compile(*parse_wave(choosy(16)).functions[0]).image);
  REQUIRE(kernel);
  std::vector<int32_t> out(96);
  CpuLaunch launch;
  launch.global = {96, 1, 1}, launch.local = {32, 1, 1}, launch.threads = 1;
  const uint64_t args[] = {reinterpret_cast<uint64_t>(out.data()),
                           reinterpret_cast<uint64_t>(choices.data())};
  auto ran = kernel->run(launch, args);
  REQUIRE(ran);
  REQUIRE(ran->divergent_barrier);
  CHECK(ran->divergent_barrier->global_id == std::array<uint64_t, 3>{32, 0, 0});
  CHECK(ran->divergent_barrier->site == 0);
  // 37 is at the second barrier with all others of the group, who were all at the first one.
  CHECK(ran->divergent_barrier->count == 32);
  // The other groups completed.
  for (size_t i = 0; i < 96; ++i) CHECK(out[i] == (i / 32 == 1 ? 7 : 8));
}

TEST_CASE("a launch leaves nothing behind for the next one") {
  Module m = parse_wave(rotate_kernel(16));
  auto kernel = CpuKernel::load(compile(*m.functions[0]).image);
  REQUIRE(kernel);
  for (uint64_t local : {200u, 9u, 64u, 300u}) {
    Launch launch = rotate_launch(local);
    std::vector<Bytes> buffers = launch.buffers;
    CpuLaunch l;
    l.global = launch.global, l.local = launch.local, l.local_bytes = launch.local_bytes, l.threads = 1;
    REQUIRE(kernel->run(l, arguments(buffers, launch)));
    CHECK(buffers == run_interpreter(*m.functions[0], launch));
  }
}
