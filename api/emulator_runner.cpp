// SPDX-License-Identifier: Apache-2.0
// Code for gfx9 in the emulator.
#include "api/gcn_runner.h"
#include "host/gcn_emulation.h"

namespace kc {
namespace {

class EmulatorRunner : public GcnRunner<EmulatedGcn> {
 public:
  EmulatorRunner(const Function& kernel, const kc_kernel_options& options, const TargetDesc& machine,
                 KernelCompiler compiler)
      : GcnRunner(kernel, options, std::move(compiler)), machine_(machine), max_steps_(options.max_steps) {}

  const char* target() const override { return machine_.name.data(); }

 private:
  std::expected<EmulatedGcn, CompileError> make(const KernelCompiler& compiler,
                                                const GroupSize& local) override {
    auto program = compile_for_gcn(compiler, machine_, local);
    if (!program) return std::unexpected(std::move(program.error()));
    // A library starts no processes where it need not.
    return load_for_emulator(std::move(*program), GcnReading::Text);
  }

  std::expected<std::optional<TrapReport>, LaunchError> run(const EmulatedGcn& code, LaunchMemory& memory,
                                                            const LaunchSpec& spec) override {
    auto ran = launch_on_emulator(code, memory.bound, spec, max_steps_);
    if (!ran) return std::unexpected(std::move(ran.error()));
    return std::move(ran->trap);
  }

  const TargetDesc& machine_;
  uint64_t max_steps_;
};

}  // namespace

MadeRunner make_emulator_runner(const Function& kernel, const kc_kernel_options& options,
                                const TargetDesc& machine) {
  auto compiler = KernelCompiler::start(kernel, compile_options(options));
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<EmulatorRunner>(kernel, options, machine, std::move(*compiler));
}

}  // namespace kc
