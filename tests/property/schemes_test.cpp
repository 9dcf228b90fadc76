// SPDX-License-Identifier: Apache-2.0
// Random kernels with any control flow through each restructuring, alone and as waves.
#include "ir/cfg.h"
#include "passes/lower/lower_traps.h"
#include "passes/pipeline.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

void check_scheme(std::string_view text, uint64_t first, uint64_t count) {
  INFO(text);
  auto scheme = parse_restructure(text);
  REQUIRE(scheme.has_value());
  uint64_t changed = 0;
  for (uint64_t seed = first; seed < first + seeds(count); ++seed) {
    INFO("seed " << seed);
    PassState state{.f = random_function(seed), .restructure = *scheme};
    RunData data = make_data(seed);
    Reference expected = run_reference(*state.f, data);
    const std::string_view threads[] = {"mem2reg", "lower_traps", scheme->pass};
    auto report = run_pipeline(state, threads, {.verify_each = true});
    REQUIRE(report.has_value());
    changed += report->times.back().changed;
    REQUIRE(slots_as_threads(*state.f, expected, data) == "");
    const std::string_view waves[] = {"lower_memory", "lower_private", "expand_ops",
                                      "reconverge",   "lower_to_wave", "mem2reg"};
    state.wave.width = 8u << seed % 4;
    REQUIRE(run_pipeline(state, waves, {.verify_each = true}).has_value());
    REQUIRE(as_waves(*state.f, expected, data, {.strict = true}) == "");
  }
  CHECK(changed > seeds(count) / 4);
}

// Whether the target of every back edge dominates its source.
bool is_reducible(const Function& f) {
  Cfg cfg(f);
  DominatorTree dominators(f, cfg);
  for (BlockId b : cfg.rpo)
    for (const Target& t : f.successors(b))
      if (cfg.number[t.block.index] <= cfg.number[b.index] && !dominators.dominates(t.block, b)) return false;
  return true;
}

}  // namespace

TEST_CASE("loops with one entry do what those with several did") {
  uint64_t changed = 0;
  for (uint64_t seed = 8000; seed < 8000 + seeds(300); ++seed) {
    INFO("seed " << seed);
    PassState state{.f = random_function(seed)};
    RunData data = make_data(seed);
    Reference expected = run_reference(*state.f, data);
    const std::string_view names[] = {"mem2reg", "lower_traps", "fix_irreducible"};
    auto report = run_pipeline(state, names, {.verify_each = true});
    REQUIRE(report.has_value());
    changed += report->times.back().changed;
    CHECK(is_reducible(*state.f));
    REQUIRE(slots_as_threads(*state.f, expected, data) == "");
  }
  CHECK(changed > seeds(300) / 8);
}

TEST_CASE("loops that switch leave at their head as they left elsewhere") {
  for (uint64_t seed = 8000; seed < 8000 + seeds(300); ++seed) {
    INFO("seed " << seed);
    PassState state{.f = random_function(seed)};
    RunData data = make_data(seed);
    Reference expected = run_reference(*state.f, data);
    const std::string_view names[] = {"mem2reg", "lower_traps", "fix_irreducible", "unify_loop_exits"};
    auto report = run_pipeline(state, names, {.verify_each = true});
    REQUIRE(report.has_value());
    CHECK(is_reducible(*state.f));
    REQUIRE(slots_as_threads(*state.f, expected, data) == "");
  }
}

TEST_CASE("restructured random kernels do what they did") {
  check_scheme("structurize", 0, 300);
  check_scheme("structurize:whole,switch=chain", 1000, 150);
  check_scheme("structurize:head,switch=tree", 2000, 150);
  check_scheme("linearize", 3000, 200);
  check_scheme("node-split", 7000, 150);
  check_scheme("reconverge", 8000, 60);
  check_scheme("frontier", 13000, 150);
  check_scheme("reconverge:order=rpot", 9000, 100);
  check_scheme("reconverge:order=df", 10000, 100);
  check_scheme("reconverge:order=dfpd", 11000, 100);
  check_scheme("reconverge:order=bf", 12000, 100);
  check_scheme("linearize:plain", 4000, 60);
  check_scheme("linearize:whole", 5000, 60);
  check_scheme("linearize:merge,o4", 6000, 60);
  check_scheme("linearize:o1,o3", 8000, 60);
  check_scheme("linearize:max-stack=2", 10000, 60);
  check_scheme("linearize:interleave,max-stack=1", 11000, 60);
  check_scheme("linearize:o1,o1b,o2,o3,late", 9000, 60);
}
