// SPDX-License-Identifier: Apache-2.0
// Queues, and commands that only order others.
#include "opencl/graph.h"

using namespace kc::cl;

extern "C" {

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id d,
                                                    const cl_queue_properties* properties, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_command_queue {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(context)) return fail(CL_INVALID_CONTEXT);
    if (!is(d)) return fail(CL_INVALID_DEVICE);
    std::vector<cl_queue_properties> kept;
    cl_command_queue_properties flags = 0;
    for (const auto* p = properties; p && *p; p += 2) {
      if (p[0] == CL_QUEUE_SIZE) return fail(CL_INVALID_QUEUE_PROPERTIES);
      if (p[0] != CL_QUEUE_PROPERTIES) return fail(CL_INVALID_VALUE);
      flags = p[1];
      kept.insert(kept.end(), {p[0], p[1]});
    }
    constexpr cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    constexpr cl_command_queue_properties known = host | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    if (flags & ~known) return fail(CL_INVALID_VALUE);
    if (flags & ~host) return fail(CL_INVALID_QUEUE_PROPERTIES);
    if (properties) kept.push_back(0);
    auto* queue = new _cl_command_queue;
    queue->context = Ref(context);
    queue->flags = flags;
    queue->properties = std::move(kept);
    return queue;
  });
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id d, cl_command_queue_properties flags,
                                      cl_int* error) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, d, list, error);
  if (queue) queue->properties.clear();
  return queue;
}

cl_int clRetainCommandQueue(cl_command_queue q) { return retained(q, CL_INVALID_COMMAND_QUEUE); }
cl_int clReleaseCommandQueue(cl_command_queue q) { return released(q, CL_INVALID_COMMAND_QUEUE); }

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t room, void* value,
                             size_t* size) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  switch (what) {
    case CL_QUEUE_CONTEXT:
      return answer(q->context.get(), room, value, size);
    case CL_QUEUE_DEVICE:
      return answer(device(), room, value, size);
    case CL_QUEUE_REFERENCE_COUNT:
      return answer(q->references.load(), room, value, size);
    case CL_QUEUE_PROPERTIES:
      return answer(q->flags, room, value, size);
    case CL_QUEUE_PROPERTIES_ARRAY:
      return answer(q->properties.data(), q->properties.size() * sizeof(cl_queue_properties), room, value,
                    size);
    case CL_QUEUE_DEVICE_DEFAULT:
      return answer(cl_command_queue{nullptr}, room, value, size);
    case CL_QUEUE_SIZE:
      return CL_INVALID_COMMAND_QUEUE;  // it is not on the device
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clSetCommandQueueProperty(cl_command_queue q, cl_command_queue_properties, cl_bool,
                                 cl_command_queue_properties*) {
  return is(q) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id d, cl_command_queue) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  return is(d) ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
}

cl_int clFlush(cl_command_queue q) { return is(q) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }
cl_int clFinish(cl_command_queue q) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  return guard([&]() -> cl_int { return finish(q), CL_SUCCESS; });
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint count, const cl_event* list, cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  return enqueue(q, CL_COMMAND_MARKER, {count, list}, event, {}, false, true);
}
cl_int clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint count, const cl_event* list,
                                    cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  return enqueue(q, CL_COMMAND_BARRIER, {count, list}, event, {}, false, false, true);
}
cl_int clEnqueueMarker(cl_command_queue q, cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  return event ? clEnqueueMarkerWithWaitList(q, 0, nullptr, event) : CL_INVALID_VALUE;
}
cl_int clEnqueueBarrier(cl_command_queue q) { return clEnqueueBarrierWithWaitList(q, 0, nullptr, nullptr); }
cl_int clEnqueueWaitForEvents(cl_command_queue q, cl_uint count, const cl_event* list) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  if (!count || !list) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (!is(list[i])) return CL_INVALID_EVENT;
  return clEnqueueBarrierWithWaitList(q, count, list, nullptr);
}

}  // extern "C"
