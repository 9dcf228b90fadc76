// SPDX-License-Identifier: Apache-2.0
// A kernel as machine code of this processor.
#include <fmt/format.h>

#include <optional>

#include "driver/engines/engine_list.h"
#include "host/cpu_code.h"
#include "host/cpu_trial.h"
#include "ir/text.h"
#include "sim/x64/emulator.h"

namespace kc {
namespace {

constexpr size_t kStackBytes = 4096;  // of emulated code: saved registers

class CpuEngine : public Engine {
 public:
  CpuEngine(const EngineOptions& options, const TargetDesc& target) : options_(options), target_(target) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    CpuFeatures features = options_.emulate ? CpuFeatures() : cpu_features();
    emulated_ = !(features.*target_.needs);
    if (emulated_ && !x64_disassembler_present())
      return {.status = EngineStatus::Absent,
              .message = fmt::format("this processor has no {}, and the emulator needs llvm-objdump-19",
                                     target_.features)};
    double start = now_ms();
    spec_ = spec;
    CpuForm form;
    auto code = compile(program, form);
    if (!code) return not_compiled(code.error());
    code_ = std::move(*code);
    if (options_.adapt && compiler_ && !emulated_)
      trial_ = CpuTrial::create(
          compiler_->choice(), [this](const CpuRival& rival) { return compiler_->compile(rival); }, form,
          code_, spec);
    packed_ = form.layout.packed && !form.layout.copies;
    if (options_.keep_form) assembly_ = assembly_of(code_, form);
    if (auto error = load(); !error.empty()) return {.status = EngineStatus::Failed, .message = error};
    compile_ms = now_ms() - start;
    stats_ = {{"code_bytes", static_cast<double>(code_.machine.code_bytes)},
              {"spills", static_cast<double>(code_.machine.spills)},
              {"width", static_cast<double>(form.width)}};
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *code_.wave, spec_);
    // What emulated code may touch, without what belongs to the wave.
    ranges_ = bound.ranges;
    args_ = {reinterpret_cast<uint64_t>(bound.bits.data()), bound.bits.size() * sizeof bound.bits[0]};
    error_.clear();
    double start = now_ms();
    std::optional<CodeFault> fault;
    auto trap =
        launch_on_cpu(code_, *kernel_, bound, spec_, emulated_ ? 1 : options_.threads, &fault, trial_.get());
    double ms = now_ms() - start;
    if (!trap) return {.status = EngineStatus::Failed, .message = trap.error()};
    if (fault && fault->interrupted)
      return {.status = EngineStatus::Failed, .message = "interrupted", .stopped_at = fault->loc};
    if (fault)
      return {.status = EngineStatus::Failed,
              .message = describe(*fault, bound),
              .printed = bound.printed(),
              .out_of_bounds = true};
    if (!error_.empty()) return {.status = EngineStatus::Failed, .message = error_};
    EngineResult r;
    r.trap = std::move(*trap);
    r.printed = bound.printed();
    if (r.trap) r.status = EngineStatus::Trapped;
    r.launch_ms = ms;
    if (emulated_) r.message = "emulated", r.emulated = true;
    r.stats = stats_;
    if (trial_) add_forms(r);
    return r;
  }

  void add_forms(EngineResult& r) const {
    const FormTrial& trial = trial_->forms();
    const auto times = trial.times();
    for (unsigned k = 0; k < trial.count(); ++k)
      if (times[k].tasks)
        r.forms.push_back({.form = trial_->describe(k),
                           .tasks = times[k].tasks,
                           .ms = times[k].nanoseconds / 1e6,
                           .chosen = trial.chosen() == static_cast<int>(k)});
  }

  std::string describe(const CodeFault& fault, const BoundArguments& bound) const {
    return fmt::format("access out of bounds at {}: {}", describe_line(*code_.wave, fault.loc),
                       fault.address ? bound.describe_address(fault.address) : "no memory has this address");
  }

