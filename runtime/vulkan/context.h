// SPDX-License-Identifier: Apache-2.0
// What a device's buffers, kernels and launches share. Internal to this folder.
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
  std::optional<PipelineStore> store;  // of the cache, between processes
  VkQueryPool times = VK_NULL_HANDLE;  // of the start and the end of a launch, if the queue has a clock
  double nanoseconds = 0;              // of one of its ticks; 0 without
  uint32_t time_bits = 0;
  VkPhysicalDeviceMemoryProperties memory{};

  VulkanContext() = default;
  VulkanContext(const VulkanContext&) = delete;
  VulkanContext& operator=(const VulkanContext&) = delete;
  ~VulkanContext();

  // Turns a result, or a message of the validation layer since the last call, into an error.
  VulkanResult<void> check(VkResult result, const char* what);
  void add_message(const char* text);

 private:
  void save_cache();

  std::mutex mutex_;
  std::string messages_;
};

// Everything up to an empty command buffer; the measured part of info is still missing.
VulkanResult<std::shared_ptr<VulkanContext>> create_vulkan_context(const VulkanOptions& options);

// Measure how the device computes.
VulkanResult<void> probe_arithmetic(VulkanDevice& device, VulkanDeviceInfo& info);
VulkanResult<void> probe_loops(VulkanDevice& device, VulkanDeviceInfo& info);
VulkanResult<void> probe_compares(VulkanDevice& device, VulkanDeviceInfo& info);
VulkanResult<void> probe_lanes(VulkanDevice& device, VulkanDeviceInfo& info);

}  // namespace kc
