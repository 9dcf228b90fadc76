// SPDX-License-Identifier: Apache-2.0
// The platform and its one device, the CPU.
#include <unistd.h>

#include <thread>

#include "frontend/features.h"
#include "opencl/objects.h"
#include "runtime/cpu/cpu.h"

namespace kc::cl {
cl_platform_id platform() {
  static _cl_platform_id* one = new _cl_platform_id;
  return one;
}
cl_device_id device() {
  static _cl_device_id* one = new _cl_device_id;
  return one;
}
namespace {
constexpr const char* kExtensions =
    "cl_khr_icd cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
constexpr cl_device_fp_config kFloats = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                        CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

cl_ulong memory_bytes() {
  return static_cast<cl_ulong>(sysconf(_SC_PHYS_PAGES)) * static_cast<cl_ulong>(sysconf(_SC_PAGESIZE));
}
cl_name_version named(std::string_view name, cl_version version) {
  cl_name_version v{version, {}};
  name.copy(v.name, sizeof v.name - 1);
  return v;
}
std::vector<cl_name_version> versioned_extensions() {
  std::vector<cl_name_version> list;
  std::string all = kExtensions;
  for (size_t at = 0; at < all.size();) {
    size_t end = std::min(all.find(' ', at), all.size());
    list.push_back(named(all.substr(at, end - at), CL_MAKE_VERSION(1, 0, 0)));
    at = end + 1;
  }
  return list;
}
}  // namespace
}  // namespace kc::cl

using namespace kc::cl;

extern "C" {

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* list, cl_uint* count) {
  if ((!list && !count) || (list && !room)) return CL_INVALID_VALUE;
  if (list) *list = platform();
  if (count) *count = 1;
  return CL_SUCCESS;
}
cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* list, cl_uint* count) {
  return clIcdGetPlatformIDsKHR(room, list, count);
}

cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t room, void* value, size_t* size) {
  if (p && !is(p)) return CL_INVALID_PLATFORM;
  return guard([&]() -> cl_int {
    auto text = [&](const char* t) { return answer(std::string(t), room, value, size); };
    switch (what) {
      case CL_PLATFORM_PROFILE:
        return text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return text("OpenCL 3.0 kernelc");
      case CL_PLATFORM_NUMERIC_VERSION:
        return answer(cl_version{CL_MAKE_VERSION(3, 0, 0)}, room, value, size);
      case CL_PLATFORM_NAME:
      case CL_PLATFORM_VENDOR:
        return text("kernelc");
      case CL_PLATFORM_EXTENSIONS:
        return text(kExtensions);
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION: {
        auto list = versioned_extensions();
        return answer(list.data(), list.size() * sizeof list[0], room, value, size);
      }
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return text("KERNELC");
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return answer(cl_ulong{0}, room, value, size);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint room, cl_device_id* list,
                      cl_uint* count) {
  if (p && !is(p)) return CL_INVALID_PLATFORM;
  constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (!type || (type & ~known))) return CL_INVALID_DEVICE_TYPE;
  if ((!list && !count) || (list && !room)) return CL_INVALID_VALUE;
  const bool found = type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT);
  if (count) *count = found;
  if (!found) return CL_DEVICE_NOT_FOUND;
  if (list) *list = device();
  return CL_SUCCESS;
}

cl_int clRetainDevice(cl_device_id d) { return is(d) ? CL_SUCCESS : CL_INVALID_DEVICE; }
cl_int clReleaseDevice(cl_device_id d) { return is(d) ? CL_SUCCESS : CL_INVALID_DEVICE; }

cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void* value, size_t* size) {
  if (!is(d)) return CL_INVALID_DEVICE;
  return guard([&]() -> cl_int {
    auto text = [&](const char* t) { return answer(std::string(t), room, value, size); };
    auto uint = [&](cl_uint n) { return answer(n, room, value, size); };
    auto ulong = [&](cl_ulong n) { return answer(n, room, value, size); };
    auto word = [&](size_t n) { return answer(n, room, value, size); };
    const kc::CpuFeatures features = kc::cpu_features();
    const cl_uint bytes = features.avx512 ? 64 : 32;
    switch (what) {
      case CL_DEVICE_TYPE:
        return ulong(CL_DEVICE_TYPE_CPU);
      case CL_DEVICE_VENDOR_ID:
        return uint(0);
      case CL_DEVICE_MAX_COMPUTE_UNITS:
        return uint(std::max(1u, std::thread::hardware_concurrency()));
      case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return uint(3);
      case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
        const size_t sizes[3] = {1024, 1024, 1024};
        return answer(sizes, sizeof sizes, room, value, size);
      }
      case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return word(1024);
      case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return word(64);
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
        return uint(1);
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
        return uint(16);
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
        return uint(std::min(16u, bytes / 2));
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        return uint(bytes / 4);
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
        return uint(bytes / 8);
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
        return uint(0);
      case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return uint(0);
      case CL_DEVICE_ADDRESS_BITS:
        return uint(64);
      case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return ulong(memory_bytes() / 2);  // the other half is for the host
      case CL_DEVICE_GLOBAL_MEM_SIZE:
        return ulong(memory_bytes());
      case CL_DEVICE_MAX_PARAMETER_SIZE:
        return word(1024);
      case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return uint(_cl_mem::kAlign * 8);
      case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
        return uint(_cl_mem::kAlign);
      case CL_DEVICE_SINGLE_FP_CONFIG:
        return ulong(kFloats | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
      case CL_DEVICE_DOUBLE_FP_CONFIG:
        return ulong(kFloats);
      case CL_DEVICE_HALF_FP_CONFIG:
        return ulong(0);
      case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
        return uint(CL_READ_WRITE_CACHE);
      case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return uint(64);
      case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return ulong(static_cast<cl_ulong>(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE))));
      case CL_DEVICE_MAX_CONSTANT_ARGS:
        return uint(64);
      case CL_DEVICE_LOCAL_MEM_TYPE:
        return uint(CL_GLOBAL);
      case CL_DEVICE_LOCAL_MEM_SIZE:
        return ulong(1 << 20);
      case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return word(1);
      case CL_DEVICE_EXECUTION_CAPABILITIES:
        return ulong(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL);
      case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
        return ulong(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
      case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
      case CL_DEVICE_IMAGE_SUPPORT:
      case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
      case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
      case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      case CL_DEVICE_PIPE_SUPPORT:
        return uint(CL_FALSE);
      case CL_DEVICE_HOST_UNIFIED_MEMORY:
      case CL_DEVICE_ENDIAN_LITTLE:
      case CL_DEVICE_AVAILABLE:
      case CL_DEVICE_COMPILER_AVAILABLE:
      case CL_DEVICE_LINKER_AVAILABLE:
      case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
        return uint(CL_TRUE);
      case CL_DEVICE_MAX_READ_IMAGE_ARGS:
      case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
      case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      case CL_DEVICE_MAX_SAMPLERS:
      case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
      case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      case CL_DEVICE_MAX_PIPE_ARGS:
      case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
      case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
      case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
      case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
      case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
      case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
      case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
      case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
      case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
        return uint(0);
      case CL_DEVICE_IMAGE2D_MAX_WIDTH:
      case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      case CL_DEVICE_IMAGE3D_MAX_WIDTH:
      case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
      case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
      case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
        return word(0);
      case CL_DEVICE_PRINTF_BUFFER_SIZE:
        return word(1 << 20);
      case CL_DEVICE_SVM_CAPABILITIES:
      case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
        return ulong(0);
      case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
        return ulong(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                     CL_DEVICE_ATOMIC_SCOPE_DEVICE);
      case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
        return ulong(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
                     CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE);
      case CL_DEVICE_PARENT_DEVICE:
        return answer(cl_device_id{nullptr}, room, value, size);
      case CL_DEVICE_PARTITION_PROPERTIES:
      case CL_DEVICE_PARTITION_TYPE:
        return answer(cl_device_partition_property{0}, room, value, size);
      case CL_DEVICE_REFERENCE_COUNT:
        return uint(1);
      case CL_DEVICE_PLATFORM:
        return answer(platform(), room, value, size);
      case CL_DEVICE_NAME:
        return text(features.avx512 ? "kernelc CPU (AVX-512)" : "kernelc CPU (AVX2)");
      case CL_DEVICE_VENDOR:
        return text("kernelc");
      case CL_DRIVER_VERSION:
        return text("0.1");
      case CL_DEVICE_PROFILE:
        return text("FULL_PROFILE");
      case CL_DEVICE_VERSION:
        return text("OpenCL 3.0 kernelc");
      case CL_DEVICE_OPENCL_C_VERSION:
        return text("OpenCL C 1.2 kernelc");
      case CL_DEVICE_NUMERIC_VERSION:
        return answer(cl_version{CL_MAKE_VERSION(3, 0, 0)}, room, value, size);
      case CL_DEVICE_EXTENSIONS:
        return text(kExtensions);
      case CL_DEVICE_BUILT_IN_KERNELS:
      case CL_DEVICE_IL_VERSION:
        return text("");
      case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:  // none
        return text("v0000-01-01-00");
      case CL_DEVICE_ILS_WITH_VERSION:
      case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return answer(nullptr, 0, room, value, size);
      case CL_DEVICE_OPENCL_C_FEATURES: {
        std::vector<cl_name_version> all;
        for (std::string_view feature : kc::optional_features())
          all.push_back(named(feature, CL_MAKE_VERSION(3, 0, 0)));
        return answer(all.data(), all.size() * sizeof all[0], room, value, size);
      }
      case CL_DEVICE_OPENCL_C_ALL_VERSIONS: {
        std::vector<cl_name_version> all;
        for (cl_version version : {CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(1, 2, 0),
                                   CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 0, 0)})
          all.push_back(named("OpenCL C", version));
        return answer(all.data(), all.size() * sizeof all[0], room, value, size);
      }
      case CL_DEVICE_EXTENSIONS_WITH_VERSION: {
        auto list = versioned_extensions();
        return answer(list.data(), list.size() * sizeof list[0], room, value, size);
      }
      default:
        return CL_INVALID_VALUE;
    }
  });
}

}  // extern "C"
