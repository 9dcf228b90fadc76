// SPDX-License-Identifier: Apache-2.0
// Buffers and parts of buffers. The device is this process, so a buffer with a host pointer is that memory.
#include "opencl/objects.h"

using namespace kc::cl;

namespace {

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool several(cl_mem_flags flags) { return (flags & (flags - 1)) != 0; }
bool wrong_flags(cl_mem_flags flags) {
  return (flags & ~(kAccess | kHostAccess | kHostPointer)) || several(flags & kAccess) ||
         several(flags & kHostAccess) ||
         ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

}  // namespace

extern "C" {

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                    cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_mem {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(context)) return fail(CL_INVALID_CONTEXT);
    if (properties && *properties) return fail(CL_INVALID_PROPERTY);
    if (wrong_flags(flags)) return fail(CL_INVALID_VALUE);
    cl_ulong most = 0;
    clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    if (!size || size > most) return fail(CL_INVALID_BUFFER_SIZE);
    const bool needs_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (needs_host != (host != nullptr)) return fail(CL_INVALID_HOST_PTR);
    std::unique_ptr<_cl_mem> m(new _cl_mem);
    m->context = Ref(context);
    m->flags = flags & kAccess ? flags : flags | CL_MEM_READ_WRITE;
    m->size = size;
    if (properties) m->properties.push_back(0);
    if (flags & CL_MEM_USE_HOST_PTR) {
      m->host = host;
      m->data = static_cast<char*>(host);
    } else {
      m->data = static_cast<char*>(::operator new[](size, std::align_val_t{_cl_mem::kAlign}, std::nothrow));
      if (!m->data) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE);
      m->owns = true;
      if (host) std::memcpy(m->data, host, size);
    }
    return m.release();
  });
}
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  return clCreateBufferWithProperties(context, nullptr, flags, size, host, error);
}

cl_mem clCreateSubBuffer(cl_mem of, cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                         cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_mem {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(of) || of->parent) return fail(CL_INVALID_MEM_OBJECT);
    if (wrong_flags(flags) || (flags & kHostPointer) || type != CL_BUFFER_CREATE_TYPE_REGION || !info)
      return fail(CL_INVALID_VALUE);
    const cl_mem_flags access = of->flags & kAccess, host = of->flags & kHostAccess;
    const cl_mem_flags wanted = flags & kAccess, wanted_host = flags & kHostAccess;
    if ((wanted && access != CL_MEM_READ_WRITE && wanted != access) ||
        (wanted_host && host && wanted_host != host && wanted_host != CL_MEM_HOST_NO_ACCESS))
      return fail(CL_INVALID_VALUE);
    const auto& region = *static_cast<const cl_buffer_region*>(info);
    if (!region.size) return fail(CL_INVALID_BUFFER_SIZE);
    if (region.origin > of->size || region.size > of->size - region.origin) return fail(CL_INVALID_VALUE);
    if (region.origin % _cl_mem::kAlign) return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    auto* m = new _cl_mem;
    m->context = of->context;
    m->parent = Ref(of);
    m->flags = (wanted ? wanted : access) | (wanted_host ? wanted_host : host) | (of->flags & kHostPointer);
    m->size = region.size;
    m->offset = region.origin;
    m->data = of->data + region.origin;
    m->host = of->host ? static_cast<char*>(of->host) + region.origin : nullptr;
    return m;
  });
}

cl_int clRetainMemObject(cl_mem m) { return retained(m, CL_INVALID_MEM_OBJECT); }
cl_int clReleaseMemObject(cl_mem m) { return released(m, CL_INVALID_MEM_OBJECT); }

cl_int clSetMemObjectDestructorCallback(cl_mem m, void(CL_CALLBACK* call)(cl_mem, void*), void* user) {
  if (!is(m)) return CL_INVALID_MEM_OBJECT;
  if (!call) return CL_INVALID_VALUE;
  return guard([&]() -> cl_int {
    std::lock_guard lock(m->mutex);
    m->destructors.push_back([=] { call(m, user); });
    return CL_SUCCESS;
  });
}

cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info what, size_t room, void* value, size_t* size) {
  if (!is(m)) return CL_INVALID_MEM_OBJECT;
  switch (what) {
    case CL_MEM_TYPE:
      return answer(cl_mem_object_type{CL_MEM_OBJECT_BUFFER}, room, value, size);
    case CL_MEM_FLAGS:
      return answer(m->flags, room, value, size);
    case CL_MEM_SIZE:
      return answer(m->size, room, value, size);
    case CL_MEM_HOST_PTR:
      return answer(m->host, room, value, size);
    case CL_MEM_MAP_COUNT: {
      std::lock_guard lock(m->mutex);
      return answer(static_cast<cl_uint>(m->mapped.size()), room, value, size);
    }
    case CL_MEM_REFERENCE_COUNT:
      return answer(m->references.load(), room, value, size);
    case CL_MEM_CONTEXT:
      return answer(m->context.get(), room, value, size);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return answer(m->parent.get(), room, value, size);
    case CL_MEM_OFFSET:
      return answer(m->offset, room, value, size);
    case CL_MEM_USES_SVM_POINTER:
      return answer(cl_bool{CL_FALSE}, room, value, size);
    case CL_MEM_PROPERTIES:
      return answer(m->properties.data(), m->properties.size() * sizeof(cl_mem_properties), room, value,
                    size);
    default:
      return CL_INVALID_VALUE;
  }
}

// There are no images, so there are no formats.
cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format* list, cl_uint* count) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  const bool is_image = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
                        (type >= CL_MEM_OBJECT_IMAGE2D_ARRAY && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER);
  if (!is_image || wrong_flags(flags & ~CL_MEM_KERNEL_READ_AND_WRITE) || (list && !room))
    return CL_INVALID_VALUE;
  if (count) *count = 0;
  return CL_SUCCESS;
}

}  // extern "C"
