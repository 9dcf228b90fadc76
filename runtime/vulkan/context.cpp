// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kc {

namespace {

constexpr const char* ValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  static_cast<VulkanContext*>(user)->add_message(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(VulkanContext* context) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = on_message;
  info.pUserData = context;
  return info;
}

bool has_validation_layer(const VulkanApi& api) {
  uint32_t count = 0;
  if (api.EnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkLayerProperties> layers(count);
  if (api.EnumerateInstanceLayerProperties(&count, layers.data()) != VK_SUCCESS) return false;
  for (const auto& layer : layers)
    if (std::strcmp(layer.layerName, ValidationLayer) == 0) return true;
  return false;
}

DeviceResult<void> create_instance(VulkanContext& context, bool want_validation) {
  auto& api = context.api;
  uint32_t version = 0;
  if (api.EnumerateInstanceVersion(&version) != VK_SUCCESS || version < VK_API_VERSION_1_2)
    return device_absent("the Vulkan loader is older than 1.2");
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "kernelc";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  auto messenger = messenger_info(&context);
  bool validation = want_validation && has_validation_layer(api);
  if (validation) {
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = &ValidationLayer;
    create.enabledExtensionCount = 1;
    create.ppEnabledExtensionNames = &extension;
    create.pNext = &messenger;
  }
  if (VkResult r = api.CreateInstance(&create, nullptr, &context.instance); r != VK_SUCCESS) {
    context.instance = VK_NULL_HANDLE;
    return device_absent("vkCreateInstance: " + vulkan_result_name(r));
  }
  if (auto missing = api.load_instance(context.instance, validation); !missing.empty()) {
    return device_absent("the Vulkan loader lacks " + missing);
  }
  context.info.validation = validation;
  if (!validation) return {};
  return context.check(
      api.CreateDebugUtilsMessengerEXT(context.instance, &messenger, nullptr, &context.messenger),
      "vkCreateDebugUtilsMessengerEXT");
}

// The features that may be requested, as one chain. The pointers make it immovable.
struct Features {
  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  Features() {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    core.pNext = &v11;
    v11.pNext = &v12;
  }
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;
};

void keep_wanted(const Features& have, Features& want) {
  want.core.features.shaderInt64 = have.core.features.shaderInt64;
  want.core.features.shaderInt16 = have.core.features.shaderInt16;
  want.core.features.shaderFloat64 = have.core.features.shaderFloat64;
  want.v11.storageBuffer16BitAccess = have.v11.storageBuffer16BitAccess;
  want.v12.storageBuffer8BitAccess = have.v12.storageBuffer8BitAccess;
  want.v12.shaderInt8 = have.v12.shaderInt8;
  want.v12.shaderBufferInt64Atomics = have.v12.shaderBufferInt64Atomics;
  want.v12.shaderSharedInt64Atomics = have.v12.shaderSharedInt64Atomics;
  want.v12.bufferDeviceAddress = have.v12.bufferDeviceAddress;
  want.v12.vulkanMemoryModel = have.v12.vulkanMemoryModel;
  want.v12.vulkanMemoryModelDeviceScope = have.v12.vulkanMemoryModelDeviceScope;
}

// The reason the device is unusable, or empty.
std::string missing_feature(const VkPhysicalDeviceProperties& properties, const Features& have) {
  if (properties.apiVersion < VK_API_VERSION_1_2) return "Vulkan 1.2";
  if (!have.v12.bufferDeviceAddress) return "bufferDeviceAddress";
  if (!have.core.features.shaderInt64) return "shaderInt64";
  return {};
}

void read_info(const VulkanApi& api, VkPhysicalDevice physical, const Features& have,
               VulkanDeviceInfo& info) {
  VkPhysicalDeviceVulkan12Properties v12{};
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  VkPhysicalDeviceVulkan11Properties v11{};
  v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  v11.pNext = &v12;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &v11;
  api.GetPhysicalDeviceProperties2(physical, &properties);
  const auto& limits = properties.properties.limits;
  info.name = properties.properties.deviceName;
  info.api_version = properties.properties.apiVersion;
  info.int8 = have.v12.shaderInt8 && have.v12.storageBuffer8BitAccess;
  info.int16 = have.core.features.shaderInt16 && have.v11.storageBuffer16BitAccess;
  info.float64 = have.core.features.shaderFloat64;
  info.int64_atomics = have.v12.shaderBufferInt64Atomics;
  info.local_int64_atomics = have.v12.shaderSharedInt64Atomics;
  info.memory_model = have.v12.vulkanMemoryModel && have.v12.vulkanMemoryModelDeviceScope;
  info.rounding_even32 = v12.shaderRoundingModeRTEFloat32;
  info.rounding_even64 = v12.shaderRoundingModeRTEFloat64;
  info.signed_zero_inf_nan_preserve32 = v12.shaderSignedZeroInfNanPreserveFloat32;
  info.signed_zero_inf_nan_preserve64 = v12.shaderSignedZeroInfNanPreserveFloat64;
  info.denorm_preserve32 = v12.shaderDenormPreserveFloat32;
  info.denorm_preserve64 = v12.shaderDenormPreserveFloat64;
  info.max_group_invocations = limits.maxComputeWorkGroupInvocations;
  info.max_shared_memory = limits.maxComputeSharedMemorySize;
  info.subgroup_size = v11.subgroupSize;
  constexpr VkSubgroupFeatureFlags kWanted =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  if ((v11.subgroupSupportedOperations & kWanted) == kWanted &&
      (v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) && std::has_single_bit(v11.subgroupSize) &&
      v11.subgroupSize >= 4 && v11.subgroupSize <= 64)
    info.lane_order = VulkanLaneOrder::Linear;  // the probe may change it
  // Lavapipe executes structured control flow with masks, so diverged work-items reconverge at the merge
  // blocks.
  info.work_items_meet = v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  for (size_t i = 0; i < 3; ++i) {
    info.max_group_size[i] = limits.maxComputeWorkGroupSize[i];
    info.max_group_count[i] = limits.maxComputeWorkGroupCount[i];
  }
}

int device_rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 3;
  }
}

