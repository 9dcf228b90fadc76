// SPDX-License-Identifier: Apache-2.0
// Machine code in several forms. What a launch shows (rows shorter than a wave, groups of several rows, a
// buffer of 2 GiB and more) chooses one, and the first launch that needs it has it compiled.
#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <map>

#include "api/form_log.h"
#include "api/runner.h"
#include "host/cached_cpu_compiler.h"
#include "host/cpu_trial.h"

namespace kc {
namespace {

// The trial of launches of one size, and what was kept of it.
struct Trial {
  std::unique_ptr<CpuTrial> forms;  // null where one form is all there is
  std::atomic<int> kept = -1;       // the number of the form that was chosen when that was last noted
};

// Machine code and what its launches need.
struct Loaded {
  Loaded(const CpuForm& of, CpuCode made, CpuKernel loaded)
      : form(of), code(std::move(made)), kernel(std::move(loaded)), memories(*code.wave) {}
  const CpuForm form;
  CpuCode code;
  CpuKernel kernel;
  LaunchMemories memories;
  std::mutex mutex;
  std::map<int, Trial> trials;  // by the binary order of magnitude of the launch
};

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class CpuRunner : public Runner {
 public:
  /// `remarks`: of the compiler; none where nothing is logged.
  CpuRunner(const Function& kernel, const kc_kernel_options& options, std::unique_ptr<Remarks> remarks,
            std::unique_ptr<CachedCpuCompiler> compiler)
      : Runner(options), kernel_(kernel), remarks_(std::move(remarks)), compiler_(std::move(compiler)) {}

  const char* target() const override { return compiler_->choice().target().name.data(); }  // a literal

  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    LaunchSpec small = spec;
    small.small_buffers = has_small_hidden_buffers(spec);
    small.disjoint_buffers = true;
    auto form = loaded(small);
    if (!form) return std::unexpected(form.error());
    return {};
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments,
                                                           unsigned threads, PrintedText& printed) override {
    spec.small_buffers = has_small_buffers(spec, arguments);
    spec.disjoint_buffers = compiler_->choice().traits().sees_overlap() && has_disjoint_buffers(arguments);
    spec.beyond_caches = exceeds_caches(arguments);
    auto form = loaded(spec);
    if (!form) return std::unexpected(form.error());
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(kernel_, arguments, *memory); !ok) return std::unexpected(ok.error());
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    const int size = std::bit_width(spec.global[0] * spec.global[1] * spec.global[2]);
    Trial& trial = this->trial(**form, spec, size);
    CpuTrial* forms = trial.forms.get();
    auto trap = launch_on_cpu((*form)->code, (*form)->kernel, memory->bound, spec, threads, nullptr, forms);
    if (forms) {
      if (remarks_) log(*forms);
      keep(**form, trial, size);
    }
    if (!trap) return std::unexpected(Failure{KC_OUT_OF_MEMORY, trap.error()});
    printed = memory->bound.printed();
    return std::move(*trap);
  }

 private:
  // Of launches of this size.
  Trial& trial(Loaded& loaded, const LaunchSpec& spec, int size) {
    std::lock_guard lock(loaded.mutex);
    auto [at, fresh] = loaded.trials.try_emplace(size);
    Trial& trial = at->second;
    if (!fresh) return trial;
    const std::optional<CpuRival> fastest = compiler_->fastest(loaded.form, spec, size);
    trial.forms = CpuTrial::create(
        compiler_->choice(), [this](const CpuRival& rival) { return compiler_->compile(rival); }, loaded.form,
        loaded.code, spec, fastest);
    if (trial.forms && fastest) {
      trial.kept = trial.forms->forms().chosen();
      if (remarks_)
        log_form(fmt::format("kernel '{}': known from an earlier process: {}", kernel_.name,
                             trial.forms->describe(static_cast<unsigned>(trial.kept))));
    }
    return trial;
  }

