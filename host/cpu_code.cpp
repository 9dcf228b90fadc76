// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_code.h"

#include "host/pipelines.h"

namespace kc {

std::expected<CpuCode, CpuCodeError> compile_for_cpu(const Function& thread, const CpuForm& form) {
  CpuCode code;
  code.wave = make_wave(thread, {.width = form.width, .small_buffers = form.small_buffers});
  X64Options options{.avx512 = form.avx512, .small_buffers = form.small_buffers};
  if (auto reasons = check_x64(*code.wave, options); !reasons.empty())
    return std::unexpected(CpuCodeError{true, reasons.front()});
  auto machine = compile_x64(*code.wave, options);
  if (!machine) return std::unexpected(CpuCodeError{false, machine.error()});
  code.machine = std::move(*machine);
  code.private_bytes = lay_out_objects(*code.wave, kPtrPrivate).size;
  return code;
}

std::expected<std::optional<TrapReport>, std::string> launch_on_cpu(const CpuCode& code,
                                                                    const CpuKernel& kernel,
                                                                    const BoundArguments& bound,
                                                                    const LaunchSpec& spec,
                                                                    unsigned threads) {
  CpuLaunch launch{.dims = spec.dims,
                   .global = spec.global,
                   .local = spec.local,
                   .offset = spec.offset,
                   .local_bytes = static_cast<uint32_t>(spec.local_bytes),
                   .private_bytes = static_cast<uint32_t>(code.private_bytes),
                   .threads = threads};
  auto ran = kernel.run(launch, bound.bits);
  if (!ran) return std::unexpected(ran.error());
  std::optional<TrapReport> trap = bound.trap();
  if (const auto& late = ran->divergent_barrier)
    add_trap(trap, {.site = code.wave->traps[late->site],
                    .value = 0,
                    .global_id = late->global_id,
                    .count = late->count});
  return trap;
}

}  // namespace kc
