// SPDX-License-Identifier: Apache-2.0
// The machines that code is compiled for, one row each: what passes and the choice of forms must know of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "passes/analysis/costs.h"
#include "passes/analysis/uniformity.h"
#include "passes/lower/lower_to_wave.h"
#include "runtime/cpu/features.h"

namespace kc {

enum class TargetFamily : uint8_t {
  Interpreter,  // ours: they run thread IR or waves of any width
  Cpu,          // AVX2, AVX-512
  Gcn,          // gfx9
  Vulkan,       // devices that mask lanes themselves
};

/// Groups of a launch, as far as it is known: {0, 0, 0} if it is not.
using GroupSize = std::array<uint64_t, 3>;

/// What a wave function is made for.
struct WaveConfig {
  uint32_t width = 16;        // lanes
  UniformityOptions ids{};    // which ids differ between the lanes
  bool small_buffers = true;  // all buffers of the launches are smaller than 2 GiB
  /// What differs between the lanes: nothing, if there is but one.
  UniformityOptions uniformity() const { return width > 1 ? ids : UniformityOptions{.lane_x = false}; }
};

struct TargetDesc {
  std::string_view name;
  TargetFamily family = TargetFamily::Interpreter;
  TargetCosts costs = kCpuCosts;
  uint32_t wave_lanes = 0;  // of every wave, if the machine fixes them
  // Of CPUs: 32-bit elements of a vector register, and what a processor has that runs the code.
  uint32_t vector_lanes = 0;
  bool CpuFeatures::*needs = nullptr;
  std::string_view features = {};
  bool linear_waves = false;         // a wave holds consecutive linear ids of its group, across rows
  bool buffer_offsets = true;        // a 32-bit offset from a buffer is cheaper than a pointer in each lane
  bool uniform_needs_lanes = false;  // some uniform values are computed on the lanes
  PrivateUnits private_units = PrivateUnits::Words;  // of waves with more than one lane

  bool is_cpu() const { return family == TargetFamily::Cpu; }
  bool avx512() const { return needs == &CpuFeatures::avx512; }
  /// Which ids differ between the lanes of a wave in groups of this size, if waves do not follow rows.
  UniformityOptions ids(const GroupSize& local) const;
  WaveOptions wave_options(const WaveConfig& config) const;
};

/// All targets that code is compiled for.
std::span<const TargetDesc> targets();
/// The target of this name, or null. "cpu" is the best CPU of the table that this processor runs, else the
/// first.
const TargetDesc* find_target(std::string_view name);
/// "cpu, avx2, ..."
std::string target_names();
/// Stands for no machine: thread IR and waves for the interpreters, with the costs of a CPU.
const TargetDesc& interpreter_target();

}  // namespace kc
