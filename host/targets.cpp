// SPDX-License-Identifier: Apache-2.0
#include "host/targets.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "backends/gcn/isa/models.h"

namespace kc {
namespace {

constexpr TargetDesc cpu(std::string_view name, uint32_t vector_lanes, bool CpuFeatures::*needs,
                         std::string_view features) {
  return {.name = name,
          .family = TargetFamily::Cpu,
          .costs = kCpuCosts,
          .vector_lanes = vector_lanes,
          .needs = needs,
          .features = features,
          .private_units = PrivateUnits::Elements};
}

// gfx9 computes some uniform values, 64-bit products for one, in vector registers, and has 64-bit addresses
// in its memory instructions.
constexpr TargetDesc gfx9(const gcn::MachineModel& model) {
  return {.name = model.cpu,
          .family = TargetFamily::Gcn,
          .costs = kGcnCosts,
          .wave_lanes = model.wave_lanes,
          .linear_waves = true,
          .buffer_offsets = false,
          .uniform_needs_lanes = true};
}

// CPUs, all machines of gcn::kModels, and Vulkan.
constexpr auto kTargets = [] {
  std::array<TargetDesc, 3 + std::size(gcn::kModels)> all{};
  auto next = all.begin();
  *next++ = cpu("avx2", 8, &CpuFeatures::avx2, "AVX2, FMA and BMI2");
  *next++ = cpu("avx512", 16, &CpuFeatures::avx512, "AVX-512 (F, BW, CD, DQ, VL)");
  for (const gcn::MachineModel& model : gcn::kModels) *next++ = gfx9(model);
  *next = {.name = "vulkan", .family = TargetFamily::Vulkan, .costs = kVulkanCosts};
  return all;
}();
constexpr TargetDesc kInterpreter{.name = "interp", .private_units = PrivateUnits::Elements};

const TargetDesc& best_cpu() {
  const CpuFeatures have = cpu_features();
  const TargetDesc* best = nullptr;
  for (const TargetDesc& t : kTargets)
    if (t.is_cpu() && (!best || have.*t.needs)) best = &t;
  return *best;
}

}  // namespace

UniformityOptions TargetDesc::ids(const GroupSize& local) const {
  if (!linear_waves) return {};
  const bool unknown = !local[0];  // any shape
  return {.lane_y = unknown || local[1] > 1 || local[2] > 1, .lane_z = unknown || local[2] > 1};
}

WaveOptions TargetDesc::wave_options(const WaveConfig& config) const {
  return {.width = config.width,
          .uniformity = config.uniformity(),
          .costs = costs,
          .small_buffers = config.small_buffers && buffer_offsets,
          .uniform_needs_lanes = uniform_needs_lanes,
          .small_lanes = vector_lanes != 0 && config.width > vector_lanes,
          .private_units = config.width == 1 ? PrivateUnits::Plain : private_units};
}

std::span<const TargetDesc> targets() { return kTargets; }

const TargetDesc* find_target(std::string_view name) {
  if (name == "cpu") return &best_cpu();
  auto found = std::ranges::find(kTargets, name, &TargetDesc::name);
  return found == std::end(kTargets) ? nullptr : &*found;
}

std::string target_names() {
  std::string s = "cpu";
  for (const TargetDesc& t : kTargets) s += ", " + std::string(t.name);
  return s;
}

const TargetDesc& interpreter_target() { return kInterpreter; }

}  // namespace kc
