// SPDX-License-Identifier: Apache-2.0
#include "host/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/pass_list.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "passes/ir_util.h"
#include "passes/remarks.h"
#include "passes/transform/loop_vectorisation.h"

namespace kc {
namespace {

using Names = std::vector<std::string_view>;

// Runs one stretch of the path, before which `passes_run` passes have run.
std::expected<Passed, CompileError> run(PassState state, const Names& names, const CompileOptions& o,
                                        size_t passes_run) {
  state.remarks = o.remarks;
  state.restructure = o.restructure;
  state.meld = o.meld;
  PipelineOptions pipeline = o.pipeline;
  pipeline.passes_before = passes_run;
  pipeline.later = machine_pass_names();
  for (std::string_view name : names)
    if (std::ranges::find(pipeline.later, name) != pipeline.later.end())
      return std::unexpected(CompileError{
          CompileError::Usage,
          fmt::format("pass {} is one on machine functions, and '{}' is in the {} dialect: --passes takes it "
                      "for wave and machine text",
                      name, state.f->name, to_string(state.f->dialect))});
  auto report = run_pipeline(state, names, pipeline);
  if (!report) return std::unexpected(std::move(report.error()));
  if (o.times) o.times->insert(o.times->end(), report->times.begin(), report->times.end());
  return Passed{std::move(state.f), report->stopped, passes_run + report->times.size(),
                std::move(state.analyses)};
}

// A copy of a function, for passes that go on from there, with what is known about it.
PassState copy_of(const Function& f, const AnalysisCache* known, WaveOptions wave) {
  PassState state{std::make_unique<Function>(f), std::move(wave)};
  if (known) state.analyses = std::make_unique<AnalysisCache>(*state.f, state.wave.uniformity, *known);
  return state;
}

// What comes before the passes that weigh branches; without optimisation, everything.
Names first_passes(int optimisation, bool check_bounds) {
  // Bounds checks come before all that moves or removes accesses to buffers, and after what shows from which
  // buffer a pointer comes.
  Names names;
  if (check_bounds && optimisation == 0) names = {"mem2reg", "check_bounds"};
  if (check_bounds && optimisation > 0) names = {"mem2reg", "instcombine", "sroa", "mem2reg", "check_bounds"};
  const Names rest = optimisation > 0 ? default_pipeline(PipelineKind::Simplify)
                                      : Names{"mem2reg", "lower_traps", "lower_memory", "expand_ops"};
  names.insert(names.end(), rest.begin(), rest.end());
  return names;
}

Names weighing_passes(int optimisation) {
  return optimisation > 0 ? default_pipeline(PipelineKind::Weigh) : Names();
}

Names target_passes(int optimisation) {
  return optimisation > 0 ? default_pipeline(PipelineKind::ForTarget) : Names{"lower_private"};
}

std::expected<Passed, CompileError> run_lowering(PassState state, const CompileOptions& o,
                                                 size_t passes_run) {
  Names names = default_pipeline(PipelineKind::WaveLower);
  // Of one lane, the passes that weigh branches knew already what is uniform.
  if (state.wave.uniformity.one_lane() && o.optimisation > 0) std::erase(names, "narrow");
  auto lowered = run(std::move(state), names, o, passes_run);
  if (lowered && !lowered->stopped && o.remarks) explain_accesses(*lowered->function, *o.remarks);
  return lowered;
}

Names spirv_passes(const WaveConfig& config) {
  Names names = default_pipeline(PipelineKind::SpirvLower);
  if (config.width) names.insert(names.begin(), "lower_sub_groups");
  return names;
}

// The size of groups becomes a constant where it is known, before passes unroll loops over it.
void fold_group_size(Function& f) {
  Replacements sizes(f);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (const Inst& inst = f.inst(i); inst.op == Op::local_size) {
        const ValueId v = inst.results[0];
        if (const uint32_t size = f.reqd_local[static_cast<size_t>(inst.attrs[0])])
          sizes.set(v, f.constant(f.type(v), size));
      }
  if (!sizes.empty()) apply_replacements(f, sizes);
}

}  // namespace

std::vector<std::string_view> thread_passes(int optimisation, bool check_bounds) {
  Names names = first_passes(optimisation, check_bounds);
  for (const Names& more : {weighing_passes(optimisation), target_passes(optimisation)})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::expected<KernelCompiler, CompileError> KernelCompiler::start(const Function& kernel,
                                                                  CompileOptions options) {
  return start(std::make_unique<Function>(kernel), std::move(options));
}

std::expected<KernelCompiler, CompileError> KernelCompiler::start(std::unique_ptr<Function> kernel,
                                                                  CompileOptions options) {
  if (kernel->dialect != Dialect::Thread)
    return std::unexpected(CompileError{
        CompileError::Usage, fmt::format("only thread IR can be compiled, '{}' is in the {} dialect",
                                         kernel->name, to_string(kernel->dialect))});
  if (options.check_bounds && !options.passes.empty())
    return std::unexpected(CompileError{
        CompileError::Usage, "--check-bounds and --passes exclude each other: name check_bounds there"});
  KernelCompiler c(nullptr, std::move(options));
  const CompileOptions& o = c.options_;
  if (o.optimisation > 0 && o.passes.empty()) fold_group_size(*kernel);
  auto passed =
      run(PassState{std::move(kernel)},
          o.passes.empty() ? first_passes(o.optimisation, o.check_bounds) : split_pass_names(o.passes), o, 0);
  if (!passed) return std::unexpected(passed.error());
  if (!passed->stopped && o.passes.empty() && !weighing_passes(o.optimisation).empty()) {
    c.one_lane_ = o.one_lane && o.one_lane(*passed->function, passed->analyses.get());
    c.simplified_ = std::make_shared<const Passed>(std::move(*passed));
    passed = c.weigh(o, c.simplified_->passes_run);
    if (!passed) return std::unexpected(passed.error());
  }
  c.stopped_ = passed->stopped || !o.passes.empty();
  c.passes_run_ = passed->passes_run;
  c.shared_ = std::move(passed->function);
  c.analyses_ = std::move(passed->analyses);
  return c;
}

// Runs the passes that weigh branches.
std::expected<Passed, CompileError> KernelCompiler::weigh(const CompileOptions& options,
                                                          size_t passes_run) const {
  WaveOptions wave;
  if (one_lane_) wave.width = 1, wave.uniformity = {.lane_x = false};
  return run(copy_of(*simplified_->function, simplified_->analyses.get(), wave),
             weighing_passes(options.optimisation), options, passes_run);
}

std::expected<Passed, CompileError> KernelCompiler::thread(const TargetDesc& target,
                                                           const UniformityOptions& ids) const {
  WaveConfig config{.ids = ids};
  if (ids.one_lane()) config.width = 1;
  const bool anew = ids.one_lane() != one_lane_ && simplified_ && !stopped_;
  const Function& from = anew ? *simplified_->function : *shared_;
  const AnalysisCache* known = anew ? simplified_->analyses.get() : analyses_.get();
  Names names;
  if (anew) names = weighing_passes(options_.optimisation);
  if (!stopped_)
    for (std::string_view name : target_passes(options_.optimisation)) names.push_back(name);
  if (!stopped_ && !options_.restructure.pass.empty()) names.push_back(options_.restructure.pass);
  auto passed = run(copy_of(from, known, target.wave_options(config)), names, options_,
                    anew ? simplified_->passes_run : passes_run_);
  if (passed && !passed->stopped && options_.remarks)
    explain_divergence(*passed->function, ids, *options_.remarks);
  return passed;
}

std::expected<Passed, CompileError> KernelCompiler::lower(const Passed& thread, const TargetDesc& target,
                                                          const WaveConfig& config) const {
  return run_lowering(copy_of(*thread.function, thread.analyses.get(), target.wave_options(config)), options_,
                      thread.passes_run);
}

std::expected<Passed, CompileError> KernelCompiler::lower_for_spirv(const Passed& thread,
                                                                    const WaveConfig& config) const {
  const TargetDesc& target = *find_target("vulkan");
  return run(copy_of(*thread.function, thread.analyses.get(), target.wave_options(config)),
             spirv_passes(config), options_, thread.passes_run);
}

std::expected<Passed, CompileError> KernelCompiler::wave(const TargetDesc& target,
                                                         const WaveConfig& config) const {
  auto passed = thread(target, config.uniformity());
  return !passed || passed->stopped ? std::move(passed) : lower(std::move(*passed), target, config);
}

std::expected<Passed, CompileError> KernelCompiler::lower(Passed&& thread, const TargetDesc& target,
                                                          const WaveConfig& config) const {
  PassState state{std::move(thread.function), target.wave_options(config)};
  if (thread.analyses)
    state.analyses = std::make_unique<AnalysisCache>(*state.f, state.wave.uniformity, *thread.analyses);
  thread.analyses = nullptr;
  return run_lowering(std::move(state), options_, thread.passes_run);
}

std::unique_ptr<Function> of_groups(const Function& f, const GroupSize& groups) {
  auto copy = std::make_unique<Function>(f);
  for (size_t d = 0; d < 3; ++d) copy->reqd_local[d] = static_cast<uint32_t>(groups[d]);
  return copy;
}

void restrict_buffers(Function& f) {
  const auto& params = f.block(f.entry()).params;
  for (size_t k = 0; k < f.params.size(); ++k)
    if (f.type(params[k]).is_pointer()) f.params[k].is_restrict = true;
}

// Replaces what the shared passes left by what they leave of this function, which is like the one before the
// passes that weigh branches.
void KernelCompiler::start_again(std::unique_ptr<Function> like_simplified) {
  const CompileOptions quiet = silent().options_;
  auto passed =
      run(PassState{std::move(like_simplified)}, default_pipeline(PipelineKind::Simplify), quiet, 0);
  KC_CHECK(passed && !passed->stopped, "passes that ran before fail");
  passed->passes_run = simplified_->passes_run;
  simplified_ = std::make_shared<const Passed>(std::move(*passed));
  passed = weigh(quiet, 0);
  KC_CHECK(passed && !passed->stopped, "passes that ran before fail");
  shared_ = std::move(passed->function);
  analyses_ = std::move(passed->analyses);
}

KernelCompiler KernelCompiler::for_groups(const GroupSize& groups) const {
  KernelCompiler c = *this;
  if (!groups[0] || stopped_) return c;
  c.shared_ = of_groups(*shared_, groups);
  c.analyses_ = nullptr;
  if (!simplified_) return c;
  auto simplified = of_groups(*simplified_->function, groups);
  if (has_any(*shared_, {Op::local_size})) {
    fold_group_size(*simplified);
    c.start_again(std::move(simplified));
  } else {
    c.simplified_ =
        std::make_shared<const Passed>(Passed{std::move(simplified), false, simplified_->passes_run});
  }
  return c;
}

KernelCompiler KernelCompiler::transposed(size_t rows_along) const {
  KernelCompiler c = *this;
  auto f = std::make_unique<Function>(simplified());
  transpose(*f, rows_along);
  if (simplified_) {
    c.start_again(std::move(f));
  } else {
    c.shared_ = std::move(f);
    c.analyses_ = nullptr;
  }
  return c;
}

KernelCompiler KernelCompiler::for_disjoint_buffers() const {
  KernelCompiler c = *this;
  if (stopped_ || !simplified_) return c;
  auto simplified = std::make_unique<Function>(*simplified_->function);
  restrict_buffers(*simplified);
  c.start_again(std::move(simplified));
  return c;
}

std::optional<KernelCompiler> KernelCompiler::for_vectorised_loops(uint32_t lanes) const {
  if (stopped_ || !simplified_) return std::nullopt;
  auto rewritten = std::make_unique<Function>(*simplified_->function);
  AnalysisCache analyses(*rewritten);
  if (vectorise_loops(*rewritten, analyses, lanes).loops == 0) return std::nullopt;
  restrict_buffers(*rewritten);
  KernelCompiler c = *this;
  c.one_lane_ = false;
  c.start_again(std::move(rewritten));
  return c;
}

KernelCompiler KernelCompiler::reporting_to(Remarks* remarks, std::vector<PassTime>* times) const {
  KernelCompiler copy = *this;
  copy.options_.remarks = remarks;
  copy.options_.times = times;
  return copy;
}

KernelCompiler KernelCompiler::without_stop() const {
  KernelCompiler copy = *this;
  copy.options_.pipeline.stop_after.clear();
  return copy;
}

KernelCompiler KernelCompiler::with_meld(Meld meld) const {
  KernelCompiler copy = *this;
  copy.options_.meld = meld;
  return copy;
}

KernelCompiler KernelCompiler::silent() const {
  KernelCompiler copy = reporting_to(nullptr, nullptr);
  const bool verify = copy.options_.pipeline.verify_each;
  copy.options_.pipeline = {};
  copy.options_.pipeline.verify_each = verify;
  return copy;
}

std::expected<Passed, CompileError> run_named_passes(const Function& f, const CompileOptions& options) {
  if (!options.passes.empty() && f.dialect != Dialect::Thread && f.dialect != Dialect::Wave)
    return std::unexpected(CompileError{
        CompileError::Usage, fmt::format("'{}' is in the {} dialect, for which there are no passes", f.name,
                                         to_string(f.dialect))});
  PassState state{std::make_unique<Function>(f)};
  state.wave.width = f.width;
  auto passed = run(std::move(state), split_pass_names(options.passes), options, 0);
  if (passed) passed->stopped |= !options.passes.empty();
  return passed;
}

std::unique_ptr<Function> check_accesses(const Function& kernel) {
  auto passed = run_named_passes(kernel, {.passes = "mem2reg,check_bounds"});
  KC_CHECK(passed.has_value(), "check_bounds: {}", passed.error().message);
  return std::move(passed->function);
}

std::unique_ptr<Function> optimise(const Function& kernel, const TargetDesc& target,
                                   const CompileOptions& options) {
  auto shared = KernelCompiler::start(kernel, options);
  KC_CHECK(shared.has_value(), "pipeline: {}", shared.error().message);
  auto passed = shared->thread(target);
  KC_CHECK(passed.has_value(), "pipeline: {}", passed.error().message);
  return std::move(passed->function);
}

std::unique_ptr<Function> make_wave(const Function& thread, const TargetDesc& target,
                                    const WaveConfig& config) {
  auto passed = run(PassState{std::make_unique<Function>(thread), target.wave_options(config)},
                    default_pipeline(PipelineKind::WaveLower), {}, 0);
  KC_CHECK(passed.has_value(), "pipeline: {}", passed.error().message);
  return std::move(passed->function);
}

std::unique_ptr<Function> make_spirv_form(const Function& thread, const WaveConfig& config) {
  const TargetDesc& target = *find_target("vulkan");
  auto passed = run(PassState{std::make_unique<Function>(thread), target.wave_options(config)},
                    spirv_passes(config), {}, 0);
  KC_CHECK(passed.has_value(), "pipeline: {}", passed.error().message);
  return std::move(passed->function);
}

}  // namespace kc
