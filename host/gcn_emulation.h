// SPDX-License-Identifier: Apache-2.0
// Code for gfx9 in the emulator: loaded, and launched on memory of this process.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "host/gcn_code.h"
#include "host/launches.h"
#include "sim/gcn/emulator.h"

namespace kc {

/// How the emulator gets the code.
enum class GcnReading : uint8_t {
  Object,  // LLVM's tools assemble it, link it and take it apart again, each a process of its own
  Text,    // it reads the assembly itself and starts no process
};

/// A kernel that the emulator runs. It does not change, so several launches may use it at the same time.
struct EmulatedGcn {
  std::unique_ptr<Function> wave;
  GcnObject object;
  std::vector<uint32_t> barrier_sites;  // as in GcnCode
};

/// For machines that are emulated (gcn::find_emulated). CompileError::Absent if a tool is not installed.
std::expected<EmulatedGcn, CompileError> load_for_emulator(GcnProgram program, GcnReading reading);

struct EmulatedRun {
  std::optional<TrapReport> trap;  // noted by lowered code, or found by the emulator: divergent barriers
  GcnCounters counters;
  double ms = 0;  // that the emulation took
};

/// Runs once. `bound` was made for the wave function and bound to this launch; `spec` has the size of the
/// local memory that binding sets. `max_steps`: instructions of all waves together, or 0 for very many;
/// `stop` ends the launch earlier. LaunchError::Unsupported if a group has too little local memory, Stopped
/// if the emulator found an error.
std::expected<EmulatedRun, LaunchError> launch_on_emulator(const EmulatedGcn& kernel,
                                                           const BoundArguments& bound,
                                                           const LaunchSpec& spec, uint64_t max_steps,
                                                           const StopFlag* stop = nullptr);

/// The same for other code with the name and the parameters of the wave function: assembly that somebody has
/// written, read by load_assembly.
std::expected<EmulatedRun, LaunchError> launch_assembly(const GcnObject& object, const Function& wave,
                                                        const BoundArguments& bound, const LaunchSpec& spec,
                                                        uint64_t max_steps, const StopFlag* stop = nullptr);

/// The same for a kernel of any object, with its kernarg segment. `site_of` tells of a barrier, by its index
/// in the object's code, what a work-item that waits there forever is said to have met.
std::expected<EmulatedRun, LaunchError> emulate_object(const GcnObject& object, std::string_view kernel,
                                                       std::span<const uint8_t> kernarg,
                                                       const BoundArguments& bound, const LaunchSpec& spec,
                                                       const GcnOptions& options,
                                                       const std::function<TrapSite(uint64_t)>& site_of);

}  // namespace kc
