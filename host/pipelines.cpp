// SPDX-License-Identifier: Apache-2.0
#include "host/pipelines.h"

#include <algorithm>

#include "ir/check.h"
#include "passes/analysis/wave_width.h"
#include "passes/pipeline.h"

namespace kc {
namespace {

std::unique_ptr<Function> run(PassState state, const std::vector<std::string_view>& names) {
  auto report = run_pipeline(state, names);
  KC_CHECK(report.has_value(), "pipeline: {}", report.error());
  return std::move(state.f);
}

constexpr uint32_t lanes_of_vector(bool avx512) { return avx512 ? 16 : 8; }

}  // namespace

std::vector<std::string_view> thread_passes(int optimisation, bool check_bounds) {
  // Checks come in front of all that moves or removes accesses to buffers, and behind what shows from which
  // buffer a pointer comes.
  std::vector<std::string_view> names;
  if (check_bounds && optimisation == 0) names = {"mem2reg", "check_bounds"};
  if (check_bounds && optimisation > 0) names = {"mem2reg", "instcombine", "sroa", "mem2reg", "check_bounds"};
  std::vector<std::string_view> rest{"mem2reg", "lower_traps", "lower_memory", "expand_ops"};
  if (optimisation > 0) rest = default_pipeline(PipelineKind::ThreadLower);
  names.insert(names.end(), rest.begin(), rest.end());
  return names;
}

std::unique_ptr<Function> lower_thread(const Function& kernel, int optimisation, bool check_bounds) {
  return run(PassState{std::make_unique<Function>(kernel)}, thread_passes(optimisation, check_bounds));
}

std::unique_ptr<Function> make_wave(const Function& thread, const WaveOptions& wave) {
  return run(PassState{std::make_unique<Function>(thread), wave}, default_pipeline(PipelineKind::WaveLower));
}

uint32_t cpu_width(const Function& thread, bool avx512) {
  if (thread.reqd_sub_group) return std::max(thread.reqd_sub_group, lanes_of_vector(avx512));
  return lanes_of_vector(avx512) * choose_vectors(thread, avx512);
}

}  // namespace kc