  // For later processes: what was found fastest.
  void keep(const Loaded& loaded, Trial& trial, int size) const {
    const FormTrial& forms = trial.forms->forms();
    if (!forms.settled() || forms.count() == 1) return;
    const int chosen = forms.chosen();
    if (chosen >= 0 && trial.kept.exchange(chosen) != chosen)
      compiler_->note_fastest(loaded.form, size, trial.forms->rival(static_cast<unsigned>(chosen)));
  }

  std::expected<Loaded*, Failure> loaded(const LaunchSpec& spec) {
    const CpuForm form = compiler_->choice().form(spec);
    if (Loaded* last = last_.load(std::memory_order_acquire); last && last->form == form) return last;
    std::lock_guard lock(mutex_);
    std::unique_ptr<Loaded>& made = forms_[form];
    if (!made) {
      const auto start = Clock::now();
      bool cached = false;
      auto code = compiler_->compile(form, cached);
      if (!code) return std::unexpected(failure_of(code.error()));
      auto kernel = CpuKernel::load(code->machine.image);
      if (!kernel) return std::unexpected(Failure{KC_ABSENT, std::move(kernel.error())});
      made = std::make_unique<Loaded>(form, std::move(*code), std::move(*kernel));
      if (remarks_) log(form, milliseconds_since(start), cached);
    }
    last_.store(made.get(), std::memory_order_release);
    return made.get();
  }

  void log(CpuTrial& trial) const {
    const int chosen = trial.newly_chosen();
    if (chosen < 0) return;
    const auto times = trial.forms().times();
    std::string measured;
    for (unsigned k = 0; k < trial.forms().count(); ++k)
      if (times[k].tasks)
        fmt::format_to(std::back_inserter(measured), "{}{:.2f} us in {}", k ? ", " : "",
                       times[k].nanoseconds / 1000 / static_cast<double>(times[k].tasks), trial.describe(k));
    log_form(fmt::format("kernel '{}': chosen while running: {}; measured for each task: {}", kernel_.name,
                         trial.describe(static_cast<unsigned>(chosen)), measured));
  }

  // Which lanes are best was found when the kernel was created, by this process or by the one that compiled.
  void log(const CpuForm& form, double milliseconds, bool cached) const {
    std::string why;
    for (const Remark& r : remarks_->sorted())
      if (r.pass == "width") why += "; " + r.text;
    log_form(fmt::format("kernel '{}': {}; {} in {:.2f} ms{}", kernel_.name, describe(form),
                         cached ? "read from the cache" : "compiled", milliseconds, why));
  }

  const Function& kernel_;
  std::unique_ptr<Remarks> remarks_;
  std::unique_ptr<CachedCpuCompiler> compiler_;
  std::atomic<Loaded*> last_ = nullptr;
  std::mutex mutex_;
  std::map<CpuForm, std::unique_ptr<Loaded>> forms_;
};

}  // namespace

MadeRunner make_cpu_runner(const Function& kernel, const kc_kernel_options& options, const TargetDesc& wanted,
                           const CodeCache* cache) {
  if (!(cpu_features().*wanted.needs))
    return std::unexpected(Failure{KC_ABSENT, fmt::format("this processor has no {}", wanted.features)});
  if (options.width > 1 && options.width != 8 && options.width != 16 && options.width != 32 &&
      options.width != 64)
    return std::unexpected(Failure{KC_USAGE_ERROR, "the width must be 1, 8, 16, 32 or 64"});
  // Sub-groups that fill no vector of it.
  const bool small = kernel.reqd_sub_group && kernel.reqd_sub_group < wanted.vector_lanes;
  const TargetDesc& target = small ? *find_target("avx2") : wanted;
  std::unique_ptr<Remarks> remarks;
  if (logs_forms())
    remarks = std::make_unique<Remarks>([](std::string_view pass) { return pass == "width"; });
  const CompileOptions compile = compile_options(options);
  auto compiler = CachedCpuCompiler::create(kernel,
                                            {.optimisation = compile.optimisation,
                                             .check_bounds = compile.check_bounds,
                                             .width = options.width,
                                             .remarks = remarks.get()},
                                            target, cache);
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<CpuRunner>(kernel, options, std::move(remarks), std::move(*compiler));
}

}  // namespace kc
