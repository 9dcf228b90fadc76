// SPDX-License-Identifier: Apache-2.0
// Drivers and layers keep allocations until the process ends; only kernelc's own leaks count.
#include "runtime/vulkan/device.h"

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvulkan\n"
         "leak:libVkLayer\n"
         "leak:libLLVM\n"
         "leak:swrast\n"
         "leak:_dl_\n";
}

#if defined(__SANITIZE_ADDRESS__)
// An open device keeps the drivers loaded, so the sanitizer can name what is still allocated.
[[gnu::used]] const auto* const KeepDriversLoaded =
    new kc::DeviceResult<kc::VulkanDevice>(kc::VulkanDevice::open());
#endif
