// SPDX-License-Identifier: Apache-2.0
// The table through which the loader calls, and the functions that it looks up by name.
#include <string_view>
#include <tuple>
#include <type_traits>

#include "opencl/objects.h"

namespace kc::cl {

// What the queries of the device deny. Handles are checked before.
template <cl_int Code>
struct Refused {
  template <typename R, typename... A>
  using Function = R (*)(A...);

  template <typename T>
  static cl_int check(const T& first) {
    if constexpr (std::is_same_v<T, cl_context>) return is(first) ? Code : CL_INVALID_CONTEXT;
    if constexpr (std::is_same_v<T, cl_command_queue>) return is(first) ? Code : CL_INVALID_COMMAND_QUEUE;
    if constexpr (std::is_same_v<T, cl_device_id>) return is(first) ? Code : CL_INVALID_DEVICE;
    if constexpr (std::is_same_v<T, cl_kernel>) return is(first) ? Code : CL_INVALID_KERNEL;
    if constexpr (std::is_same_v<T, cl_program>) return is(first) ? Code : CL_INVALID_PROGRAM;
    return Code;
  }
  template <typename R, typename... A>
  static R call(A... arguments) {
    const auto all = std::tie(arguments...);
    const cl_int code = check(std::get<0>(all));
    if constexpr (std::is_same_v<R, cl_int>) {
      return code;
    } else if constexpr (!std::is_void_v<R>) {
      auto& last = std::get<sizeof...(A) - 1>(all);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(last)>, cl_int*>)
        if (last) *last = code;
      return nullptr;
    }
  }
  template <typename R, typename... A>
  constexpr operator Function<R, A...>() const {
    return &call<R, A...>;
  }
};

