// SPDX-License-Identifier: Apache-2.0
// Random kernels with any control flow, through reconvergence and mask lowering, on the strict wave
// interpreter.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/lower_to_wave.h"
#include "passes/reconverge.h"
#include "passes/ssa.h"
#include "sim/wave_interpreter.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using namespace kc::test;

TEST_CASE("random kernels run the same as waves of 8, 16, 32 and 64 lanes") {
  const char* from = std::getenv("KC_SEED");
  const char* count = std::getenv("KC_SEEDS");
  uint64_t first = from ? std::strtoull(from, nullptr, 0) : 1,
           n = count ? std::strtoull(count, nullptr, 0) : 500;
  for (uint64_t seed = first; seed < first + n; ++seed) {
    auto f = random_function(seed, {.traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    ssa(*f);
    reconverge(*f);
    for (uint32_t width : {8u, 16u, 32u, 64u}) {
      auto w = lower_to_wave(*f, {.width = width});
      ssa(*w);
      auto errors = verify(*w);
      INFO("seed " << seed << " width " << width);
      REQUIRE(render(*w, errors) == "");
      std::string difference = check_engine(expected, data, [&](RunData& d) {
        return run_waves(*w, d.launch, d.arguments(), {.memory = d.memory()});
      });
      if (!difference.empty() && std::getenv("KC_PRINT")) WARN(print(*f) + "\n" + print(*w));
      REQUIRE(difference == "");
    }
  }
}
