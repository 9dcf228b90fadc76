// SPDX-License-Identifier: Apache-2.0
// Code for gfx9 in the emulator. It is made for groups of one size, so each size of group has a form.
#include "api/forms.h"
#include "host/gcn_emulation.h"

namespace kc {
namespace {

struct EmulatedForm {
  explicit EmulatedForm(EmulatedGcn made) : code(std::move(made)), memories(*code.wave) {}
  EmulatedGcn code;
  LaunchMemories memories;
};

class EmulatorRunner : public Runner {
 public:
  EmulatorRunner(const Function& kernel, const kc_kernel_options& options, const TargetDesc& machine,
                 KernelCompiler compiler)
      : Runner(options),
        kernel_(kernel),
        machine_(machine),
        compiler_(std::move(compiler)),
        max_steps_(options.max_steps) {}

  const char* target() const override { return machine_.name.data(); }

  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    return {};
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments, unsigned,
                                                           PrintedText& printed) override {
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(kernel_, arguments, *memory); !ok) return std::unexpected(ok.error());
    spec.small_buffers = false;  // addresses have 64 bits
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    auto ran = launch_on_emulator((*form)->code, memory->bound, spec, max_steps_);
    printed = memory->bound.printed();
    if (!ran) return std::unexpected(failure_of(ran.error()));
    return std::move(ran->trap);
  }

 private:
  std::expected<EmulatedForm*, Failure> loaded(const GroupSize& local) {
    return forms_.find(local, [&]() -> std::expected<std::unique_ptr<EmulatedForm>, Failure> {
      auto program = compile_for_gcn(compiler_, machine_, local);
      if (!program) return std::unexpected(failure_of(program.error()));
      // A library starts no processes where it need not.
      auto code = load_for_emulator(std::move(*program), GcnReading::Text);
      if (!code) return std::unexpected(failure_of(code.error()));
      return std::make_unique<EmulatedForm>(std::move(*code));
    });
  }

  const Function& kernel_;
  const TargetDesc& machine_;
  KernelCompiler compiler_;
  uint64_t max_steps_;
  Forms<GroupSize, EmulatedForm> forms_;
};

}  // namespace

MadeRunner make_emulator_runner(const Function& kernel, const kc_kernel_options& options,
                                const TargetDesc& machine) {
  auto compiler = KernelCompiler::start(kernel, compile_options(options));
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<EmulatorRunner>(kernel, options, machine, std::move(*compiler));
}

}  // namespace kc
