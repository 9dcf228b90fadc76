// SPDX-License-Identifier: Apache-2.0
// Every pass preserves the results of random kernels, alone and in pipeline order.
#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/rotate.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using namespace kc::test;

namespace {

// Runs the function on the data. If its traps are lowered, it gets trap slots, which are read like the host
// does.
RunResult run_lowered(const Function& f, RunData& data) {
  auto arguments = data.arguments();
  auto memory = data.memory();
  std::vector<TrapSlot> slots;
  if (std::ranges::any_of(f.params, [](const ParamInfo& p) { return p.name == "traps"; })) {
    slots.resize(data.launch.items());
    arguments.push_back(reinterpret_cast<uint64_t>(slots.data()));
    memory.push_back({arguments.back(), slots.size() * sizeof(TrapSlot)});
  }
  RunResult result;
  if (f.dialect == Dialect::Wave)
    result = run_waves(f, data.launch, arguments, {.memory = memory});
  else
    result = run_threads(f, data.launch, arguments, {.memory = memory});
  if (auto trap = find_trap(slots, data.launch, f.traps); trap && result.ok()) {
    result.trap = trap;
    result.status = RunStatus::Trapped;
  }
  return result;
}

struct Totals {
  uint64_t before = 0, after = 0;  // instructions executed
  uint64_t changed = 0;            // functions that the last pass changed
};

void check_pipeline(std::span<const std::string_view> names, uint64_t seed, Totals& totals) {
  PassState state{.f = random_function(seed)};
  RunData data = make_data(seed);
  Reference expected = run_reference(*state.f, data);
  auto report = run_pipeline(state, names, {.verify_each = true});
  REQUIRE(report.has_value());
  totals.changed += report->times.back().changed;
  std::string difference = check_engine(expected, data, [&](RunData& d) {
    RunResult result = run_lowered(*state.f, d);
    totals.before += expected.result.steps, totals.after += result.steps;
    return result;
  });
  INFO("seed " << seed);
  if (!difference.empty()) FAIL(difference << "\n" << random_text(seed) << "\n" << print(*state.f));
}

}  // namespace

TEST_CASE("each pass keeps results") {
  const std::vector<std::vector<std::string_view>> pipelines{
      {"mem2reg"},
      {"instcombine"},
      {"simplify_cfg"},
      {"dce"},
      {"lower_traps"},
      {"mem2reg", "instcombine"},
      {"mem2reg", "dce"},
      {"mem2reg", "simplify_cfg"},
      {"mem2reg", "if_convert"},
      {"mem2reg", "lower_traps", "reconverge", "jump_threading"},
      {"mem2reg", "lower_traps", "structurize"},
      {"mem2reg", "lower_traps", "linearize"},
      {"mem2reg", "lower_traps", "node_split"},
      {"mem2reg", "lower_traps", "structurize", "instcombine", "simplify_cfg"},
      {"mem2reg", "licm"},
      {"mem2reg", "instcombine", "simplify_cfg", "rotate", "licm", "scalar_promotion"},
      {"mem2reg", "reassociate"},
      {"mem2reg", "instcombine", "unroll"},
      {"mem2reg", "lower_traps", "instcombine"},
      {"mem2reg", "instcombine", "simplify_cfg", "if_convert", "instcombine", "reassociate", "licm"},
  };
  for (const auto& names : pipelines) {
    INFO("pipeline that ends with " << names.back() << ", " << names.size() << " passes");
    Totals totals;
    for (uint64_t seed = 0; seed < 60; ++seed) check_pipeline(names, seed, totals);
    CAPTURE(totals.changed);
    CHECK(totals.changed > 3);
  }
}

// Analyses and passes that settle rely on what passes say of themselves.
TEST_CASE("a pass that reports no change leaves the function as it was") {
  const auto names = default_pipeline(PipelineKind::Wave);
  uint64_t unchanged = 0;
  for (uint64_t seed = 5000; seed < 5200; ++seed) {
    PassState state{.f = random_function(seed)};
    std::vector<bool> same;
    PipelineOptions options;
    options.compare = [&](std::string_view, const Function& before, const Function& after) {
      same.push_back(print(before) == print(after));
    };
    auto report = run_pipeline(state, names, options);
    REQUIRE(report.has_value());
    REQUIRE(report->times.size() == same.size());
    for (size_t k = 0; k < same.size(); ++k) {
      INFO("seed " << seed << ", pass " << k << ": " << report->times[k].pass);
      if (!report->times[k].changed) CHECK(same[k]);
      unchanged += !report->times[k].changed;
    }
  }
  CHECK(unchanged > 200);
}

TEST_CASE("loops may test at their end") {
  uint64_t changed = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    PassState state{.f = random_function(seed)};
    RunData data = make_data(seed);
    Reference expected = run_reference(*state.f, data);
    mem2reg(*state.f);
    // Few of these loops have uniform exits; all can be rotated.
    AnalysisCache analyses(*state.f);
    changed += rotate(*state.f, analyses, true);
    INFO("seed " << seed);
    CHECK(verify(*state.f).empty());
    CHECK(check_engine(expected, data, [&](RunData& d) { return run_lowered(*state.f, d); }) == "");
    CHECK_FALSE(rotate(*state.f, analyses, true));
  }
  CHECK(changed > 50);
}

TEST_CASE("the pipelines keep results and make kernels shorter") {
  for (auto kind : {PipelineKind::Optimize, PipelineKind::ThreadLower}) {
    Totals totals;
    for (uint64_t seed = 1000; seed < 1400; ++seed) check_pipeline(default_pipeline(kind), seed, totals);
    CAPTURE(totals.before, totals.after);
    CHECK(totals.after * 10 < totals.before * 8);
  }
}

// The wave interpreter is strict: it detects a pass that reuses or moves a lane value outside its mask.
TEST_CASE("waves agree with work-items after every pass") {
  auto names = default_pipeline(PipelineKind::Wave);
  uint64_t dropped_lanes = 0;
  for (uint64_t seed = 3000; seed < 3200; ++seed) {
    auto source = random_function(seed);
    RunData data = make_data(seed);
    Reference expected = run_reference(*source, data);
    const uint32_t widths[] = {1, 8, 16, 32, 64}, width = widths[seed % 5];
    PassState state{.f = std::move(source), .wave = {.width = width, .uniformity = {.lane_x = width > 1}}};
    for (std::string_view name : names) {
      std::string_view one[] = {name};
      auto report = run_pipeline(state, one, {.verify_each = true});
      REQUIRE(report.has_value());
      dropped_lanes += name == "demanded_lanes" && report->times[0].changed;
      INFO("seed " << seed << " after " << name);
      auto difference = check_engine(expected, data, [&](RunData& d) { return run_lowered(*state.f, d); });
      if (!difference.empty()) FAIL(difference << "\n" << print(*state.f));
    }
  }
  CHECK(dropped_lanes > 20);
}

TEST_CASE("a pass that has run finds nothing more") {
  for (uint64_t seed = 2000; seed < 2100; ++seed) {
    PassState state{.f = random_function(seed)};
    for (std::string_view name : default_pipeline(PipelineKind::Optimize)) {
      const PassRow& row = *find_pass(name);
      run_pass(row, state);
      std::string once = print(*state.f);
      INFO("seed " << seed << ", " << name);
      CHECK_FALSE(run_pass(row, state));
      CHECK(print(*state.f) == once);
    }
  }
}
