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
#include "host/cpu_code.h"
#include "host/cpu_trial.h"

namespace kc {
namespace {

// Machine code and what its launches need.
struct Loaded {
  Loaded(const CpuForm& of, CpuCode made, CpuKernel loaded)
      : form(of), code(std::move(made)), kernel(std::move(loaded)), memories(*code.wave) {}
  const CpuForm form;
  CpuCode code;
  CpuKernel kernel;
  LaunchMemories memories;
  std::mutex mutex;
  std::map<int, std::unique_ptr<CpuTrial>> trials;  // by the binary order of magnitude of the launch
};

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class CpuRunner : public Runner {
 public:
  /// `remarks`: of the compiler; none where nothing is logged.
  CpuRunner(const kc_kernel_options& options, const TargetDesc& target, std::unique_ptr<Remarks> remarks,
            CpuCompiler compiler)
      : Runner(options), target_(target), remarks_(std::move(remarks)), compiler_(std::move(compiler)) {}

  const char* target() const override { return target_.name.data(); }

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
    spec.disjoint_buffers = compiler_.tells_overlap() && has_disjoint_buffers(arguments);
    spec.beyond_caches = exceeds_caches(arguments);
    auto form = loaded(spec);
    if (!form) return std::unexpected(form.error());
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(compiler_.thread(), arguments, *memory); !ok)
      return std::unexpected(ok.error());
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    CpuTrial* forms = trial(**form, spec);
    auto trap = launch_on_cpu((*form)->code, (*form)->kernel, memory->bound, spec, threads, nullptr, forms);
    if (forms && remarks_) log(*forms);
    if (!trap) return std::unexpected(Failure{KC_OUT_OF_MEMORY, trap.error()});
    printed = memory->bound.printed();
    return std::move(*trap);
  }

 private:
  // Of launches of this size; null where one form is all there is.
  CpuTrial* trial(Loaded& loaded, const LaunchSpec& spec) {
    const int size = std::bit_width(spec.global[0] * spec.global[1] * spec.global[2]);
    std::lock_guard lock(loaded.mutex);
    auto [at, fresh] = loaded.trials.try_emplace(size);
    if (fresh) at->second = CpuTrial::create(compiler_, loaded.form, loaded.code, spec);
    return at->second.get();
  }

  std::expected<Loaded*, Failure> loaded(const LaunchSpec& spec) {
    const CpuForm form = compiler_.form(spec);
    if (Loaded* last = last_.load(std::memory_order_acquire); last && last->form == form) return last;
    std::lock_guard lock(mutex_);
    std::unique_ptr<Loaded>& made = forms_[form];
    if (!made) {
      const auto start = Clock::now();
      auto code = compiler_.compile(form);
      if (!code) return std::unexpected(failure_of(code.error()));
      auto kernel = CpuKernel::load(code->machine.image);
      if (!kernel) return std::unexpected(Failure{KC_ABSENT, std::move(kernel.error())});
      made = std::make_unique<Loaded>(form, std::move(*code), std::move(*kernel));
      if (remarks_) log(form, milliseconds_since(start));
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
    log_form(fmt::format("kernel '{}': chosen while running: {}; measured for each task: {}",
                         compiler_.thread().name, trial.describe(static_cast<unsigned>(chosen)), measured));
  }

  // Which lanes are best was found when the kernel was created.
  void log(const CpuForm& form, double milliseconds) const {
    std::string why;
    for (const Remark& r : remarks_->sorted())
      if (r.pass == "width") why = "; " + r.text;
    log_form(fmt::format("kernel '{}': {}; compiled in {:.2f} ms{}", compiler_.thread().name, describe(form),
                         milliseconds, why));
  }

  const TargetDesc& target_;  // its name is a literal
  std::unique_ptr<Remarks> remarks_;
  CpuCompiler compiler_;
  std::atomic<Loaded*> last_ = nullptr;
  std::mutex mutex_;
  std::map<CpuForm, std::unique_ptr<Loaded>> forms_;
};

}  // namespace

MadeRunner make_cpu_runner(const Function& kernel, const kc_kernel_options& options,
                           const TargetDesc& wanted) {
  if (!(cpu_features().*wanted.needs))
    return std::unexpected(Failure{KC_ABSENT, fmt::format("this processor has no {}", wanted.features)});
  if (options.width > 1 && options.width != 8 && options.width != 16 && options.width != 32 &&
      options.width != 64)
    return std::unexpected(Failure{KC_USAGE_ERROR, "the width must be 1, 8, 16, 32 or 64"});
  // Sub-groups that fill no vector of it.
  const bool small = kernel.reqd_sub_group && kernel.reqd_sub_group < wanted.vector_lanes;
  const TargetDesc& target = small ? *find_target("avx2") : wanted;
  CompileOptions compile = compile_options(options);
  std::unique_ptr<Remarks> remarks;
  if (logs_forms())
    remarks = std::make_unique<Remarks>([](std::string_view pass) { return pass == "width"; });
  compile.remarks = remarks.get();
  if (!options.width) compile.one_lane = one_lane_on({&target});
  auto shared = KernelCompiler::start(kernel, std::move(compile));
  if (!shared) return std::unexpected(failure_of(shared.error()));
  auto compiler = CpuCompiler::create(std::move(*shared), target, options.width);
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<CpuRunner>(options, target, std::move(remarks), std::move(*compiler));
}

}  // namespace kc
