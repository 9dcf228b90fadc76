// SPDX-License-Identifier: Apache-2.0
#include "host/gcn_code.h"

namespace kc {

std::expected<GcnProgram, CompileError> compile_wave_for_gcn(std::unique_ptr<Function> wave,
                                                             const TargetDesc& target,
                                                             const GroupSize& local) {
  if (auto reasons = check_gcn(*wave); !reasons.empty())
    return std::unexpected(CompileError{CompileError::Unsupported, reasons.front()});
  const GcnTarget machine{.cpu = std::string(target.name), .group_items = local[0] * local[1] * local[2]};
  auto code = compile_gcn(*wave, machine);
  if (!code) return std::unexpected(CompileError{CompileError::Unsupported, code.error()});
  return GcnProgram{std::move(wave), machine, std::move(*code)};
}

std::expected<GcnProgram, CompileError> compile_for_gcn(const KernelCompiler& kernel,
                                                        const TargetDesc& target, const GroupSize& local) {
  auto wave = kernel.wave(target, {.width = target.wave_lanes, .ids = target.ids(local)});
  if (!wave) return std::unexpected(wave.error());
  return compile_wave_for_gcn(std::move(wave->function), target, local);
}

}  // namespace kc
