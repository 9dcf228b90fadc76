// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace kc {

DeviceResult<VulkanApi> open_vulkan_library(const std::string& path) {
  // Drivers start threads and register exit handlers, so the library is never unloaded.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char* why = dlerror();
    return device_absent(fmt::format("cannot open the Vulkan loader: {}", why ? why : path.c_str()));
  }
  VulkanApi api;
  api.GetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  dlclose(library);
  if (!api.GetInstanceProcAddr) return device_absent(fmt::format("{} has no vkGetInstanceProcAddr", path));
#define KC_VULKAN_LOAD(name)                                                                      \
  api.name = reinterpret_cast<PFN_vk##name>(api.GetInstanceProcAddr(VK_NULL_HANDLE, "vk" #name)); \
  if (!api.name) return device_absent(path + " has no vk" #name);
  KC_VULKAN_GLOBAL(KC_VULKAN_LOAD)
#undef KC_VULKAN_LOAD
  return api;
}

std::string VulkanApi::load_instance(VkInstance instance, bool debug) {
#define KC_VULKAN_LOAD(name)                                                        \
  name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name)); \
  if (!name) return "vk" #name;
  KC_VULKAN_INSTANCE(KC_VULKAN_LOAD)
  if (debug) {
    KC_VULKAN_DEBUG(KC_VULKAN_LOAD)
  }
#undef KC_VULKAN_LOAD
  return {};
}

namespace {

// The loader unloads a driver with its instance, before the exit handlers that the driver has registered run.
void keep_loaded(const void* function) {
  Dl_info driver;
  if (dladdr(function, &driver) && driver.dli_fname)
    if (void* library = dlopen(driver.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(library);
}

}  // namespace

std::string VulkanApi::load_device(VkDevice device) {
#define KC_VULKAN_LOAD(name)                                                    \
  name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name)); \
  if (!name) return "vk" #name;
  KC_VULKAN_DEVICE(KC_VULKAN_LOAD)
#undef KC_VULKAN_LOAD
  keep_loaded(reinterpret_cast<const void*>(QueueSubmit));
  return {};
}

std::string vulkan_result_name(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return "success";
    case VK_TIMEOUT:
      return "timeout";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
      return "device lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory map failed";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "layer not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "extension not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "feature not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "incompatible driver";
    default:
      return fmt::format("VkResult {}", static_cast<int>(result));
  }
}

}  // namespace kc
