// SPDX-License-Identifier: Apache-2.0
// Random kernels, including irreducible ones, through every backend: AVX2 machine code on this processor and
// gfx900 assembly in the strict emulator, each compared with the thread interpreter.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <random>

#include "backends/x64/x64.h"
#include "host/targets.h"
#include "ir/text.h"
#include "passes/pipeline.h"
#include "runtime/cpu/cpu.h"
#include "tests/gcn/support.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

// The sanitizer run uses a fraction of the seeds.
uint64_t scaled(uint64_t usual) {
  const char* scale = std::getenv("KC_RANDOM_SCALE");
  return seeds(scale ? usual / std::strtoull(scale, nullptr, 0) : usual);
}
// Graphs of this size keep the checks of register allocation fast; larger ones are for long runs.
RandomOptions options() {
  const char* blocks = std::getenv("KC_BLOCKS");
  return {.max_blocks = blocks ? static_cast<uint32_t>(std::strtoul(blocks, nullptr, 0)) : 12};
}
uint64_t first_seed() {
  const char* from = std::getenv("KC_SEED");
  return from ? std::strtoull(from, nullptr, 0) : 1;
}

std::unique_ptr<Function> to_wave(const Function& f, WaveOptions wave) {
  PassState state{std::make_unique<Function>(f), wave};
  auto report = run_pipeline(state, default_pipeline(PipelineKind::Wave));
  if (!report) FAIL(report.error().message);
  return std::move(state.f);
}

// Places some of them at the start of arbitrary blocks.
void add_barriers(Function& f, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (uint64_t k = 2 + random() % 6; k-- > 0;) {
    BlockId b = f.layout[random() % f.layout.size()];
    InstId barrier = f.create(Op::barrier, {}, {}, Loc{static_cast<uint32_t>(900 + k), 1});
    f.inst(barrier).attrs[0] = 1;
    f.inst(barrier).attrs[1] = static_cast<int64_t>(f.traps.size());
    f.traps.push_back({TrapKind::DivergentBarrier, "", f.inst(barrier).loc});
    f.insert(b, 0, barrier);
  }
  verified(f);
}

RunResult error(std::string message) { return {.status = RunStatus::Error, .message = std::move(message)}; }

// Packs waves if the kernel was compiled for it.
LaneLayout layout_of(const RunData& data, bool packed) {
  return packed ? packed_layout(data.launch.local) : LaneLayout{};
}

RunResult run_x64(const Function& wave, RunData& data, bool avx512, bool packed = false) {
  auto code = compile_x64(wave, {.avx512 = avx512, .layout = layout_of(data, packed)});
  if (!code) return error(code.error().message);
  auto kernel = CpuKernel::load(code->image);
  if (!kernel) return error(kernel.error());
  const LaunchSpec& s = data.launch;
  return with_trap_slots(wave, data, [&](auto arguments, auto) {
    auto ran = kernel->run(
        {.dims = s.dims, .global = s.global, .local = s.local, .offset = s.offset, .threads = 1}, arguments);
    if (!ran) return error(ran.error());
    RunResult result;
    if (auto& late = ran->divergent_barrier) {
      result.status = RunStatus::Trapped;
      result.trap = TrapReport{wave.traps[late->site], 0, late->global_id, late->count};
    }
    return result;
  });
}

RunResult run_gfx900(const Function& wave, RunData& data) {
  return with_trap_slots(wave, data, [&](auto arguments, auto memory) {
    GcnResult r = test::run_gfx900(wave, data.launch, arguments, memory);
    return r.status == GcnResult::Ok ? RunResult{} : error(r.message);
  });
}

}  // namespace

TEST_CASE("random kernels run the same as AVX2 machine code") {
  if (!cpu_features().avx2) {
    WARN("skipped: this processor has no AVX2");
    return;
  }
  uint64_t first = first_seed(), n = scaled(500);
  for (uint64_t seed = first; seed < first + n; ++seed) {
    auto f = random_function(seed, options());
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto wave = to_wave(*f, {.width = seed % 3 == 0 ? 8u : seed % 3 == 1 ? 16u : 32u});
    INFO("seed " << seed);
    REQUIRE(check_x64(*wave, {}).empty());
    REQUIRE(check_engine(expected, data, [&](RunData& d) { return run_x64(*wave, d, false); }) == "");
  }
}

TEST_CASE("random kernels run the same in waves of one lane") {
  if (!cpu_features().avx2) {
    WARN("skipped: this processor has no AVX2");
    return;
  }
  for (uint64_t seed = first_seed(); seed < first_seed() + scaled(1200); ++seed) {
    auto f = random_function(seed, options());
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto wave = to_wave(*f, {.width = 1, .uniformity = {.lane_x = false}});
    INFO("seed " << seed);
    REQUIRE(check_x64(*wave, {}).empty());
    for (bool avx512 : {false, true})
      if (!avx512 || cpu_features().avx512)
        REQUIRE(check_engine(expected, data, [&](RunData& d) { return run_x64(*wave, d, avx512); }) == "");
  }
}

