// SPDX-License-Identifier: Apache-2.0
// The wave interpreter against the thread interpreter, with a lowering that shares nothing with the
// compiler's.
#include "tests/property/naive_waves.h"

#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using namespace kc::test;

namespace {

Engine waves(const Function& f, WaveRunOptions options) {
  return [&f, options](RunData& d) mutable -> RunResult {
    auto arguments = d.arguments();
    auto memory = d.memory();
    options.memory = memory;
    return run_waves(f, d.launch, arguments, options);
  };
}

}  // namespace

TEST_CASE("waves that are lowered naively agree with work-items run alone") {
  const uint32_t widths[] = {8, 16, 32, 64, 5};
  for (uint64_t seed = 0; seed < 150; ++seed) {
    auto f = random_function(seed, {.traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto w = naive_waves(*f, widths[seed % 5]);
    INFO("seed " << seed);
    auto errors = verify(*w);
    if (!errors.empty()) FAIL(render(*w, errors));
    CHECK(check_engine(expected, data, waves(*w, {.max_steps = 5000000, .strict = true})) == "");
    CHECK(check_engine(expected, data, waves(*w, {.max_steps = 5000000, .strict = false, .packed = true})) ==
          "");
    if (seed % 10 == 0) {
      auto again = parse_module(print(*w));
      REQUIRE(again.has_value());
      CHECK(print(*again->functions[0]) == print(*w));
    }
  }
}

TEST_CASE("a lowering that forgets waiting lanes is found out") {
  int stopped = 0, differed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    auto f = random_function(seed, {.traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    auto w = naive_waves(*f, 16, {.merge = false});
    std::string strict = check_engine(expected, data, waves(*w, {.max_steps = 300000, .strict = true}));
    stopped += strict.find("unspecified content") != std::string::npos;
    differed += check_engine(expected, data, waves(*w, {.max_steps = 300000, .strict = false})) != "";
    INFO("seed " << seed << ": " << strict);
    CHECK((strict.empty() || strict.find("unspecified content") != std::string::npos));
  }
  CHECK(stopped > 15);
  CHECK(differed > 15);
}
