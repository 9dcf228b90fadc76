// SPDX-License-Identifier: Apache-2.0
#include "opencl/objects.h"

using namespace kc::cl;

extern "C" {

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* user,
                           cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_context {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    std::vector<cl_context_properties> kept;
    for (const auto* p = properties; p && *p; p += 2) {
      if (p[0] == CL_CONTEXT_PLATFORM && !is(reinterpret_cast<cl_platform_id>(p[1])))
        return fail(CL_INVALID_PLATFORM);
      if (p[0] != CL_CONTEXT_PLATFORM && p[0] != CL_CONTEXT_INTEROP_USER_SYNC)
        return fail(CL_INVALID_PROPERTY);
      if (p[0] == CL_CONTEXT_INTEROP_USER_SYNC && p[1] != CL_TRUE && p[1] != CL_FALSE)
        return fail(CL_INVALID_PROPERTY);
      for (size_t i = 0; i < kept.size(); i += 2)
        if (kept[i] == p[0]) return fail(CL_INVALID_PROPERTY);
      kept.insert(kept.end(), {p[0], p[1]});
    }
    if (properties) kept.push_back(0);
    if (!count || !devices || (user && !notify)) return fail(CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; ++i)
      if (!is(devices[i])) return fail(CL_INVALID_DEVICE);
    auto* context = new _cl_context;
    context->properties = std::move(kept);
    context->notify = notify;
    context->notify_user = user;
    return context;
  });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                   void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                   void* user, cl_int* error) {
  cl_device_id found = nullptr;
  if (cl_int bad = clGetDeviceIDs(platform(), type, 1, &found, nullptr)) {
    if (error) *error = bad;
    return nullptr;
  }
  return clCreateContext(properties, 1, &found, notify, user, error);
}

cl_int clRetainContext(cl_context c) { return retained(c, CL_INVALID_CONTEXT); }
cl_int clReleaseContext(cl_context c) { return released(c, CL_INVALID_CONTEXT); }

cl_int clGetContextInfo(cl_context c, cl_context_info what, size_t room, void* value, size_t* size) {
  if (!is(c)) return CL_INVALID_CONTEXT;
  switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return answer(c->references.load(), room, value, size);
    case CL_CONTEXT_NUM_DEVICES:
      return answer(cl_uint{1}, room, value, size);
    case CL_CONTEXT_DEVICES:
      return answer(device(), room, value, size);
    case CL_CONTEXT_PROPERTIES:
      return answer(c->properties.data(), c->properties.size() * sizeof(cl_context_properties), room, value,
                    size);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clSetContextDestructorCallback(cl_context c, void(CL_CALLBACK* call)(cl_context, void*), void* user) {
  if (!is(c)) return CL_INVALID_CONTEXT;
  if (!call) return CL_INVALID_VALUE;
  return guard([&]() -> cl_int {
    std::lock_guard lock(c->mutex);
    c->destructors.push_back([=] { call(c, user); });
    return CL_SUCCESS;
  });
}

}  // extern "C"
