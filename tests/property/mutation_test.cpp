// SPDX-License-Identifier: Apache-2.0
// Measures the sensitivity of random programs. Each mutation corrupts one instruction of each program, as a
// compiler bug would, and within some hundred programs an interpreter must give a different result.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <optional>

#include "driver/commands/fuzz_program.h"
#include "driver/compare.h"
#include "fuzz/random.h"
#include "fuzz/random_program.h"
#include "host/compile.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/property/mutations.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr uint64_t kMostPrograms = 500;
constexpr uint32_t kWidth = 16;

/// A program with its expected result, and the functions to corrupt.
struct Subject {
  std::unique_ptr<FuzzInput> input;
  KernelArguments want;
  std::optional<TrapReport> trap;
  uint64_t steps = 0;
  std::unique_ptr<Function> wave;  // null if it has no wave form

  const Function* function(Dialect d) const {
    return d == Dialect::Wave ? wave.get() : input->program.optimised.get();
  }
};

Subject make_subject(uint64_t seed) {
  fuzz::RandomProgram p = fuzz::random_program(seed, {.math = false, .large = 0});
  auto input = compile_random(p.source, p.launch);
  REQUIRE(input);
  Subject s{.input = std::move(*input), .want = {}, .trap = {}, .wave = {}};
  s.want = s.input->inputs;
  auto reference = find_engine("interp")->make({});
  REQUIRE(reference->prepare(s.input->program, s.input->spec).status == EngineStatus::Ok);
  EngineResult r = reference->launch(s.want);
  REQUIRE((r.status == EngineStatus::Ok || r.status == EngineStatus::Trapped));
  s.trap = r.trap;
  s.steps = static_cast<uint64_t>(r.stats.at(0).second);
  s.wave = make_wave(*s.input->program.optimised, interpreter_target(), {.width = kWidth});
  return s;
}

// Whether running the function shows the error.
bool caught(const Function& f, const Subject& s) {
  KernelArguments args = s.input->inputs;
  LaunchSpec spec = s.input->spec;
  BoundArguments bound = bind_arguments(args, f, spec);
  uint64_t most = 20 * s.steps + 10'000;
  RunResult r =
      f.dialect == Dialect::Wave
          ? RunResult(run_waves(f, spec, bound.bits, {.memory = bound.ranges, .max_steps = most}))
          : RunResult(run_threads(f, spec, bound.bits, {.memory = bound.ranges, .max_steps = most}));
  std::optional<TrapReport> trap = r.ok() ? bound.trap() : r.trap;
  return (!r.ok() && r.status != RunStatus::Trapped) || !same_trap(s.trap, trap) ||
         !compare_buffers(s.want, args, 0).first.empty();
}

// Corrupts one instruction, selected by the seed.
std::unique_ptr<Function> spoiled(const Function& f, const Mutation& m, uint64_t seed) {
  std::vector<InstId> insts;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) insts.push_back(i);
  auto copy = std::make_unique<Function>(f);
  size_t first = fuzz::Random(seed).below(static_cast<uint32_t>(insts.size()));
  for (size_t k = 0; k < insts.size(); ++k)
    if (m.apply(*copy, insts[(first + k) % insts.size()])) return copy;
  return nullptr;
}

}  // namespace

TEST_CASE("random programs notice errors of the compiler") {
  struct Score {
    const Mutation* mutation;
    uint64_t applied = 0, programs = 0;  // programs up to the first difference
  };
  std::vector<Score> open, done;
  for (const Mutation& m : mutations()) open.push_back({&m});
  for (uint64_t seed = 0; seed < kMostPrograms && !open.empty(); ++seed) {
    Subject s = make_subject(seed);
    for (size_t k = 0; k < open.size();) {
      Score& score = open[k];
      const Function* f = s.function(score.mutation->dialect);
      auto wrong = f ? spoiled(*f, *score.mutation, seed) : nullptr;
      if (wrong && score.applied++ < 3) {
        auto errors = verify(*wrong);
        INFO("seed " << seed << ", " << score.mutation->name << "\n" << render(*wrong, errors));
        CHECK(errors.empty());
      }
      if (!wrong || !caught(*wrong, s)) {
        ++k;
        continue;
      }
      score.programs = seed + 1;
      done.push_back(score);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  std::string report;
  for (const Score& s : done)
    report += fmt::format("\n{:<46} caught after {:>3} programs, {:>3} with such an instruction",
                          s.mutation->name, s.programs, s.applied);
  WARN(mutations().size() << " errors" << report);
  for (const Score& s : open)
    FAIL_CHECK(s.mutation->name << ": not noticed in " << kMostPrograms << " programs, " << s.applied
                                << " of which have such an instruction");
}

TEST_CASE("what is not spoiled shows no error") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    Subject s = make_subject(seed);
    CHECK_FALSE(caught(*s.input->program.optimised, s));
    if (s.wave) CHECK_FALSE(caught(*s.wave, s));
  }
}
