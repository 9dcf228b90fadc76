// SPDX-License-Identifier: Apache-2.0
#include "opencl/graph.h"

using namespace kc::cl;

extern "C" {

cl_event clCreateUserEvent(cl_context context, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_event {
    if (!is(context)) return code = CL_INVALID_CONTEXT, nullptr;
    auto* event = new _cl_event;
    event->context = Ref(context);
    event->status = CL_SUBMITTED;
    return event;
  });
}
cl_int clSetUserEventStatus(cl_event e, cl_int status) {
  if (!is(e) || e->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
  if (status > CL_COMPLETE) return CL_INVALID_VALUE;
  return guard([&]() -> cl_int { return end_user_event(e, status) ? CL_SUCCESS : CL_INVALID_OPERATION; });
}

cl_int clRetainEvent(cl_event e) { return retained(e, CL_INVALID_EVENT); }
cl_int clReleaseEvent(cl_event e) { return released(e, CL_INVALID_EVENT); }

cl_int clWaitForEvents(cl_uint count, const cl_event* list) {
  if (!count || !list) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (!is(list[i])) return CL_INVALID_EVENT;
    if (list[i]->context.get() != list[0]->context.get()) return CL_INVALID_CONTEXT;
  }
  return guard([&] { return wait_for({list, count}); });
}

cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void* value, size_t* size) {
  if (!is(e)) return CL_INVALID_EVENT;
  switch (what) {
    case CL_EVENT_COMMAND_QUEUE:
      return answer(e->queue.get(), room, value, size);
    case CL_EVENT_CONTEXT:
      return answer(e->context.get(), room, value, size);
    case CL_EVENT_COMMAND_TYPE:
      return answer(e->type, room, value, size);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
      return answer(status_of(e), room, value, size);
    case CL_EVENT_REFERENCE_COUNT:
      return answer(e->references.load(), room, value, size);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clSetEventCallback(cl_event e, cl_int when, void(CL_CALLBACK* call)(cl_event, cl_int, void*),
                          void* user) {
  if (!is(e)) return CL_INVALID_EVENT;
  if (!call || (when != CL_SUBMITTED && when != CL_RUNNING && when != CL_COMPLETE)) return CL_INVALID_VALUE;
  return guard([&]() -> cl_int { return add_callback(e, {when, call, user}), CL_SUCCESS; });
}

cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info what, size_t room, void* value, size_t* size) {
  if (!is(e)) return CL_INVALID_EVENT;
  if (!e->queue || !(e->queue->flags & CL_QUEUE_PROFILING_ENABLE) || status_of(e) != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (what) {
    case CL_PROFILING_COMMAND_QUEUED:
      return answer(e->queued, room, value, size);
    case CL_PROFILING_COMMAND_SUBMIT:
      return answer(e->submitted, room, value, size);
    case CL_PROFILING_COMMAND_START:
      return answer(e->started, room, value, size);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
      return answer(e->ended, room, value, size);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // extern "C"