  void stop() override { FaultHandler::interrupt(); }

  std::optional<FormText> form() const override { return FormText{"s", assembly_}; }
  std::optional<SubGroups> sub_groups() const override { return SubGroups{code_.wave->width, !packed_}; }

 private:
  std::expected<CpuCode, CompileError> compile(const Program& program, CpuForm& form) {
    if (const auto& text = program.lowered) {
      form = text->form;
      return compile_wave_for_cpu(std::make_unique<Function>(*text->function), form, options_.keep_form,
                                  watch_of(program));
    }
    auto compiler = CpuCompiler::create(*program.compiler, target_, options_.width);
    if (!compiler) return std::unexpected(compiler.error());
    compiler_.emplace(std::move(*compiler));
    form = compiler_->choice().form(spec_);
    return compiler_->compile(form, options_.keep_form);
  }

  // The machine code itself, or the emulator running its bytes where this processor cannot.
  std::string load() {
    const X64Code& code = code_.machine;
    if (!emulated_) {
      auto kernel = CpuKernel::load(code.image);
      if (!kernel) return kernel.error();
      kernel_.emplace(std::move(*kernel));
      return {};
    }
    auto program = load_x64(code.image.code, code.code_bytes);
    if (!program) return program.error();
    kernel_.emplace(
        CpuKernel::load(code.image, [this, program = *program](CpuWaveContext* c) { emulate(program, c); }));
    return {};
  }

  void emulate(const X64Program& program, CpuWaveContext* c) {
    std::vector<MemoryRange> ranges = ranges_;
    auto add = [&](const void* p, uint64_t bytes) {
      if (p) ranges.push_back({reinterpret_cast<uint64_t>(p), bytes});
    };
    add(c->local_memory, (spec_.local_bytes + 3) / 4 * 4);  // bytes are read in words
    for (const CpuWaveContext* w = c;; ++w) {               // it goes on with those of the group
      add(w, sizeof *w);
      if (packed_) add(w->steps, 3 * code_.wave->width * sizeof *w->steps);
      add(w->private_memory, code_.private_bytes * code_.wave->width);
      add(w->frame, code_.machine.frame_bytes);
      if (w->followed != kMeets) break;
    }
    if (error_.empty()) {
      const MemoryRange spare{reinterpret_cast<uint64_t>(c->local_memory) + spec_.local_bytes, kSpareBytes};
      X64Result r = run_x64(program, c, ranges,
                            {.stack_bytes = kStackBytes + code_.machine.frame_bytes,
                             .constant = {&args_, 1},
                             .spare = {&spare, c->local_memory ? size_t{1} : 0}});
      if (!r.ok()) error_ = r.message;
    }
    if (!error_.empty()) c->resume = 0;  // the wave ends here
  }

  EngineOptions options_;
  const TargetDesc& target_;
  bool emulated_ = false, packed_ = false;
  std::vector<MemoryRange> ranges_;
  MemoryRange args_;
  std::string error_, assembly_;
  LaunchSpec spec_;
  std::optional<CpuCompiler> compiler_;
  CpuCode code_;
  std::optional<CpuKernel> kernel_;
  std::unique_ptr<CpuTrial> trial_;
  FaultHandler faults_;  // not one for each launch: that would be in its time
  std::vector<std::pair<std::string, double>> stats_;
};

}  // namespace

std::unique_ptr<Engine> make_avx2_engine(const EngineOptions& o) {
  return std::make_unique<CpuEngine>(o, *find_target("avx2"));
}
std::unique_ptr<Engine> make_avx512_engine(const EngineOptions& o) {
  return std::make_unique<CpuEngine>(o, *find_target("avx512"));
}
std::unique_ptr<Engine> make_cpu_engine(const EngineOptions& o) {
  return std::make_unique<CpuEngine>(o, *find_target("cpu"));
}

}  // namespace kc
