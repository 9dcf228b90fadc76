// SPDX-License-Identifier: Apache-2.0
// Random kernels with any control flow, including traps, through reconvergence and mask lowering: lanes must
// behave like single work-items, and unspecified values must have no effect.
// KC_SEED=first KC_SEEDS=count KC_PRINT=1 extend the run, or print one kernel.
#include "passes/lower/lower_to_wave.h"
#include "passes/lower/lower_traps.h"
#include "passes/restructure/reconverge.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

TEST_CASE("random kernels run the same as waves of 1, 8, 16, 32 and 64 lanes") {
  const char* from = std::getenv("KC_SEED");
  uint64_t first = from ? std::strtoull(from, nullptr, 0) : 1, trapped = 0, packed_runs = 0;
  for (uint64_t seed = first; seed < first + seeds(300); ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    trapped += expected.result.trap.has_value();
    lower_traps(*f);
    mem2reg(*f);
    // Packed waves of two dimensions have lanes that differ in y.
    bool packed = data.launch.dims > 1 && seed % 8 == 7;
    packed_runs += packed;
    UniformityOptions uniformity{.lane_y = packed};
    reconverge(*f, uniformity);
    verified(*f);
    for (uint32_t width : {1u, 8u, 16u, 32u, 64u}) {
      INFO("width " << width);
      const UniformityOptions ids = width > 1 ? uniformity : UniformityOptions{.lane_x = false};
      auto w = lower_to_wave(*f, {.width = width, .uniformity = ids});
      mem2reg(*w);
      verified(*w);
      std::string difference = as_waves(*w, expected, data, {.strict = true, .packed = packed});
      if (!difference.empty() && std::getenv("KC_PRINT")) WARN(print(*f) + "\n" + print(*w));
      REQUIRE(difference == "");
      // Arbitrary bits instead of an error: results must not depend on them.
      if (seed % 3 == 0) REQUIRE(as_waves(*w, expected, data, {.strict = false, .packed = packed}) == "");
    }
  }
  if (!from && !thorough()) {
    CHECK(trapped > 10);
    CHECK(packed_runs > 20);
  }
}
