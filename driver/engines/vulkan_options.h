// SPDX-License-Identifier: Apache-2.0
// Between the runtime for Vulkan and the backend, which do not know each other.
#pragma once

#include "backends/spirv/spirv.h"
#include "runtime/vulkan/device.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc {

/// What the user's environment says: which device, whether the validation layer watches, and where
/// compiled pipelines are kept.
VulkanOptions vulkan_device_options();

/// How modules must be for the device.
SpirvOptions spirv_options(const VulkanDeviceInfo& info, const std::array<uint64_t, 3>& local_size);

/// What the device makes of launches; without sub-groups where it does not promise who is together.
SpirvLaunches spirv_launches(const VulkanDeviceInfo& info, bool small_buffers);

/// By SPIRV-Tools, where they are there; what nests deeply is left out, since they take the cube of that in
/// time.
SpirvToolsResult validate_image(const VulkanImage& image);

}  // namespace kc
