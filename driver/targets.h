// SPDX-License-Identifier: Apache-2.0
// What is written for each target.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/arguments.h"
#include "driver/engines/engines.h"
#include "host/cpu_form.h"
#include "host/targets.h"

namespace kc {

/// What code takes: names as in --emit=json, and counts.
using Resources = std::vector<std::pair<std::string_view, uint64_t>>;

struct X64Code;
Resources resources_of(const X64Code& code, uint32_t lanes);
/// To stderr, "NAME: 12 sgprs, 8 bytes of scratch" of {"sgprs", 12}, {"scratch_bytes", 8}.
void print_resources(const std::string& name, const Resources& resources);

struct Emitted {
  std::string bytes;
  bool binary = false;
  Resources resources;  // of the last kernel
};

/// A kernel after the passes for a target: wave IR, or for Vulkan thread IR as a module can express it.
struct Lowered {
  std::unique_ptr<Function> function;
  CpuForm form{};     // of code for CPUs
  GroupSize local{};  // of the launch or of the kernel, where it is known
  size_t passes_run = 0;
  std::vector<PassTime> times{};           // of these, if the options ask for them
  std::vector<std::string_view> passes{};  // of the machine, if just these are to run
};
/// Prints the table of --time-passes, if the options ask for it and passes have run.
void print_times(const Options& o, std::span<const PassTime> times);
/// The engine of this name; without one an error about `what`, "target" or "route": 4 for a target that code
/// is made for but that nothing here runs, 2 for any other word.
std::expected<const EngineInfo*, DriverError> engine_named(std::string_view what, std::string_view name);
/// Several kernels only for gfx9, whose files hold several. `kind` is asm, machine, obj, hsaco, spirv,
/// spirv-text, or json: nothing but the resources.
std::expected<Emitted, DriverError> emit_for(const TargetDesc& target, std::vector<Lowered> kernels,
                                             const Options& o, const std::string& kind);

}  // namespace kc
