// SPDX-License-Identifier: Apache-2.0
// The part of OpenCL's C interface that running a kernel requires, looked up at run time. Types and constants
// are those of the OpenCL 1.2 specification (Khronos).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kc::opencl {

using Int = int32_t;
using Uint = uint32_t;
using Ulong = uint64_t;
using Handle = void*;

constexpr Int kBuildProgramFailure = -11;
constexpr Ulong kDeviceTypeCpu = 2, kDeviceTypeAll = 0xffffffff;
constexpr Ulong kQueueProfiling = 2;
constexpr Ulong kMemReadWrite = 1, kMemCopyHostPointer = 32;
constexpr Ulong kCorrectlyRoundedDivideSqrt = 128;  // a bit of a device's floating-point capabilities
constexpr Uint kPlatformName = 0x0902, kDeviceName = 0x102B, kDeviceSingleFpConfig = 0x101B;
constexpr Uint kBuildLog = 0x1183, kProfilingStart = 0x1282, kProfilingEnd = 0x1283;
constexpr Uint kTrue = 1;

#define KC_OPENCL_FUNCTIONS(X)                                                                            \
  X(clGetPlatformIDs, Int, Uint, Handle*, Uint*)                                                          \
  X(clGetPlatformInfo, Int, Handle, Uint, size_t, void*, size_t*)                                         \
  X(clGetDeviceIDs, Int, Handle, Ulong, Uint, Handle*, Uint*)                                             \
  X(clGetDeviceInfo, Int, Handle, Uint, size_t, void*, size_t*)                                           \
  X(clCreateContext, Handle, const intptr_t*, Uint, const Handle*, void*, void*, Int*)                    \
  X(clReleaseContext, Int, Handle)                                                                        \
  X(clCreateCommandQueue, Handle, Handle, Handle, Ulong, Int*)                                            \
  X(clReleaseCommandQueue, Int, Handle)                                                                   \
  X(clCreateProgramWithSource, Handle, Handle, Uint, const char**, const size_t*, Int*)                   \
  X(clReleaseProgram, Int, Handle)                                                                        \
  X(clBuildProgram, Int, Handle, Uint, const Handle*, const char*, void*, void*)                          \
  X(clGetProgramBuildInfo, Int, Handle, Handle, Uint, size_t, void*, size_t*)                             \
  X(clCreateKernel, Handle, Handle, const char*, Int*)                                                    \
  X(clReleaseKernel, Int, Handle)                                                                         \
  X(clCreateBuffer, Handle, Handle, Ulong, size_t, void*, Int*)                                           \
  X(clReleaseMemObject, Int, Handle)                                                                      \
  X(clSetKernelArg, Int, Handle, Uint, size_t, const void*)                                               \
  X(clEnqueueNDRangeKernel, Int, Handle, Handle, Uint, const size_t*, const size_t*, const size_t*, Uint, \
    const Handle*, Handle*)                                                                               \
  X(clFinish, Int, Handle)                                                                                \
  X(clEnqueueReadBuffer, Int, Handle, Handle, Uint, size_t, size_t, void*, Uint, const Handle*, Handle*)  \
  X(clGetEventProfilingInfo, Int, Handle, Uint, size_t, void*, size_t*)                                   \
  X(clReleaseEvent, Int, Handle)

struct Api {
#define KC_OPENCL_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  KC_OPENCL_FUNCTIONS(KC_OPENCL_MEMBER)
#undef KC_OPENCL_MEMBER
};

}  // namespace kc::opencl
