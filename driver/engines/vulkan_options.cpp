// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/vulkan_options.h"

#include <cstdlib>
#include <cstring>

namespace kc {

namespace {

// KERNELC_VULKAN_CACHE, or where the XDG base directories have a user's caches; empty for none.
std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (std::string chosen = variable("KERNELC_VULKAN_CACHE"); !chosen.empty())
    return chosen == "off" ? "" : chosen;
  if (std::string caches = variable("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/kernelc";
  if (std::string home = variable("HOME"); home.starts_with('/')) return home + "/.cache/kernelc";
  return {};
}

}  // namespace

VulkanOptions vulkan_device_options() {
  VulkanOptions options;
  if (const char* name = std::getenv("KERNELC_VULKAN_DEVICE")) options.device_name = name;
  const char* validation = std::getenv("KERNELC_VULKAN_VALIDATION");
  options.validation = validation && *validation && std::strcmp(validation, "0") != 0;
  options.cache_folder = cache_folder();
  return options;
}

SpirvOptions spirv_options(const VulkanDeviceInfo& info, const std::array<uint64_t, 3>& local_size) {
  SpirvOptions o;
  for (size_t d = 0; d < 3; ++d) o.local_size[d] = static_cast<uint32_t>(local_size[d]);
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

SpirvToolsResult validate_image(const VulkanImage& image) {
  constexpr uint32_t kDeep = 200;
  if (image.nesting > kDeep) return {.status = SpirvToolsStatus::Unavailable, .text = "nests too deeply"};
  return validate_spirv(image.words);
}

}  // namespace kc
