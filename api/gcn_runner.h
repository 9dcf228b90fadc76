// SPDX-License-Identifier: Apache-2.0
// What the emulator and HIP have in common: code for gfx9 is made for groups of one size, so each size of
// group has a form.
#pragma once

#include "api/forms.h"
#include "host/targets.h"

namespace kc {

/// `Code` has the wave function that it was made of.
template <typename Code>
class GcnRunner : public Runner {
 public:
  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    return {};
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments, unsigned,
                                                           PrintedText& printed) override {
    if (std::string why = refusal(spec); !why.empty()) return wrong(KC_USAGE_ERROR, std::move(why));
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(kernel_, arguments, *memory); !ok) return std::unexpected(ok.error());
    spec.small_buffers = false;  // addresses have 64 bits
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    auto trap = run((*form)->code, *memory, spec);
    printed = memory->bound.printed();
    if (!trap) return std::unexpected(failure_of(trap.error()));
    return std::move(*trap);
  }

 protected:
  GcnRunner(const Function& kernel, const kc_kernel_options& options, KernelCompiler compiler)
      : Runner(options), kernel_(kernel), compiler_(std::move(compiler)) {}

 private:
  struct Form {
    explicit Form(Code made) : code(std::move(made)), memories(*code.wave) {}
    Code code;
    LaunchMemories memories;
  };

  /// Why there are no launches of these sizes; empty if there are.
  virtual std::string refusal(const LaunchSpec&) const { return {}; }
  virtual std::expected<Code, CompileError> make(const KernelCompiler& compiler, const GroupSize& local) = 0;
  virtual std::expected<std::optional<TrapReport>, LaunchError> run(const Code& code, LaunchMemory& memory,
                                                                    const LaunchSpec& spec) = 0;

  std::expected<Form*, Failure> loaded(const GroupSize& local) {
    return forms_.find(local, [&]() -> std::expected<std::unique_ptr<Form>, Failure> {
      auto code = make(compiler_, local);
      if (!code) return std::unexpected(failure_of(code.error()));
      return std::make_unique<Form>(std::move(*code));
    });
  }

  const Function& kernel_;
  KernelCompiler compiler_;
  Forms<GroupSize, Form> forms_;
};

}  // namespace kc