DeviceResult<std::vector<VkPhysicalDevice>> physical_devices(const VulkanContext& context) {
  const auto& api = context.api;
  uint32_t count = 0;
  VkResult r = api.EnumeratePhysicalDevices(context.instance, &count, nullptr);
  if (r == VK_SUCCESS && count == 0) return device_absent("there is no Vulkan device");
  std::vector<VkPhysicalDevice> devices(count);
  if (r == VK_SUCCESS) r = api.EnumeratePhysicalDevices(context.instance, &count, devices.data());
  if (r != VK_SUCCESS) return device_absent("vkEnumeratePhysicalDevices: " + vulkan_result_name(r));
  return devices;
}

VkPhysicalDeviceProperties properties_of(const VulkanApi& api, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  api.GetPhysicalDeviceProperties2(device, &properties);
  return properties.properties;
}

void read_features(const VulkanApi& api, VkPhysicalDevice device,
                   const VkPhysicalDeviceProperties& properties, Features& have) {
  if (properties.apiVersion >= VK_API_VERSION_1_2) api.GetPhysicalDeviceFeatures2(device, &have.core);
}

DeviceResult<void> pick_physical_device(VulkanContext& context, const std::string& wanted) {
  auto& api = context.api;
  auto devices = physical_devices(context);
  if (!devices) return std::unexpected(devices.error());
  int best = 100;
  std::string refused;
  for (VkPhysicalDevice device : *devices) {
    const VkPhysicalDeviceProperties properties = properties_of(api, device);
    const std::string name = properties.deviceName;
    if (name.find(wanted) == std::string::npos) continue;
    Features have;
    read_features(api, device, properties, have);
    if (auto missing = missing_feature(properties, have); !missing.empty()) {
      refused += fmt::format("; {} lacks {}", name, missing);
      continue;
    }
    int rank = device_rank(properties.deviceType);
    if (rank >= best) continue;
    best = rank;
    context.physical = device;
    context.nanoseconds = properties.limits.timestampPeriod;
    read_info(api, device, have, context.info);
  }
  if (context.physical) return {};
  if (refused.empty() && !wanted.empty())
    return device_absent(fmt::format("no Vulkan device has '{}' in its name", wanted));
  return device_absent("no Vulkan device is usable" + refused);
}

