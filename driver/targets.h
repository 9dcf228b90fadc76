// SPDX-License-Identifier: Apache-2.0
// What can be compiled for: one row a target.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "driver/arguments.h"

namespace kc {

struct Emitted {
  std::string bytes;
  bool binary = false;
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
  /// hsaco, spirv or spirv-text.
  std::expected<Emitted, DriverError> (*emit)(const TargetInfo& target,
                                              std::span<const Function* const> kernels,
                                              const Options& options, const std::string& kind);
};
const TargetInfo* find_target(std::string_view name);
std::string target_names();
std::expected<Emitted, DriverError> emit_for(std::string_view target,
                                             std::span<const Function* const> kernels, const Options& o,
                                             const std::string& kind);

}  // namespace kc
