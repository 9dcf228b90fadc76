// SPDX-License-Identifier: Apache-2.0
// Random functions in the thread and wave dialects are the same after JSON. tests/run/json_stages_test.cpp
// does this with whole programs, in machine dialects, too.
#include <catch2/catch.hpp>

#include "ir/json/json.h"
#include "ir/text.h"
#include "passes/pipeline.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

void check_json(const Function& f) {
  auto m = read_json(write_json(f));
  if (!m) FAIL(render_json_error(m.error(), f.name));
  REQUIRE(print(*m) == print(f));
}

}  // namespace

TEST_CASE("random functions are the same after JSON, at every stage") {
  for (uint64_t seed = 1; seed <= seeds(300); ++seed) {
    INFO("seed " << seed);
    PassState state{random_function(seed, {})};
    state.wave.width = 16;
    check_json(*state.f);
    for (PipelineKind kind : {PipelineKind::ThreadLower, PipelineKind::WaveLower}) {
      auto report = run_pipeline(state, default_pipeline(kind));
      REQUIRE(report);
      check_json(*state.f);
    }
    REQUIRE(state.f->dialect == Dialect::Wave);
  }
}
