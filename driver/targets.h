// SPDX-License-Identifier: Apache-2.0
// What can be compiled for: one row a target.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/arguments.h"
#include "driver/engines/engines.h"

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

struct TargetInfo {
  std::string_view name;
  /// Lanes of a wave, unless the user says; null: compiled from thread IR.
  uint32_t (*width)(const Function& thread) = nullptr;
  bool is_vulkan = false;
  // Waves hold the linear ids of a group, so that y and z may differ between lanes, and a file may hold
  // several kernels.
  bool packed = false;
  /// The functions are wave IR, or thread IR for Vulkan; several only where `packed`. `kind` is asm, obj,
  /// hsaco, spirv, spirv-text, or json: nothing but the resources.
  std::expected<Emitted, DriverError> (*emit)(const TargetInfo& target,
                                              std::span<const Function* const> kernels,
                                              const Options& options, const std::string& kind);
};
const TargetInfo* find_target(std::string_view name);
std::string target_names();
/// The engine of this name; without one an error about `what`, "target" or "route": 4 for a target that code
/// is made for but that nothing here runs, 2 for any other word.
std::expected<const EngineInfo*, DriverError> engine_named(std::string_view what, std::string_view name);
std::expected<Emitted, DriverError> emit_for(std::string_view target,
                                             std::span<const Function* const> kernels, const Options& o,
                                             const std::string& kind);

}  // namespace kc