DeviceResult<void> create_device(VulkanContext& context) {
  auto& api = context.api;
  uint32_t count = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(context.physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.GetPhysicalDeviceQueueFamilyProperties(context.physical, &count, families.data());
  context.queue_family = count;
  for (uint32_t i = 0; i < count && context.queue_family == count; ++i)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) context.queue_family = i;
  if (context.queue_family == count) return device_absent(context.info.name + " has no compute queue");
  context.time_bits = families[context.queue_family].timestampValidBits;
  if (context.time_bits == 0) context.nanoseconds = 0;

  Features have, want;
  api.GetPhysicalDeviceFeatures2(context.physical, &have.core);
  keep_wanted(have, want);
  float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = context.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.pNext = &want.core;
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  VkResult r = api.CreateDevice(context.physical, &create, nullptr, &context.device);
  if (r != VK_SUCCESS) {
    context.device = VK_NULL_HANDLE;
    return device_absent("vkCreateDevice: " + vulkan_result_name(r));
  }
  if (auto missing = api.load_device(context.device); !missing.empty())
    return device_absent(context.info.name + " lacks " + missing);
  api.GetDeviceQueue(context.device, context.queue_family, 0, &context.queue);
  api.GetPhysicalDeviceMemoryProperties(context.physical, &context.memory);
  return {};
}

DeviceResult<void> create_cache(VulkanContext& context, const std::string& folder) {
  const VkPhysicalDeviceProperties properties = properties_of(context.api, context.physical);
  PipelineStoreKey key{properties.vendorID, properties.deviceID, properties.driverVersion, {}};
  std::ranges::copy(properties.pipelineCacheUUID, key.uuid.begin());
  context.store.emplace(folder, key);
  const std::vector<std::byte> data = context.store->load();
  context.info.cached_bytes = data.size();
  VkPipelineCacheCreateInfo cache{};
  cache.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  cache.initialDataSize = data.size();
  cache.pInitialData = data.data();
  return context.check(context.api.CreatePipelineCache(context.device, &cache, nullptr, &context.cache),
                       "vkCreatePipelineCache");
}

DeviceResult<void> create_commands(VulkanContext& context) {
  auto& api = context.api;
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = context.queue_family;
  auto done = context.check(api.CreateCommandPool(context.device, &pool, nullptr, &context.pool),
                            "vkCreateCommandPool");
  if (!done) return done;
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = context.pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  done = context.check(api.AllocateCommandBuffers(context.device, &allocate, &context.commands),
                       "vkAllocateCommandBuffers");
  if (!done) return done;
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  done = context.check(api.CreateFence(context.device, &fence, nullptr, &context.fence), "vkCreateFence");
  if (!done) return done;
  if (context.nanoseconds == 0) return {};
  VkQueryPoolCreateInfo queries{};
  queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = 2;
  return context.check(api.CreateQueryPool(context.device, &queries, nullptr, &context.times),
                       "vkCreateQueryPool");
}

}  // namespace

VulkanContext::~VulkanContext() {
  if (device && api.DestroyDevice) {
    if (times) api.DestroyQueryPool(device, times, nullptr);
    if (cache) save_cache();
    if (cache) api.DestroyPipelineCache(device, cache, nullptr);
    if (fence) api.DestroyFence(device, fence, nullptr);
    if (pool) api.DestroyCommandPool(device, pool, nullptr);
    api.DestroyDevice(device, nullptr);
  }
  if (messenger) api.DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
  if (instance && api.DestroyInstance) api.DestroyInstance(instance, nullptr);
}

