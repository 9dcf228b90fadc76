// SPDX-License-Identifier: Apache-2.0
#include "host/vulkan_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "passes/lower/lower_sub_groups.h"
#include "runtime/cache/cache_file.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc {
namespace {

std::unexpected<CompileError> unsupported(std::string message) {
  return std::unexpected(CompileError{CompileError::Unsupported, std::move(message)});
}

// Why the device cannot run the kernel's sub-groups, or nothing.
std::string wrong_lanes(const Function& f, const VulkanDeviceInfo& info, const SpirvLaunches& launches) {
  if (!uses_sub_groups(f)) return {};
  if (!launches.sub_group_lanes)
    return fmt::format(
        "kernel {}: not supported by vulkan: {} does not promise which work-items of a sub-group are "
        "together",
        f.name, info.name);
  if (!f.reqd_sub_group || f.reqd_sub_group == launches.sub_group_lanes) return {};
  return fmt::format("@{} needs sub-groups of {} work-items, and {} has {}", f.name, f.reqd_sub_group,
                     info.name, launches.sub_group_lanes);
}

}  // namespace

VulkanOptions vulkan_device_options() {
  VulkanOptions options;
  if (const char* name = std::getenv("KERNELC_VULKAN_DEVICE")) options.device_name = name;
  const char* validation = std::getenv("KERNELC_VULKAN_VALIDATION");
  options.validation = validation && *validation && std::strcmp(validation, "0") != 0;
  options.cache_folder = cache_folder("KERNELC_VULKAN_CACHE");
  return options;
}

SpirvOptions spirv_options(const VulkanDeviceInfo& info, const GroupSize& local) {
  SpirvOptions o;
  for (size_t d = 0; d < 3; ++d) o.local_size[d] = static_cast<uint32_t>(local[d]);
  o.fused_fma32 = info.fused_fma32;
  o.fused_fma64 = info.fused_fma64;
  o.rounding_even32 = info.rounding_even32;
  o.rounding_even64 = info.rounding_even64;
  o.signed_zero_inf_nan_preserve32 = info.signed_zero_inf_nan_preserve32;
  o.signed_zero_inf_nan_preserve64 = info.signed_zero_inf_nan_preserve64;
  o.guard_loop_values = info.loses_loop_values;
  o.detect_loop_limits = info.stops_long_loops;
  o.hide_sign_extension = info.breaks_wide_compares;
  o.lanes_of_rows = info.lane_order == VulkanLaneOrder::Rows ? info.subgroup_size : 0;
  return o;
}

SpirvLaunches spirv_launches(const VulkanDeviceInfo& info, bool small_buffers) {
  const bool meet = info.work_items_meet && info.lane_order != VulkanLaneOrder::None;
  return {.small_buffers = small_buffers,
          .sub_group_lanes = meet ? info.subgroup_size : 0,
          .sub_group_rows = info.lane_order == VulkanLaneOrder::Rows};
}

WaveConfig wave_config(const SpirvLaunches& launches) {
  return {.width = launches.sub_group_lanes,
          .ids = {.lane_y = !launches.sub_group_rows, .lane_z = !launches.sub_group_rows},
          .small_buffers = launches.small_buffers};
}

std::expected<Passed, CompileError> lower_for_vulkan(const KernelCompiler& kernel, const Passed& thread,
                                                     const SpirvLaunches& launches) {
  auto lowered = kernel.lower_for_spirv(thread, wave_config(launches));
  if (!lowered || lowered->stopped) return lowered;
  if (auto problems = check_spirv(*lowered->function, launches); !problems.empty())
    return unsupported(problems.front().message);
  return lowered;
}

std::expected<void, CompileError> check_image(const VulkanImage& image) {
  constexpr uint32_t kDeep = 200;
  if (auto limit = spirv_limit(image); !limit.empty()) return unsupported(std::move(limit));
  if (image.nesting > kDeep) return {};
  auto valid = validate_spirv(image.words);
  if (valid.status == SpirvToolsStatus::Failed)
    return std::unexpected(CompileError{CompileError::Internal, "the module is not valid: " + valid.text});
  return {};
}

