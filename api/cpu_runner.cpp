// SPDX-License-Identifier: Apache-2.0
// Machine code in several forms. What a launch shows (rows shorter than a wave, a buffer of 2 GiB and more)
// chooses one, and the first launch that needs it has it compiled.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "api/runner.h"
#include "host/cpu_code.h"
#include "host/pipelines.h"

namespace kc {
namespace {

// Machine code and what its launches need.
struct Loaded {
  Loaded(CpuCode made, CpuKernel loaded)
      : code(std::move(made)), kernel(std::move(loaded)), memories(*code.wave) {}
  CpuCode code;
  CpuKernel kernel;
  LaunchMemories memories;
};

// Sub-groups that only AVX2 has.
constexpr uint32_t kSmallest = 8;

class CpuRunner : public Runner {
 public:
  CpuRunner(const Function& kernel, const kc_kernel_options& options, bool avx512)
      : Runner(options),
        thread_(lower_thread(kernel, options.no_optimisation ? 0 : 2, options.check_bounds != 0)),
        avx512_(avx512 && kernel.reqd_sub_group != kSmallest),
        sees_groups_(sees_groups(*thread_)),
        given_width_(options.width),
        width_(options.width ? options.width : cpu_width(*thread_, avx512_)) {}

  const char* target() const override { return avx512_ ? "avx512" : "avx2"; }

  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    auto form = loaded(spec, has_small_hidden_buffers(spec));
    if (!form) return std::unexpected(form.error());
    return {};
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments,
                                                           unsigned threads, PrintedText& printed) override {
    spec.small_buffers = has_small_hidden_buffers(spec) && std::ranges::all_of(arguments, is_small);
    auto form = loaded(spec, spec.small_buffers);
    if (!form) return std::unexpected(form.error());
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(*thread_, arguments, *memory); !ok) return std::unexpected(ok.error());
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    auto trap = launch_on_cpu((*form)->code, (*form)->kernel, memory->bound, spec, threads);
    if (!trap) return std::unexpected(Failure{KC_OUT_OF_MEMORY, trap.error()});
    printed = memory->bound.printed();
    return std::move(*trap);
  }

 private:
  static bool is_small(const kc_argument& a) {
    return a.kind == KC_ARGUMENT_SCALAR || a.kind == KC_ARGUMENT_LOCAL || a.kind == KC_ARGUMENT_BYTES ||
           is_small_buffer(a.size);
  }

  std::expected<Loaded*, Failure> loaded(const LaunchSpec& spec, bool small_buffers) {
    uint32_t width = width_;
    if (sees_groups_ && !given_width_ && !thread_->reqd_sub_group)
      width = limit_width(width, avx512_, spec.local[0]);
    std::atomic<Loaded*>& form = forms_[small_buffers][static_cast<size_t>(std::countr_zero(width))];
    if (Loaded* made = form.load(std::memory_order_acquire)) return made;
    std::lock_guard lock(mutex_);
    if (Loaded* made = form.load(std::memory_order_acquire)) return made;
    auto code =
        compile_for_cpu(*thread_, {.avx512 = avx512_, .width = width, .small_buffers = small_buffers});
    if (!code)
      return std::unexpected(Failure{code.error().unsupported ? KC_SOURCE_ERROR : KC_INTERNAL_ERROR,
                                     std::move(code.error().message)});
    auto kernel = CpuKernel::load(code->machine.image);
    if (!kernel) return std::unexpected(Failure{KC_ABSENT, std::move(kernel.error())});
    all_.push_back(std::make_unique<Loaded>(std::move(*code), std::move(*kernel)));
    form.store(all_.back().get(), std::memory_order_release);
    return all_.back().get();
  }

  std::unique_ptr<Function> thread_;
  bool avx512_, sees_groups_;
  uint32_t given_width_, width_;
  // By whether buffers are small, and the logarithm of the width.
  std::array<std::array<std::atomic<Loaded*>, 7>, 2> forms_{};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Loaded>> all_;
};

}  // namespace

MadeRunner make_cpu_runner(const Function& kernel, const kc_kernel_options& options, bool avx512) {
  CpuFeatures have = cpu_features();
  if (avx512 ? !have.avx512 : !have.avx2)
    return std::unexpected(Failure{KC_ABSENT, avx512 ? "this processor has no AVX-512 (F, BW, DQ, VL)"
                                                     : "this processor has no AVX2, FMA and BMI2"});
  if (options.width && options.width != 8 && options.width != 16 && options.width != 32 &&
      options.width != 64)
    return std::unexpected(Failure{KC_USAGE_ERROR, "the width must be 8, 16, 32 or 64"});
  if (options.max_steps) return std::unexpected(Failure{KC_USAGE_ERROR, "max_steps needs the target interp"});
  return std::make_unique<CpuRunner>(kernel, options, avx512);
}

}  // namespace kc
