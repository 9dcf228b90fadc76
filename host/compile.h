// SPDX-License-Identifier: Apache-2.0
// The one path from a kernel to the code of a target.
//
//   kernel --shared passes--> thread IR --passes for the target--> thread IR --lowering--> wave IR, or
//   SPIR-V's form
//            once a kernel               once a target and layout              once a form
//
// cpu_code.h, gcn_code.h and vulkan_code.h go on from there to machine code.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/targets.h"
#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/pipeline.h"

namespace kc {

/// What a user chooses for all forms of a kernel.
struct CompileOptions {
  int optimisation = 2;       // 0 to 3
  bool check_bounds = false;  // accesses outside the buffers are traps
  Meld meld = Meld::ByCost;
  RestructureOptions restructure{};
  std::string passes{};                    // "a,b,c": just these, in place of all that the compiler would run
  Remarks* remarks = nullptr;              // where passes and analyses say what they did and found
  PipelineOptions pipeline{};              // what is printed, where to stop
  std::vector<PassTime>* times = nullptr;  // one entry for each pass that ran
  /// Whether a kernel, as it is before the passes that weigh branches, will run in waves of one lane only:
  /// the shared passes are then those for one lane. Empty: it may run in others. The analyses may be null.
  std::function<bool(const Function&, const AnalysisCache*)> one_lane{};
};

/// A function after passes.
struct Passed {
  std::unique_ptr<Function> function;
  bool stopped = false;                       // by `stop_after`
  size_t passes_run = 0;                      // so far, for the numbers of dumped files
  std::unique_ptr<AnalysisCache> analyses{};  // of the function, as far as passes have left some
};

/// The passes on thread IR, shared ones and those for a target, as names; traps are lowered. They are what
/// `--passes` would have to name.
std::vector<std::string_view> thread_passes(int optimisation, bool check_bounds = false);

/// A kernel after the passes that are the same for all targets and forms.
class KernelCompiler {
 public:
  /// Runs the shared passes on a copy of the kernel, which is in the thread dialect.
  static std::expected<KernelCompiler, CompileError> start(const Function& kernel,
                                                           CompileOptions options = {});
  /// The same on the kernel itself, which may be large.
  static std::expected<KernelCompiler, CompileError> start(std::unique_ptr<Function> kernel,
                                                           CompileOptions options = {});

  const CompileOptions& options() const { return options_; }
  /// What the shared passes left; if `stopped`, there is no way on.
  const Function& shared() const { return *shared_; }
  /// What is known about it, if anything.
  const AnalysisCache* shared_analyses() const { return analyses_.get(); }
  bool stopped() const { return stopped_; }
  /// What `one_lane` of the options said.
  bool one_lane() const { return one_lane_; }
  /// The kernel before the passes that weigh branches, or what the shared passes left if there are none such,
  /// and what is known about it.
  const Function& simplified() const { return simplified_ ? *simplified_->function : *shared_; }
  const AnalysisCache* simplified_analyses() const {
    return simplified_ ? simplified_->analyses.get() : analyses_.get();
  }

  /// Thread IR for the target. `ids`: which of them differ between the lanes of a wave; the passes
  /// that weigh branches run anew for waves of one lane, or for others where the shared ones were for one.
  std::expected<Passed, CompileError> thread(const TargetDesc& target,
                                             const UniformityOptions& ids = {}) const;
  /// Wave IR of what `thread` gave for the same target and ids.
  std::expected<Passed, CompileError> lower(const Passed& thread, const TargetDesc& target,
                                            const WaveConfig& config) const;
  /// The same without a copy.
  std::expected<Passed, CompileError> lower(Passed&& thread, const TargetDesc& target,
                                            const WaveConfig& config) const;
  /// Frees the kernel: what is left are the options, and `lower`.
  void forget() { shared_ = nullptr, analyses_ = nullptr, simplified_ = nullptr; }
  /// What `thread` gave, in the form that SPIR-V can express. `config.width`: the lanes of the device's
  /// sub-groups, 0 if it does not say which work-items are together.
  std::expected<Passed, CompileError> lower_for_spirv(const Passed& thread, const WaveConfig& config) const;
  /// `thread` and `lower`.
  std::expected<Passed, CompileError> wave(const TargetDesc& target, const WaveConfig& config) const;
  /// The same kernel where all groups have this size, or for any size if it is 0. If the kernel sees the
  /// size, the shared passes run once more, and silently: what they can do once they know it, they did not
  /// say.
  KernelCompiler for_groups(const GroupSize& groups) const;
  /// The same kernel for transposed launches (ir/launch.h). The shared passes run once more, and silently.
  KernelCompiler transposed(size_t rows_along) const;
  /// The same kernel where buffers do not overlap. The shared passes run once more, and silently.
  KernelCompiler for_disjoint_buffers() const;
  /// The same kernel in waves of `lanes` lanes that are iterations of its innermost loops
  /// (loop_vectorisation.h), where there are such loops.
  std::optional<KernelCompiler> for_vectorised_loops(uint32_t lanes) const;
  /// The same with other remarks and times, or with no stop.
  KernelCompiler reporting_to(Remarks* remarks, std::vector<PassTime>* times) const;
  KernelCompiler without_stop() const;
  /// The same with another decision about melding.
  KernelCompiler with_meld(Meld meld) const;
  /// The same with no remarks and times, no stop, and nothing printed or dumped: for code that runs beside
  /// the code that a user asked about.
  KernelCompiler silent() const;

 private:
  KernelCompiler(std::shared_ptr<const Function> shared, CompileOptions options)
      : options_(std::move(options)), shared_(std::move(shared)) {}
  std::expected<Passed, CompileError> weigh(const CompileOptions& options, size_t passes_run) const;
  void start_again(std::unique_ptr<Function> like_simplified);

  CompileOptions options_;
  std::shared_ptr<const Function> shared_;
  std::shared_ptr<const AnalysisCache> analyses_;  // of it
  std::shared_ptr<const Passed> simplified_;       // before the passes that weigh branches, if there are any
  bool stopped_ = false, one_lane_ = false;
  size_t passes_run_ = 0;
};

/// Marks the pointers among the parameters as pointers to different memory.
void restrict_buffers(Function& f);

/// A copy that requires groups of this size.
std::unique_ptr<Function> of_groups(const Function& f, const GroupSize& groups);

/// Optimised thread IR in one call, with options that cannot fail.
std::unique_ptr<Function> optimise(const Function& kernel, const TargetDesc& target = interpreter_target(),
                                   const CompileOptions& options = {});

/// The kernel as the front end made it, except that its accesses are checked: what the reference runs where
/// CompileOptions::check_bounds is set.
std::unique_ptr<Function> check_accesses(const Function& kernel);

/// Runs the passes that `options` name on a copy of a function of any dialect that has passes.
std::expected<Passed, CompileError> run_named_passes(const Function& f, const CompileOptions& options);

/// Wave IR of optimised thread IR, for one that has been changed since: restructured for comparison, say.
std::unique_ptr<Function> make_wave(const Function& thread, const TargetDesc& target,
                                    const WaveConfig& config);
/// The same in the form that SPIR-V can express; the defaults hold on every device.
std::unique_ptr<Function> make_spirv_form(const Function& thread,
                                          const WaveConfig& config = {.width = 0,
                                                                      .ids = {.lane_y = true, .lane_z = true},
                                                                      .small_buffers = false});

}  // namespace kc
