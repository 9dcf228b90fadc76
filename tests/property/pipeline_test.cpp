// SPDX-License-Identifier: Apache-2.0
// Random kernels through the passes: after each one the work-items must still do what they did before.
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/reconverge.h"
#include "passes/ssa.h"
#include "sim/thread_interpreter.h"
#include "sim/wave_interpreter.h"
#include "tests/property/naive_waves.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr uint64_t kMaxSteps = 20'000'000;

void verified(const Function& f) {
  auto errors = verify(f);
  if (!errors.empty()) FAIL(render(f, errors) + print(f));
}

std::string as_threads(const Function& f, const Reference& expected, const RunData& data) {
  return check_engine(expected, data, [&](RunData& d) {
    auto arguments = d.arguments();
    auto memory = d.memory();
    return run_threads(f, d.launch, arguments, {.memory = memory, .max_steps = kMaxSteps});
  });
}

std::string as_waves(const Function& f, const Reference& expected, const RunData& data) {
  return check_engine(expected, data, [&](RunData& d) -> RunResult {
    auto arguments = d.arguments();
    auto memory = d.memory();
    return run_waves(f, d.launch, arguments, {.memory = memory, .max_steps = kMaxSteps});
  });
}

}  // namespace

TEST_CASE("SSA construction keeps what random kernels do") {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    ssa(*f);
    verified(*f);
    CHECK(as_threads(*f, expected, data) == "");
  }
}

TEST_CASE("SSA construction of waves keeps masks and lanes specified") {
  const uint32_t widths[] = {8, 16, 32, 64};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed, {.max_blocks = 24, .traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto w = naive_waves(*f, widths[seed % 4]);
    ssa(*w);
    verified(*w);
    CHECK(as_waves(*w, expected, data) == "");
  }
}

TEST_CASE("reconvergence keeps what random kernels do") {
  uint64_t changed = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    auto f = random_function(seed, {.traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    ssa(*f);
    changed += reconverge(*f);
    verified(*f);
    CHECK(check_reconverging(*f, analyse_uniformity(*f)) == std::vector<std::string>{});
    CHECK(as_threads(*f, expected, data) == "");
  }
  CHECK(changed > 150);
}