std::expected<VulkanCode, CompileError> compile_for_vulkan(const KernelCompiler& kernel,
                                                           const VulkanDeviceInfo& info,
                                                           const GroupSize& local, bool small_buffers) {
  const SpirvLaunches launches = spirv_launches(info, small_buffers);
  auto thread = kernel.thread(*find_target("vulkan"));
  if (!thread) return std::unexpected(thread.error());
  if (std::string why = wrong_lanes(*thread->function, info, launches); !why.empty())
    return unsupported(std::move(why));
  auto lowered = lower_for_vulkan(kernel, *thread, launches);
  if (!lowered) return std::unexpected(lowered.error());
  VulkanCode code{.function = std::move(lowered->function), .image = {}};
  code.image = emit_spirv(*code.function, spirv_options(info, local));
  if (auto ok = check_image(code.image); !ok) return std::unexpected(ok.error());
  return code;
}

std::vector<uint32_t> local_lengths(const VulkanImage& image, std::span<const ArgumentValue> values,
                                    const LaunchSpec& spec) {
  std::vector<uint32_t> lengths;
  for (const VulkanLocalLength& length : image.local_lengths) {
    const uint64_t bytes =
        length.param < 0 ? spec.local_bytes - kFirstOffset : values[static_cast<size_t>(length.param)].bits;
    lengths.push_back(static_cast<uint32_t>(std::max<uint64_t>((bytes + length.unit - 1) / length.unit, 1)));
  }
  return lengths;
}

std::expected<DeviceRun, LaunchError> launch_on_vulkan(VulkanDevice& device, const VulkanKernel& kernel,
                                                       const BoundArguments& bound, const LaunchSpec& spec,
                                                       const std::vector<bool>& constant) {
  const VulkanImage& image = kernel.image();
  const DeviceBlocks blocks = device_blocks(bound.ranges);
  std::vector<VulkanBuffer> copies;
  std::vector<uint64_t> addresses;
  for (const DeviceBlock& b : blocks.blocks) {
    auto copy = device.create_buffer(b.bytes());
    if (!copy) return std::unexpected(launch_error(copy.error()));
    if (b.size)
      std::memcpy(copy->bytes().data() + b.padding(), reinterpret_cast<const void*>(b.base), b.size);
    addresses.push_back(copy->address());
    copies.push_back(std::move(*copy));
  }
  const std::vector<uint64_t> bits = device_bits(bound, blocks, addresses);
  VulkanLaunch launch{.dims = spec.dims, .global = spec.global, .offset = spec.offset, .params = {}};
  launch.params.resize(image.params_size);
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(launch.params.data() + image.params[i].offset, &bits[i], image.params[i].size);
  auto ms = device.launch(kernel, launch);
  if (!ms) return std::unexpected(launch_error(ms.error()));
  for (size_t k = 0; k < copies.size(); ++k) {
    const std::optional<int64_t> beside = copies[k].overrun();
    if (!beside) continue;
    const DeviceBlock& b = blocks.blocks[k];
    const uint64_t address = b.base - b.padding() + static_cast<uint64_t>(*beside);
    return std::unexpected(
        LaunchError{LaunchError::OutOfBounds,
                    fmt::format("a store outside the buffers, {}", bound.describe_address(address))});
  }
  for (size_t i = 0; i < bound.ranges.size(); ++i) {
    const MemoryRange& r = bound.ranges[i];
    if (!r.size || (i < constant.size() && constant[i])) continue;
    const DeviceBlock& b = blocks.blocks[blocks.block_of[i]];
    std::memcpy(reinterpret_cast<void*>(r.base),
                copies[blocks.block_of[i]].bytes().data() + b.padding() + (r.base - b.base), r.size);
  }
  return DeviceRun{bound.trap(), *ms};
}

}  // namespace kc