// Functions that share objects with other interfaces are not there.
const cl_icd_dispatch kDispatch = {
    .clGetPlatformIDs = ::clGetPlatformIDs,
    .clGetPlatformInfo = ::clGetPlatformInfo,
    .clGetDeviceIDs = ::clGetDeviceIDs,
    .clGetDeviceInfo = ::clGetDeviceInfo,
    .clCreateContext = ::clCreateContext,
    .clCreateContextFromType = ::clCreateContextFromType,
    .clRetainContext = ::clRetainContext,
    .clReleaseContext = ::clReleaseContext,
    .clGetContextInfo = ::clGetContextInfo,
    .clCreateCommandQueue = ::clCreateCommandQueue,
    .clRetainCommandQueue = ::clRetainCommandQueue,
    .clReleaseCommandQueue = ::clReleaseCommandQueue,
    .clGetCommandQueueInfo = ::clGetCommandQueueInfo,
    .clSetCommandQueueProperty = ::clSetCommandQueueProperty,
    .clCreateBuffer = ::clCreateBuffer,
    .clCreateImage2D = Refused<CL_INVALID_OPERATION>(),
    .clCreateImage3D = Refused<CL_INVALID_OPERATION>(),
    .clRetainMemObject = ::clRetainMemObject,
    .clReleaseMemObject = ::clReleaseMemObject,
    .clGetSupportedImageFormats = ::clGetSupportedImageFormats,
    .clGetMemObjectInfo = ::clGetMemObjectInfo,
    .clGetImageInfo = Refused<CL_INVALID_MEM_OBJECT>(),
    .clCreateSampler = Refused<CL_INVALID_OPERATION>(),
    .clRetainSampler = Refused<CL_INVALID_SAMPLER>(),
    .clReleaseSampler = Refused<CL_INVALID_SAMPLER>(),
    .clGetSamplerInfo = Refused<CL_INVALID_SAMPLER>(),
    .clCreateProgramWithSource = ::clCreateProgramWithSource,
    .clCreateProgramWithBinary = ::clCreateProgramWithBinary,
    .clRetainProgram = ::clRetainProgram,
    .clReleaseProgram = ::clReleaseProgram,
    .clBuildProgram = ::clBuildProgram,
    .clUnloadCompiler = ::clUnloadCompiler,
    .clGetProgramInfo = ::clGetProgramInfo,
    .clGetProgramBuildInfo = ::clGetProgramBuildInfo,
    .clCreateKernel = ::clCreateKernel,
    .clCreateKernelsInProgram = ::clCreateKernelsInProgram,
    .clRetainKernel = ::clRetainKernel,
    .clReleaseKernel = ::clReleaseKernel,
    .clSetKernelArg = ::clSetKernelArg,
    .clGetKernelInfo = ::clGetKernelInfo,
    .clGetKernelWorkGroupInfo = ::clGetKernelWorkGroupInfo,
    .clWaitForEvents = ::clWaitForEvents,
    .clGetEventInfo = ::clGetEventInfo,
    .clRetainEvent = ::clRetainEvent,
    .clReleaseEvent = ::clReleaseEvent,
    .clGetEventProfilingInfo = ::clGetEventProfilingInfo,
    .clFlush = ::clFlush,
    .clFinish = ::clFinish,
    .clEnqueueReadBuffer = ::clEnqueueReadBuffer,
    .clEnqueueWriteBuffer = ::clEnqueueWriteBuffer,
    .clEnqueueCopyBuffer = ::clEnqueueCopyBuffer,
    .clEnqueueReadImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueWriteImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueCopyImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueCopyImageToBuffer = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueCopyBufferToImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueMapBuffer = ::clEnqueueMapBuffer,
    .clEnqueueMapImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueUnmapMemObject = ::clEnqueueUnmapMemObject,
    .clEnqueueNDRangeKernel = ::clEnqueueNDRangeKernel,
    .clEnqueueTask = ::clEnqueueTask,
    .clEnqueueNativeKernel = ::clEnqueueNativeKernel,
    .clEnqueueMarker = ::clEnqueueMarker,
    .clEnqueueWaitForEvents = ::clEnqueueWaitForEvents,
    .clEnqueueBarrier = ::clEnqueueBarrier,
    .clGetExtensionFunctionAddress = ::clGetExtensionFunctionAddress,
    .clSetEventCallback = ::clSetEventCallback,
    .clCreateSubBuffer = ::clCreateSubBuffer,
    .clSetMemObjectDestructorCallback = ::clSetMemObjectDestructorCallback,
    .clCreateUserEvent = ::clCreateUserEvent,
    .clSetUserEventStatus = ::clSetUserEventStatus,
    .clEnqueueReadBufferRect = ::clEnqueueReadBufferRect,
    .clEnqueueWriteBufferRect = ::clEnqueueWriteBufferRect,
    .clEnqueueCopyBufferRect = ::clEnqueueCopyBufferRect,
    .clCreateSubDevices = Refused<CL_INVALID_VALUE>(),
    .clRetainDevice = ::clRetainDevice,
    .clReleaseDevice = ::clReleaseDevice,
    .clCreateImage = Refused<CL_INVALID_OPERATION>(),
    .clCreateProgramWithBuiltInKernels = Refused<CL_INVALID_VALUE>(),
    .clCompileProgram = ::clCompileProgram,
    .clLinkProgram = ::clLinkProgram,
    .clUnloadPlatformCompiler = ::clUnloadPlatformCompiler,
    .clGetKernelArgInfo = ::clGetKernelArgInfo,
    .clEnqueueFillBuffer = ::clEnqueueFillBuffer,
    .clEnqueueFillImage = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueMigrateMemObjects = ::clEnqueueMigrateMemObjects,
    .clEnqueueMarkerWithWaitList = ::clEnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = ::clEnqueueBarrierWithWaitList,
    .clGetExtensionFunctionAddressForPlatform = ::clGetExtensionFunctionAddressForPlatform,
    .clCreateCommandQueueWithProperties = ::clCreateCommandQueueWithProperties,
    .clCreatePipe = Refused<CL_INVALID_OPERATION>(),
    .clGetPipeInfo = Refused<CL_INVALID_MEM_OBJECT>(),
    .clSVMAlloc = Refused<CL_INVALID_OPERATION>(),
    .clSVMFree = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMFree = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMMemcpy = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMMemFill = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMMap = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMUnmap = Refused<CL_INVALID_OPERATION>(),
    .clCreateSamplerWithProperties = Refused<CL_INVALID_OPERATION>(),
    .clSetKernelArgSVMPointer = Refused<CL_INVALID_OPERATION>(),
    .clSetKernelExecInfo = Refused<CL_INVALID_OPERATION>(),
    .clCloneKernel = ::clCloneKernel,
    .clCreateProgramWithIL = Refused<CL_INVALID_OPERATION>(),
    .clEnqueueSVMMigrateMem = Refused<CL_INVALID_OPERATION>(),
    .clGetDeviceAndHostTimer = Refused<CL_INVALID_OPERATION>(),
    .clGetHostTimer = Refused<CL_INVALID_OPERATION>(),
    .clGetKernelSubGroupInfo = ::clGetKernelSubGroupInfo,
    .clSetDefaultDeviceCommandQueue = ::clSetDefaultDeviceCommandQueue,
    .clSetProgramReleaseCallback = Refused<CL_INVALID_OPERATION>(),
    .clSetProgramSpecializationConstant = Refused<CL_INVALID_OPERATION>(),
    .clCreateBufferWithProperties = ::clCreateBufferWithProperties,
    .clCreateImageWithProperties = Refused<CL_INVALID_OPERATION>(),
    .clSetContextDestructorCallback = ::clSetContextDestructorCallback,
};

namespace {

struct Named {
  std::string_view name;
  void* function;
};

}  // namespace
}  // namespace kc::cl

extern "C" {

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* list, cl_uint* count);

void* clGetExtensionFunctionAddress(const char* name) {
  constexpr auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  const kc::cl::Named table[] = {{"clIcdGetPlatformIDsKHR", address(clIcdGetPlatformIDsKHR)},
                                 {"clGetPlatformInfo", address(clGetPlatformInfo)}};
  for (const auto& row : table)
    if (name && row.name == name) return row.function;
  return nullptr;
}
void* clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char* name) {
  return kc::cl::is(p) ? clGetExtensionFunctionAddress(name) : nullptr;
}

}  // extern "C"
