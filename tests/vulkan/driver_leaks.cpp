// SPDX-License-Identifier: Apache-2.0
// Drivers and layers keep allocations until the process ends; only our own leaks count.
#include "runtime/vulkan/device.h"

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvulkan\n"
         "leak:libVkLayer\n"
         "leak:libLLVM\n"
         "leak:swrast\n"
         "leak:_dl_\n";
}

#if defined(__SANITIZE_ADDRESS__)
// A device that stays open keeps the drivers loaded: the sanitizer names only what is still there.
[[gnu::used]] const auto* const KeepDriversLoaded =
    new kc::VulkanResult<kc::VulkanDevice>(kc::VulkanDevice::open());
#endif
