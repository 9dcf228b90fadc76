// SPDX-License-Identifier: Apache-2.0
// Queues, buffers and events.
#include <algorithm>

#include "tests/opencl_calls/world.h"

namespace calls {

void World::create_queue(Dice& dice) {
  if (queues_.size() > 4) return;
  Queue q;
  q.in_order = dice.one_in(2);
  q.profiled = dice.one_in(2);
  const cl_command_queue_properties flags = (q.in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) |
                                            (q.profiled ? CL_QUEUE_PROFILING_ENABLE : 0);
  cl_int e = 1;
  if (dice.one_in(2)) {
    q.handle = clCreateCommandQueue(s.context, s.device, flags, &e);
  } else {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    q.handle = clCreateCommandQueueWithProperties(s.context, s.device, list, &e);
  }
  expect(e, CL_SUCCESS, "clCreateCommandQueue");
  queues_.push_back(std::move(q));
}

// Its commands go on: those that have not ended keep it.
void World::release_queue(Dice& dice) {
  if (queues_.size() < 3) return;
  auto i = std::next(queues_.begin(), 1 + static_cast<long>(dice(queues_.size() - 1)));
  auto last = std::make_shared<Event>();
  expect(clEnqueueMarkerWithWaitList(i->handle, 0, nullptr, &last->handle), CL_SUCCESS, "a marker");
  expect(clReleaseCommandQueue(i->handle), CL_SUCCESS, "clReleaseCommandQueue");
  if (--i->references) return;
  released_.push_back(last);
  queues_.erase(i);
}

void World::create_buffer(Dice& dice) {
  if (buffers_.size() > 12) return;
  auto b = std::make_shared<Buffer>();
  b->memory = std::make_shared<Memory>();
  memories_.push_back(b->memory);
  b->size = 1 + dice(dice.one_in(8) ? 9000 : 700);
  b->memory->bytes = random_bytes(b->size, dice);
  constexpr cl_mem_flags kHost[] = {
      0, 0, 0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS};
  b->flags = CL_MEM_READ_WRITE | kHost[dice(6)];
  cl_int e = 1;
  void* host = b->memory->bytes.data();
  if (dice.one_in(3)) {
    b->memory->host = b->memory->bytes;
    host = b->memory->host.data();
    b->flags |= CL_MEM_USE_HOST_PTR;
  } else {
    b->flags |= CL_MEM_COPY_HOST_PTR | (dice.one_in(3) ? CL_MEM_ALLOC_HOST_PTR : 0);
  }
  b->handle = clCreateBuffer(s.context, b->flags, b->size, host, &e);
  expect(e, CL_SUCCESS, "clCreateBuffer");
  auto ends = [](cl_mem, void* count) { ++*static_cast<std::atomic<int>*>(count); };
  for (size_t i = dice(3); i > 0; --i, ++buffers_watched_)
    expect(clSetMemObjectDestructorCallback(b->handle, ends, &buffers_ended_), CL_SUCCESS,
           "clSetMemObjectDestructorCallback");
  buffers_.push_back(std::move(b));
}

void World::create_part(Dice& dice) {
  if (buffers_.empty() || buffers_.size() > 12) return;
  auto of = buffers_[dice(buffers_.size())];
  if (of->memory->writers) return;
  cl_buffer_region region{dice(of->size + 40), dice(of->size + 40)};
  if (!dice.one_in(3)) region.origin &= ~size_t{127};
  cl_int expected = CL_SUCCESS, e = 1;
  if (of->parent)
    expected = CL_INVALID_MEM_OBJECT;
  else if (!region.size)
    expected = CL_INVALID_BUFFER_SIZE;
  else if (region.origin + region.size > of->size)
    expected = CL_INVALID_VALUE;
  else if (region.origin % 128)
    expected = CL_MISALIGNED_SUB_BUFFER_OFFSET;
  auto b = std::make_shared<Buffer>();
  b->handle = clCreateSubBuffer(of->handle, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
  expect(e, expected, "clCreateSubBuffer");
  require((b->handle != nullptr) == (e == CL_SUCCESS), "an error with an object, or none without");
  if (e) return;
  b->memory = of->memory;
  b->offset = region.origin;
  b->size = region.size;
  b->flags = of->flags;
  b->parent = of->handle;
  buffers_.push_back(std::move(b));
}

// Also those that are mapped, that kernels name, that have parts, and that commands wait to use.
void World::release_buffer(Dice& dice) {
  if (buffers_.empty()) return;
  const size_t i = dice(buffers_.size());
  auto b = buffers_[i];
  if (dice.one_in(3)) {
    expect(clRetainMemObject(b->handle), CL_SUCCESS, "clRetainMemObject");
    ++b->references;
    return;
  }
  const bool last = b->references == 1;
  if (last) {  // what is still mapped can no longer be unmapped
    std::erase_if(regions_, [&](const Region& r) {
      if (r.buffer != b) return false;
      b->memory->writers -= r.writes;
      return true;
    });
    buffers_.erase(buffers_.begin() + static_cast<long>(i));
  }
  --b->references;
  expect(clReleaseMemObject(b->handle), CL_SUCCESS, "clReleaseMemObject");
}

void World::create_user_event(Dice& dice) {
  if (pending_.size() > 5) return;
  EventRef e = new_user_event(dice);
  pending_.push_back(e);
  events_.push_back(e);
}

void World::set_user_event(Dice& dice) {
  std::erase_if(pending_, [](const EventRef& e) { return e->is_set && !e->trigger; });
  if (pending_.empty()) return;
  EventRef e = pending_[dice(pending_.size())];
  if (!e->trigger) set(*e);
}

void World::release_event(Dice& dice) {
  if (events_.empty()) return;
  events_.erase(events_.begin() + static_cast<long>(dice(events_.size())));
}

void World::event_callback(Dice& dice) {
  if (events_.empty()) return;
  constexpr cl_int kWhen[] = {CL_COMPLETE, CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
  EventRef e = events_[dice(events_.size())];
  Callback& c = callbacks_.emplace_back();
  c.event = e;
  c.when = kWhen[dice(4)];
  switch (dice(4)) {
    case 0:
      expect(clRetainEvent(e->handle), CL_SUCCESS, "clRetainEvent");
      c.releases = e->handle;
      break;
    case 1:
      c.sets = new_user_event(dice);
      c.sets->trigger = e;
      pending_.push_back(c.sets);
      events_.push_back(c.sets);
      break;
    case 2:
      c.marks = s.queue;
      break;
    default:
      break;
  }
  auto call = [](cl_event event, cl_int status, void* user) {
    Callback& of = *static_cast<Callback*>(user);
    cl_command_type type = 0;
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
    if (type != of.event->type) status = 99;
    if (of.sets) {
      of.sets->is_set = true;
      if (clSetUserEventStatus(of.sets->handle, of.sets->outcome)) status = 99;
    }
    if (of.marks && clEnqueueMarkerWithWaitList(of.marks, 0, nullptr, nullptr)) status = 99;
    if (of.releases && clReleaseEvent(of.releases)) status = 99;
    of.status = status;
    ++of.calls;
  };
  expect(clSetEventCallback(e->handle, c.when, call, &c), CL_SUCCESS, "clSetEventCallback");
}

// Objects of the driver refer to each other, too, so there may be more references than the host's.
void World::count_references(Dice& dice) {
  cl_uint count = 0;
  Queue& q = any_queue(dice);
  if (!q.shared && q.references < 3) {
    expect(clRetainCommandQueue(q.handle), CL_SUCCESS, "clRetainCommandQueue");
    ++q.references;
  }
  expect(clGetCommandQueueInfo(q.handle, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS,
         "clGetCommandQueueInfo");
  require(count >= q.references, "a queue has fewer references than the host has");
  if (!buffers_.empty()) {
    const Buffer& b = *buffers_[dice(buffers_.size())];
    expect(clGetMemObjectInfo(b.handle, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS,
           "clGetMemObjectInfo");
    require(count >= b.references, "a buffer has fewer references than the host has");
  }
  if (Kernel* k = any_kernel(dice)) {
    expect(clGetKernelInfo(k->handle, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS,
           "clGetKernelInfo");
    require(count == 1, "a kernel has other references than the host's");
  }
}

void World::query(Dice& dice) {
  if (!events_.empty()) {
    const EventRef e = events_[dice(events_.size())];
    cl_command_type type = 0;
    cl_command_queue queue = nullptr;
    cl_int status = 99;
    expect(clGetEventInfo(e->handle, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS,
           "a type");
    require(type == e->type, "an event has another type");
    expect(clGetEventInfo(e->handle, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr), CL_SUCCESS,
           "a queue");
    require(queue == e->queue, "an event is of another queue");
    expect(clGetEventInfo(e->handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
           CL_SUCCESS, "a status");
    if (status <= CL_COMPLETE) require((status < 0) == e->fails, "an event fails where it should not");
    cl_ulong times[4] = {};
    for (cl_uint i = 0; i < 4; ++i) {
      const cl_int result = clGetEventProfilingInfo(e->handle, CL_PROFILING_COMMAND_QUEUED + i,
                                                    sizeof times[i], &times[i], nullptr);
      if (!e->profiled || e->fails || (status > CL_COMPLETE && result))
        expect(result, CL_PROFILING_INFO_NOT_AVAILABLE, "clGetEventProfilingInfo");
      else
        expect(result, CL_SUCCESS, "clGetEventProfilingInfo");
    }
    if (e->profiled && !e->fails && status == CL_COMPLETE)
      require(std::ranges::is_sorted(times), "times are out of order");
  }
  if (!buffers_.empty()) {
    const Buffer& b = *buffers_[dice(buffers_.size())];
    size_t size = 0, offset = 99;
    cl_mem parent = nullptr;
    expect(clGetMemObjectInfo(b.handle, CL_MEM_SIZE, sizeof size, &size, nullptr), CL_SUCCESS, "a size");
    expect(clGetMemObjectInfo(b.handle, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), CL_SUCCESS,
           "an offset");
    expect(clGetMemObjectInfo(b.handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr),
           CL_SUCCESS, "a parent");
    require(size == b.size && offset == b.offset && parent == b.parent,
            "a buffer is another than the model's");
  }
  for (Kernel& k : kernels_) {
    char name[32] = "";
    expect(clGetKernelInfo(k.handle, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr), CL_SUCCESS,
           "a name");
    require(std::string(name) == kNames[static_cast<size_t>(k.kind)], "a kernel has another name");
  }
}

}  // namespace calls
