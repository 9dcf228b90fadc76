// SPDX-License-Identifier: Apache-2.0
// Drivers and layers keep allocations until the process ends; only our own leaks count.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvulkan\n"
         "leak:libVkLayer\n"
         "leak:libLLVM\n"
         "leak:swrast\n"
         "leak:_dl_\n";
}
