// SPDX-License-Identifier: Apache-2.0
// The reference: one work-item at a time, with every access checked against the buffers.
#include "api/runner.h"
#include "sim/interpreter/thread_interpreter.h"

namespace kc {
namespace {

class Interpreter : public Runner {
 public:
  Interpreter(const Function& kernel, const kc_kernel_options& options)
      : Runner(options),
        checked_(options.check_bounds ? check_accesses(kernel) : nullptr),
        kernel_(checked_ ? *checked_ : kernel),
        interpreter_(kernel_),
        memories_(kernel_),
        max_steps_(options.max_steps) {}

  const char* target() const override { return "interp"; }
  std::expected<void, Failure> prepare(const LaunchSpec&) override { return {}; }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments, unsigned,
                                                           PrintedText& printed) override {
    LaunchMemories::Loan memory(memories_);
    if (auto ok = read_arguments(kernel_, arguments, *memory); !ok) return std::unexpected(ok.error());
    spec.small_buffers = false;
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    ThreadRunOptions options{.memory = memory->bound.ranges};
    if (max_steps_) options.max_steps = max_steps_;
    ThreadRunResult r = interpreter_.run(spec, memory->bound.bits, options);
    printed = memory->bound.printed();
    if (r.address) r.message += ", " + memory->bound.describe_address(r.address);
    if (!r.ok() && r.status != RunStatus::Trapped)
      return std::unexpected(Failure{KC_STOPPED, std::move(r.message)});
    return std::move(r.trap);
  }

 private:
  std::unique_ptr<Function> checked_;
  const Function& kernel_;
  ThreadInterpreter interpreter_;
  LaunchMemories memories_;
  uint64_t max_steps_;
};

}  // namespace

MadeRunner make_interpreter(const Function& kernel, const kc_kernel_options& options) {
  return std::make_unique<Interpreter>(kernel, options);
}

}  // namespace kc
