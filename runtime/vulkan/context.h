// SPDX-License-Identifier: Apache-2.0
// State shared by a device's buffers, kernels and launches. Internal to this folder.
#pragma once
#include <mutex>
#include <optional>

#include "runtime/vulkan/device.h"
#include "runtime/vulkan/loader.h"
#include "runtime/vulkan/pipeline_store.h"

namespace kc {

struct VulkanContext {
  VulkanApi api;
  VulkanDeviceInfo info;
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkPipelineCache cache = VK_NULL_HANDLE;
  std::optional<PipelineStore> store;  // persistent pipeline cache
  // timestamps of the start and the end of a launch, if the queue supports them
  VkQueryPool times = VK_NULL_HANDLE;
  double nanoseconds = 0;  // per timestamp tick; 0 without timestamps
  uint32_t time_bits = 0;
  VkPhysicalDeviceMemoryProperties memory{};

  VulkanContext() = default;
  VulkanContext(const VulkanContext&) = delete;
  VulkanContext& operator=(const VulkanContext&) = delete;
  ~VulkanContext();

  // Converts a result, or a message of the validation layer since the last call, to an error.
  DeviceResult<void> check(VkResult result, const char* what);
  void add_message(const char* text);

 private:
  void save_cache();

  std::mutex mutex_;
  std::string messages_;
};

// Creates everything up to an empty command buffer, without the measured part of info.
DeviceResult<std::shared_ptr<VulkanContext>> create_vulkan_context(const VulkanOptions& options);

// Measures the device's arithmetic.
DeviceResult<void> probe_arithmetic(VulkanDevice& device, VulkanDeviceInfo& info);
DeviceResult<void> probe_loops(VulkanDevice& device, VulkanDeviceInfo& info);
DeviceResult<void> probe_compares(VulkanDevice& device, VulkanDeviceInfo& info);
DeviceResult<void> probe_lanes(VulkanDevice& device, VulkanDeviceInfo& info);

}  // namespace kc
