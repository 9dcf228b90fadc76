// SPDX-License-Identifier: Apache-2.0
// The passes on random functions: what pass_table() calls walked is proved.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "passes/pipeline.h"
#include "proof/product_walk.h"
#include "tests/proof/schemes.h"
#include "tests/property/random_cfg.h"
#include "tests/property/running.h"

using namespace kc;

TEST_CASE("walked passes are proved on random functions", "[walk]") {
  const char* given = std::getenv("KC_SEEDS");
  const uint64_t seeds = given ? std::strtoull(given, nullptr, 10) : 40;
  size_t proofs = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    const auto check = [&](std::string_view pass, const Function& before, const Function& after) {
      if (!find_pass(pass)->walked) return;
      INFO(pass);
      ++proofs;
      const proof::WalkResult r = proof::walk(before, after);
      INFO(proof::describe(r));
      CHECK(r.verdict == proof::Verdict::Proved);
      if (r.verdict == proof::Verdict::Proved) return;
      // Whether the pass is wrong, or the walk does not see why it is right.
      const test::RunData data = test::make_data(seed);
      CHECK(test::slots_as_threads(after, test::run_reference(*test::random_function(seed), data), data)
                .empty());
    };
    PassState state{test::random_function(seed)};
    REQUIRE(run_pipeline(state, default_pipeline(PipelineKind::ThreadLower), {.compare = check}).has_value());
    for (const std::string_view scheme : test::proved_schemes())
      check(parse_restructure(scheme)->pass, *state.f, *test::restructured(*state.f, scheme));
    REQUIRE(run_pipeline(state, default_pipeline(PipelineKind::SpirvLower), {.compare = check}).has_value());
  }
  CHECK(proofs >= 21 * seeds);
}
