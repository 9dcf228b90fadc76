// SPDX-License-Identifier: Apache-2.0
#include "host/gcn_emulation.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>

namespace kc {
namespace {

// Barriers stand in the code in the order in which they were made.
TrapSite site_of_barrier(const EmulatedGcn& kernel, uint64_t place) {
  const auto end = kernel.object.code.begin() + static_cast<std::ptrdiff_t>(place);
  const auto nth = static_cast<size_t>(std::count_if(
      kernel.object.code.begin(), end, [](const GcnInst& i) { return i.op == Op::gcn_s_barrier; }));
  return kernel.wave->traps[kernel.barrier_sites[nth]];
}

using SiteOf = std::function<TrapSite(uint64_t)>;

std::expected<EmulatedRun, LaunchError> emulate_for(const GcnObject& object, const Function& wave,
                                                    const BoundArguments& bound, const LaunchSpec& spec,
                                                    uint64_t max_steps, const StopFlag* stop,
                                                    const SiteOf& site_of) {
  auto dynamic = dynamic_lds(wave, spec);
  if (!dynamic) return std::unexpected(dynamic.error());
  const KernargLayout layout = kernarg_layout(wave);
  std::vector<uint8_t> kernarg = explicit_arguments(wave, bound.bits);
  kernarg.resize(layout.bytes);
  std::memcpy(kernarg.data() + layout.hidden_offset, spec.offset.data(), sizeof spec.offset);
  GcnOptions options{.stop = stop, .dynamic_lds = *dynamic};
  if (max_steps) options.max_steps = max_steps;
  return emulate_object(object, wave.name, kernarg, bound, spec, options, site_of);
}

}  // namespace

std::expected<EmulatedGcn, CompileError> load_for_emulator(GcnProgram program, GcnReading reading) {
  EmulatedGcn loaded{.wave = std::move(program.wave), .barrier_sites = std::move(program.code.barrier_sites)};
  if (reading == GcnReading::Text) {
    auto object = load_assembly(program.code.assembly);
    if (!object) return std::unexpected(CompileError{CompileError::Internal, object.error()});
    loaded.object = std::move(*object);
    return loaded;
  }
  auto bytes = assemble_gcn(program.code.assembly, program.target);
  if (!bytes) return std::unexpected(compile_error(bytes.error()));
  auto object = load_code_object(*bytes);
  if (!object) return std::unexpected(compile_error(object.error()));
  loaded.object = std::move(*object);
  return loaded;
}

std::expected<EmulatedRun, LaunchError> launch_on_emulator(const EmulatedGcn& kernel,
                                                           const BoundArguments& bound,
                                                           const LaunchSpec& spec, uint64_t max_steps,
                                                           const StopFlag* stop) {
  return emulate_for(kernel.object, *kernel.wave, bound, spec, max_steps, stop,
                     [&](uint64_t place) { return site_of_barrier(kernel, place); });
}

std::expected<EmulatedRun, LaunchError> launch_assembly(const GcnObject& object, const Function& wave,
                                                        const BoundArguments& bound, const LaunchSpec& spec,
                                                        uint64_t max_steps, const StopFlag* stop) {
  return emulate_for(object, wave, bound, spec, max_steps, stop, [&](uint64_t place) {
    return TrapSite{.kind = TrapKind::DivergentBarrier, .loc = {.line = object.code[place].line}};
  });
}

std::expected<EmulatedRun, LaunchError> emulate_object(const GcnObject& object, std::string_view kernel,
                                                       std::span<const uint8_t> kernarg,
                                                       const BoundArguments& bound, const LaunchSpec& spec,
                                                       const GcnOptions& options,
                                                       const std::function<TrapSite(uint64_t)>& site_of) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  GcnResult ran = run_gcn(object, kernel, spec, kernarg, bound.ranges, options);
  EmulatedRun run{.ms = duration<double, std::milli>(steady_clock::now() - start).count()};
  if (ran.status == GcnResult::Error)
    return std::unexpected(LaunchError{ran.out_of_bounds ? LaunchError::OutOfBounds : LaunchError::Stopped,
                                       std::move(ran.message)});
  run.trap = bound.trap();
  for (const StrandedItem& s : ran.stranded)
    add_trap(run.trap, {.site = site_of(s.place), .global_id = s.global_id, .count = 1});
  run.counters = ran.counters;
  return run;
}

}  // namespace kc