TEST_CASE("random kernels run the same in packed waves") {
  if (!cpu_features().avx2) {
    WARN("skipped: this processor has no AVX2");
    return;
  }
  uint64_t first = first_seed(), n = scaled(1200), ran = 0;
  for (uint64_t seed = first; seed < first + n; ++seed) {
    RunData data = make_data(seed);
    if (data.launch.items() == data.launch.global[0]) continue;
    auto f = random_function(seed, options());
    Reference expected = run_reference(*f, data);
    LaneLayout layout = packed_layout(data.launch.local);
    auto wave = to_wave(*f, {.width = seed % 3 == 0   ? 8u
                                      : seed % 3 == 1 ? 16u
                                                      : 32u,
                             .uniformity = {.lane_y = layout.varies[1], .lane_z = layout.varies[2]}});
    INFO("seed " << seed);
    ++ran;
    for (bool avx512 : {false, true})
      if (!avx512 || cpu_features().avx512)
        REQUIRE(check_engine(expected, data, [&](RunData& d) { return run_x64(*wave, d, avx512, true); }) ==
                "");
  }
  if (!thorough()) CHECK(ran * 10 > n);
}

// The wave interpreter runs the same waves in the same order, so even barriers in divergent control flow
// behave identically: the same work-items are reported, and the effects of the others are equal.
TEST_CASE("barriers anywhere do the same in machine code and in the wave interpreter") {
  if (!cpu_features().avx2) {
    WARN("skipped: this processor has no AVX2");
    return;
  }
  uint64_t first = first_seed(), n = scaled(300), divergent = 0, met = 0;
  for (uint64_t seed = first; seed < first + n; ++seed) {
    auto f = random_function(seed, options());
    add_barriers(*f, seed);
    RunData data = make_data(seed);
    bool packed = data.launch.local[1] > 1;
    auto wave = to_wave(*f, {.width = seed % 2 ? 8u : 16u, .uniformity = {.lane_y = packed}});
    INFO("seed " << seed);
    REQUIRE(check_x64(*wave, {}).empty());
    Reference expected{data, {}};
    expected.result = with_trap_slots(*wave, expected.after, [&](auto arguments, auto memory) -> RunResult {
      return run_waves(*wave, data.launch, arguments,
                       {.memory = memory, .max_steps = kMaxSteps, .packed = packed});
    });
    bool trapped = expected.result.trap && expected.result.trap->site.kind == TrapKind::DivergentBarrier;
    ++(trapped ? divergent : met);
    for (bool avx512 : {false, true})
      if (!avx512 || cpu_features().avx512)
        REQUIRE(check_engine(expected, data, [&](RunData& d) { return run_x64(*wave, d, avx512, packed); }) ==
                "");
  }
  CHECK(divergent * 10 > n);
  CHECK(met * 10 > n);
}

TEST_CASE("random kernels run the same as gfx900 code in the strict emulator") {
  uint64_t first = first_seed(), n = scaled(500);
  for (uint64_t seed = first; seed < first + n; ++seed) {
    auto f = random_function(seed, options());
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    const auto& local = data.launch.local;
    const TargetDesc& target = *find_target("gfx900");
    auto wave = to_wave(*f, target.wave_options({.width = target.wave_lanes, .ids = target.ids(local)}));
    INFO("seed " << seed);
    REQUIRE(check_gcn(*wave).empty());
    REQUIRE(check_engine(expected, data, [&](RunData& d) { return run_gfx900(*wave, d); }) == "");
  }
}

TEST_CASE("a constant on an edge holds in lanes that were off where the edge leaves") {
  auto module = parse_module(R"(wave func @k(%0: ptr<global> out of i32, %1: mask hidden) kernel width=64 {
b0 mask %1:
  %2: lane<i32> = lane_id
  %3: lane<i1> = slt %2, 32:i32
  %4: mask = mask_cond %1, %3
  br -> b1
b1 mask %4:
  %5: lane<i32> = add %2, 100:i32
  %6: lane<i32> = blend %4, %5, 7:lane<i32>
  br -> b2(5:lane<i32>, %6)
b2(%7: lane<i32>, %8: lane<i32>) mask %1:
  %9: lane<i32> = add %7, %8
  %10: lane<ptr<global>> = ptr_add %0, %2, scale=4
  lane_store %1, %10, %9
  ret
}
)");
  REQUIRE(module);
  const Function& wave = *module->functions[0];
  RunData data;
  data.launch = {.dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1}, .offset = {}};
  data.buffers.push_back({.name = "out", .bytes = 256, .storage = std::vector<uint64_t>(32)});
  data.args.push_back({.buffer = 0});
  auto check = [&](RunResult (*run)(const Function&, RunData&)) {
    RunData d = data;
    RunResult r = run(wave, d);
    REQUIRE(r.message == "");
    for (uint32_t lane = 0; lane < 64; ++lane) {
      uint32_t value = 0;
      std::memcpy(&value, reinterpret_cast<const char*>(d.buffers[0].storage.data()) + 4 * lane, 4);
      CHECK(value == (lane < 32 ? lane + 105 : 12));
    }
  };
  check(&run_gfx900);
  if (cpu_features().avx2) check([](const Function& wave, RunData& d) { return run_x64(wave, d, false); });
}
