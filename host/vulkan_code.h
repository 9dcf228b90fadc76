// SPDX-License-Identifier: Apache-2.0
// A kernel as SPIR-V for Vulkan devices: from thread IR to a module, and a launch of it. Connects the backend
// and the runtime, which do not know each other.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/spirv/spirv.h"
#include "host/compile.h"
#include "host/device_memory.h"
#include "runtime/vulkan/device.h"

namespace kc {

/// What the user's environment says: which device, whether the validation layer watches, and where compiled
/// pipelines are kept.
VulkanOptions vulkan_device_options();

/// How modules must be for the device.
SpirvOptions spirv_options(const VulkanDeviceInfo& info, const GroupSize& local);
/// What the device makes of launches; without sub-groups where it does not promise who is together.
SpirvLaunches spirv_launches(const VulkanDeviceInfo& info, bool small_buffers);

/// What KernelCompiler::lower_for_spirv takes for such launches.
WaveConfig wave_config(const SpirvLaunches& launches);
/// Thread IR in the form that emit_spirv takes, unless a pass ended the compilation; `thread` is for the
/// target "vulkan". CompileError::Unsupported says what a module cannot express.
std::expected<Passed, CompileError> lower_for_vulkan(const KernelCompiler& kernel, const Passed& thread,
                                                     const SpirvLaunches& launches = {});
/// CompileError::Unsupported if no driver need accept the module, Internal if SPIRV-Tools are there and find
/// it invalid. What nests deeply is not validated: it would take the cube of the depth in time.
std::expected<void, CompileError> check_image(const VulkanImage& image);

/// Code for groups of one size.
struct VulkanCode {
  std::unique_ptr<Function> function;  // prepared thread IR, for which arguments are bound
  VulkanImage image;
};
std::expected<VulkanCode, CompileError> compile_for_vulkan(const KernelCompiler& kernel,
                                                           const VulkanDeviceInfo& info,
                                                           const GroupSize& local, bool small_buffers);

/// Elements of the arrays in local memory whose sizes the arguments decide: what VulkanDevice::load takes.
/// `spec` is as binding the arguments left it.
std::vector<uint32_t> local_lengths(const VulkanImage& image, std::span<const ArgumentValue> values,
                                    const LaunchSpec& spec);

/// Copies the buffers to the device, runs once, and copies them back, except those that `constant` names (by
/// the index of the range; ranges after its end are written). `bound` was made for the function that the
/// kernel's image was made of, and bound to this launch. A device is used by one launch at a time.
std::expected<DeviceRun, LaunchError> launch_on_vulkan(VulkanDevice& device, const VulkanKernel& kernel,
                                                       const BoundArguments& bound, const LaunchSpec& spec,
                                                       const std::vector<bool>& constant = {});

}  // namespace kc
