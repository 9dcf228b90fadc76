// SPDX-License-Identifier: Apache-2.0
// The part of HIP that kernelc uses, as AMD documents it. Handles are opaque; status 0 is success.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kc::hip {

/// Directions of hipMemcpy.
enum CopyKind : int { HostToDevice = 1, DeviceToHost = 2 };

/// Keys for the arguments of hipModuleLaunchKernel: a buffer, its size, the end of the list.
inline void* const kBufferPointer = reinterpret_cast<void*>(1);
inline void* const kBufferSize = reinterpret_cast<void*>(2);
inline void* const kListEnd = reinterpret_cast<void*>(3);

/// hipDeviceProp_t starts with a name; the offset of the architecture's name differs between versions.
/// Release 6 has a differently named function for its layout.
inline constexpr size_t kPropertyBytes = 4096;
inline constexpr size_t kArchAt5 = 396, kArchAt6 = 1160;

#define KC_HIP_FUNCTIONS(F)                                                                           \
  F(hipInit, int (*)(unsigned))                                                                       \
  F(hipGetDeviceCount, int (*)(int*))                                                                 \
  F(hipMalloc, int (*)(void**, size_t))                                                               \
  F(hipFree, int (*)(void*))                                                                          \
  F(hipMemcpy, int (*)(void*, const void*, size_t, int))                                              \
  F(hipModuleLoadData, int (*)(void**, const void*))                                                  \
  F(hipModuleGetFunction, int (*)(void**, void*, const char*))                                        \
  F(hipModuleLaunchKernel, int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                                   unsigned, void*, void**, void**))                                  \
  F(hipDeviceSynchronize, int (*)())                                                                  \
  F(hipModuleUnload, int (*)(void*))                                                                  \
  F(hipGetErrorString, const char* (*)(int))

struct Api {
  template <typename T>
  using Type = T;  // a name for function types, which cannot precede a declarator
#define KC_HIP_MEMBER(name, ...) Type<__VA_ARGS__> name = nullptr;
  KC_HIP_FUNCTIONS(KC_HIP_MEMBER)
#undef KC_HIP_MEMBER
  Type<int (*)(void*, int)> properties5 = nullptr, properties6 = nullptr;
};

}  // namespace kc::hip
