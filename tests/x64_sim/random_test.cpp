// SPDX-License-Identifier: Apache-2.0
// Random kernels with any control flow, lowered to waves and compiled, in the emulator against the thread
// interpreter. KC_SEED=first KC_SEEDS=count extend the run.
#include <cstdlib>

#include "passes/lower/lower_to_wave.h"
#include "passes/lower/lower_traps.h"
#include "passes/restructure/reconverge.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/running.h"
#include "tests/x64_sim/emulated.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string emulated(const X64Program& program, const Function& wave, const Reference& expected,
                     const RunData& data) {
  return check_engine(expected, data, [&](RunData& d) {
    return with_trap_slots(wave, d, [&](auto arguments, auto memory) -> RunResult {
      RunResult result;
      X64Result r = run_grid(program, wave.width, d.launch, arguments, memory);
      if (!r.ok()) FAIL(r.message << "\n" << print(wave));
      return result;
    });
  });
}

}  // namespace

TEST_CASE("random kernels agree with the thread interpreter on AVX2 and AVX-512") {
  if (!have_emulator()) return;
  const char* from = std::getenv("KC_SEED");
  uint64_t first = from ? std::strtoull(from, nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + seeds(10); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    lower_traps(*f);
    mem2reg(*f);
    reconverge(*f);
    std::vector<std::unique_ptr<Function>> waves;
    std::vector<X64Code> codes;
    for (auto [width, avx512] : {std::pair{8u, false}, {8u, true}, {16u, true}, {32u, true}}) {
      waves.push_back(lower_to_wave(*f, {.width = width}));
      mem2reg(*waves.back());
      codes.push_back(compile(*waves.back(), avx512));
    }
    std::vector<X64Program> programs = load(codes);
    for (size_t i = 0; i < programs.size(); ++i) {
      INFO("variant " << i);
      std::string difference = emulated(programs[i], *waves[i], expected, data);
      if (!difference.empty() && std::getenv("KC_PRINT")) WARN(print(*waves[i]) << codes[i].text);
      REQUIRE(difference == "");
    }
  }
}
