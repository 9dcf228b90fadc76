// SPDX-License-Identifier: Apache-2.0
// The Vulkan library, opened at run time: the build needs only the headers.
#pragma once
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <string>

#include "runtime/device_error.h"

namespace kc {

// clang-format off
#define KC_VULKAN_GLOBAL(X) \
  X(CreateInstance) X(EnumerateInstanceVersion) X(EnumerateInstanceLayerProperties) \
  X(EnumerateInstanceExtensionProperties)
#define KC_VULKAN_INSTANCE(X) \
  X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceFeatures2) \
  X(GetPhysicalDeviceQueueFamilyProperties) X(GetPhysicalDeviceMemoryProperties) X(CreateDevice) X(GetDeviceProcAddr)
#define KC_VULKAN_DEBUG(X) X(CreateDebugUtilsMessengerEXT) X(DestroyDebugUtilsMessengerEXT)
#define KC_VULKAN_DEVICE(X) \
  X(DestroyDevice) X(GetDeviceQueue) X(CreateBuffer) X(DestroyBuffer) X(GetBufferMemoryRequirements) \
  X(AllocateMemory) X(FreeMemory) X(BindBufferMemory) X(MapMemory) X(UnmapMemory) X(GetBufferDeviceAddress) \
  X(CreateShaderModule) X(DestroyShaderModule) X(CreatePipelineLayout) X(DestroyPipelineLayout) \
  X(CreateComputePipelines) X(DestroyPipeline) X(CreateCommandPool) X(DestroyCommandPool) X(ResetCommandPool) \
  X(AllocateCommandBuffers) X(BeginCommandBuffer) X(EndCommandBuffer) X(CmdBindPipeline) X(CmdPushConstants) \
  X(CmdDispatch) X(CmdPipelineBarrier) X(QueueSubmit) X(CreateFence) X(DestroyFence) X(WaitForFences) \
  X(ResetFences) X(DeviceWaitIdle) X(CreatePipelineCache) X(DestroyPipelineCache) X(GetPipelineCacheData) \
  X(CreateQueryPool) X(DestroyQueryPool) X(CmdResetQueryPool) X(CmdWriteTimestamp) X(GetQueryPoolResults)
// clang-format on

// The entry points in use, named without their prefix.
struct VulkanApi {
#define KC_VULKAN_MEMBER(name) PFN_vk##name name = nullptr;
  KC_VULKAN_GLOBAL(KC_VULKAN_MEMBER)
  KC_VULKAN_INSTANCE(KC_VULKAN_MEMBER)
  KC_VULKAN_DEBUG(KC_VULKAN_MEMBER)
  KC_VULKAN_DEVICE(KC_VULKAN_MEMBER)
#undef KC_VULKAN_MEMBER
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;

  // Each step returns the name of a missing entry point, or an empty string.
  std::string load_instance(VkInstance instance, bool debug);
  std::string load_device(VkDevice device);
};

// Opens the library and loads the functions that need no instance.
DeviceResult<VulkanApi> open_vulkan_library(const std::string& path);

std::string vulkan_result_name(VkResult result);

}  // namespace kc
