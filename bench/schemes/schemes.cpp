// SPDX-License-Identifier: Apache-2.0
// bench_schemes [FIRST [COUNT]]: random kernels under every restructuring, what each costs against the best
// of them, and what --restructure=auto makes of that. Instructions are those of waves of 32 lanes, masks
// included. Status 1 when auto costs more than 5 % above the best on geometric mean, or on more than 5 % of
// the kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "driver/commands/fuzz_program.h"
#include "fuzz/random_program.h"
#include "host/compile.h"
#include "passes/analysis/uniformity.h"
#include "passes/pipeline.h"
#include "sim/interpreter/wave_interpreter.h"

namespace kc {
namespace {

constexpr uint64_t kMaxSteps = 200'000'000;
constexpr uint64_t kLeastGroup = 16;  // work-items; fewer hardly part

uint64_t cost(const FuzzInput& input, std::string_view name) {
  PassState state{std::make_unique<Function>(*input.program.optimised)};
  state.restructure = *parse_restructure(name);
  if (!state.restructure.pass.empty() && !run_pipeline(state, std::array{state.restructure.pass})) return 0;
  auto wave =
      make_wave(*state.f, interpreter_target(), {.width = 32, .small_buffers = input.spec.small_buffers});
  LaunchSpec spec = input.spec;
  KernelArguments args = input.inputs;
  BoundArguments bound = bind_arguments(args, *wave, spec);
  WaveRunResult r =
      run_waves(*wave, spec, bound.bits,
                {.memory = bound.ranges, .max_steps = kMaxSteps, .strict = false, .packed = false});
  return r.ok() || r.status == RunStatus::Trapped ? r.steps : 0;
}

bool parts(const Function& f) {
  const Uniformity u = analyse_uniformity(f);
  return std::ranges::any_of(f.layout, [&](BlockId b) { return u.divergent_branch[b.index]; });
}

struct Column {
  double sum_of_logarithms = 0;
  uint32_t kernels = 0, close = 0, best = 0;
  void add(uint64_t instructions, uint64_t least) {
    const double ratio = static_cast<double>(instructions) / static_cast<double>(least);
    sum_of_logarithms += std::log(ratio);
    ++kernels, close += ratio <= 1.05, best += instructions == least;
  }
  double mean() const { return std::exp(sum_of_logarithms / std::max(kernels, 1u)); }
};

void print(std::string_view what, const std::vector<std::string>& names, const std::vector<Column>& columns) {
  fmt::print("\n{}: {} kernels\n{:<14}{:>16}{:>14}{:>10}\n", what, columns[0].kernels, "", "geometric mean",
             "within 5 %", "best");
  for (size_t k = 0; k < names.size(); ++k) {
    const Column& c = columns[k];
    const double n = std::max(c.kernels, 1u);
    fmt::print("{:<14}{:>16.3f}{:>12.1f} %{:>8.1f} %\n", names[k], c.mean(), 100 * c.close / n,
               100 * c.best / n);
  }
}

int run(uint64_t first, uint64_t count) {
  std::vector<std::string> names{"auto"};
  for (std::string_view name : scheme_names()) names.emplace_back(name);
  std::vector<Column> structured(names.size()), jumping(names.size()), all(names.size());
  uint32_t failed = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    // The flow of control is what matters here.
    const fuzz::RandomProgram program = fuzz::random_program(seed, {.vectors = false});
    auto input = compile_random(program.source, program.launch);
    if (!input || !parts(*(*input)->program.optimised)) continue;
    const auto& local = (*input)->spec.local;
    if (local[0] * local[1] * local[2] < kLeastGroup) continue;
    std::vector<uint64_t> costs;
    for (const std::string& name : names) costs.push_back(cost(**input, name));
    if (std::ranges::count(costs, 0)) {
      ++failed;
      continue;
    }
    const uint64_t least = *std::ranges::min_element(costs.begin() + 1, costs.end());
    const bool in_order = check_structured(*(*input)->program.optimised).empty();
    for (size_t k = 0; k < names.size(); ++k) {
      (in_order ? structured : jumping)[k].add(costs[k], least);
      all[k].add(costs[k], least);
    }
  }
  fmt::print("seeds {} to {}; dynamic instructions divided by those of the best scheme\n", first,
             first + count - 1);
  if (failed) fmt::print("{} kernels did not run under all schemes\n", failed);
  print("structured control flow", names, structured);
  print("jumps", names, jumping);
  print("all", names, all);
  const Column& automatic = all[0];
  return automatic.mean() <= 1.05 && automatic.close >= 0.95 * automatic.kernels ? 0 : 1;
}

}  // namespace
}  // namespace kc

int main(int argc, char** argv) {
  return kc::run(argc > 1 ? std::stoull(argv[1]) : 1, argc > 2 ? std::stoull(argv[2]) : 1000);
}
