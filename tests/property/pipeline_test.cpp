// SPDX-License-Identifier: Apache-2.0
// Random kernels through the passes: each pass must preserve the results of the work-items.
#include "passes/pipeline.h"
#include "frontend/frontend.h"
#include "fuzz/random_program.h"
#include "ir/text.h"
#include "passes/lower/lower_traps.h"
#include "passes/restructure/reconverge.h"
#include "passes/transform/dce.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/naive_waves.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

TEST_CASE("SSA construction keeps what random kernels do") {
  for (uint64_t seed = 0; seed < seeds(500); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    mem2reg(*f);
    verified(*f);
    CHECK(as_threads(*f, expected, data) == "");
  }
}

TEST_CASE("passes that settle find no more than dead code in a second run") {
  uint64_t settled = 0;
  for (uint64_t seed = 0; seed < seeds(40); ++seed) {
    INFO("seed " << seed);
    FrontendResult compiled = compile_source(fuzz::random_program(seed).source, {});
    REQUIRE(compiled.module);
    PassState state;
    state.f = std::make_unique<Function>(*compiled.module->functions.front());
    const std::vector<std::string_view> names = default_pipeline(PipelineKind::Wave);
    for (size_t i = 0; i < names.size(); ++i) {
      const PassRow* row = find_pass(names[i]);
      run_pass(*row, state);
      if (!row->settles) continue;
      INFO("pass " << i << ", " << row->name);
      Function once = *state.f;
      run_pass(*row, state);
      Function twice = *state.f;
      dce(once), dce(twice);
      CHECK(print(once) == print(twice));
      ++settled;
    }
  }
  CHECK(settled > 0);
}

TEST_CASE("SSA construction of waves keeps masks and lanes specified") {
  const uint32_t widths[] = {8, 16, 32, 64};
  for (uint64_t seed = 0; seed < seeds(100); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed, {.max_blocks = 24, .traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto w = naive_waves(*f, widths[seed % 4]);
    mem2reg(*w);
    verified(*w);
    CHECK(as_waves(*w, expected, data) == "");
  }
}

TEST_CASE("reconvergence keeps what random kernels do") {
  uint64_t changed = 0;
  for (uint64_t seed = 0; seed < seeds(400); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    lower_traps(*f);
    mem2reg(*f);
    verified(*f);
    CHECK(slots_as_threads(*f, expected, data) == "");
    // Packed waves of two dimensions have lanes that differ in y.
    bool packed = data.launch.dims > 1 && seed % 8 == 7;
    UniformityOptions uniformity{.lane_y = packed};
    changed += reconverge(*f, uniformity);
    verified(*f);
    CHECK(check_reconverging(*f, analyse_uniformity(*f, uniformity)) == std::vector<std::string>{});
    CHECK(slots_as_threads(*f, expected, data) == "");
  }
  CHECK(changed > seeds(400) / 2);
}
