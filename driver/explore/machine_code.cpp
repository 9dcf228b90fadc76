// SPDX-License-Identifier: Apache-2.0
// The machines whose code a record shows.
#include "driver/explore/record.h"
#include "driver/explore/registers.h"
#include "host/cpu_code.h"
#include "host/gcn_code.h"

namespace kc {
namespace {

constexpr std::string_view kTargets[] = {"avx2", "gfx900"};

std::expected<std::string, CompileError> assembly_for(KernelCompiler compiler, const TargetDesc& target,
                                                      const LaunchSpec& spec) {
  if (target.is_cpu()) {
    auto cpu = CpuCompiler::create(std::move(compiler), target, 0);
    if (!cpu) return std::unexpected(cpu.error());
    const CpuForm form = cpu->choice().form(spec);
    auto code = cpu->compile(form, true);
    if (!code) return std::unexpected(code.error());
    return assembly_of(*code, form);
  }
  GroupSize local;
  for (size_t d = 0; d < 3; ++d) local[d] = spec.local[d];
  auto program = compile_for_gcn(compiler, target, local);
  if (!program) return std::unexpected(program.error());
  return assembly_of(std::span(&*program, 1));
}

}  // namespace

MachineCode machine_code() { return {kTargets, &assembly_for, &registers_of}; }

}  // namespace kc