// Saves only a cache that has grown: other processes read the file meanwhile, and may have written more.
void VulkanContext::save_cache() {
  if (store->path().empty()) return;
  size_t size = 0;
  if (api.GetPipelineCacheData(device, cache, &size, nullptr) != VK_SUCCESS || size <= info.cached_bytes)
    return;
  std::vector<std::byte> data(size);
  if (api.GetPipelineCacheData(device, cache, &size, data.data()) != VK_SUCCESS) return;
  data.resize(size);
  store->save(data);
}

void VulkanContext::add_message(const char* text) {
  std::lock_guard lock(mutex_);
  if (!messages_.empty()) messages_ += '\n';
  messages_ += text;
}

DeviceResult<void> VulkanContext::check(VkResult result, const char* what) {
  std::lock_guard lock(mutex_);
  std::string message;
  if (result != VK_SUCCESS) message = fmt::format("{}: {}", what, vulkan_result_name(result));
  if (!messages_.empty()) {
    if (message.empty()) message = fmt::format("{}: the validation layer reports", what);
    message += '\n' + messages_;
    messages_.clear();
  }
  if (message.empty()) return {};
  // A map fails if the address space is exhausted; the number of objects is limited if the driver permits few
  // allocations.
  const bool no_memory = result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
                         result == VK_ERROR_MEMORY_MAP_FAILED || result == VK_ERROR_TOO_MANY_OBJECTS;
  DeviceError::Kind kind = result == VK_ERROR_DEVICE_LOST ? DeviceError::Lost
                           : no_memory                    ? DeviceError::OutOfMemory
                                                          : DeviceError::Failed;
  return std::unexpected(DeviceError{kind, std::move(message)});
}

DeviceResult<std::vector<VulkanDeviceEntry>> list_vulkan_devices(const VulkanOptions& options) {
  auto api = open_vulkan_library(options.library);
  if (!api) return std::unexpected(api.error());
  VulkanContext context;
  context.api = *api;
  if (auto r = create_instance(context, false); !r) return std::unexpected(r.error());
  auto devices = physical_devices(context);
  if (!devices) return std::unexpected(devices.error());
  std::vector<VulkanDeviceEntry> entries;
  for (VkPhysicalDevice device : *devices) {
    const VkPhysicalDeviceProperties properties = properties_of(context.api, device);
    Features have;
    read_features(context.api, device, properties, have);
    VulkanDeviceEntry entry;
    entry.missing = missing_feature(properties, have);
    constexpr std::string_view kKinds[] = {"discrete GPU", "integrated GPU", "virtual GPU", "CPU"};
    entry.kind = kKinds[device_rank(properties.deviceType)];
    if (entry.missing.empty()) read_info(context.api, device, have, entry.info);
    entry.info.name = properties.deviceName;
    entry.info.api_version = properties.apiVersion;
    entries.push_back(std::move(entry));
  }
  return entries;
}

DeviceResult<std::shared_ptr<VulkanContext>> create_vulkan_context(const VulkanOptions& options) {
  auto api = open_vulkan_library(options.library);
  if (!api) return std::unexpected(api.error());
  auto context = std::make_shared<VulkanContext>();
  context->api = *api;
  if (auto r = create_instance(*context, options.validation); !r) return std::unexpected(r.error());
  if (auto r = pick_physical_device(*context, options.device_name); !r) return std::unexpected(r.error());
  if (auto r = create_device(*context); !r) return std::unexpected(r.error());
  if (auto r = create_cache(*context, options.cache_folder); !r) return std::unexpected(r.error());
  if (auto r = create_commands(*context); !r) return std::unexpected(r.error());
  return context;
}

}  // namespace kc
