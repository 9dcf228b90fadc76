// SPDX-License-Identifier: Apache-2.0
// Calls that must fail, and must leave everything as it was.
#include "tests/opencl_calls/world.h"

namespace calls {
namespace {

template <typename T, typename Other>
T as(Other* other) {
  return reinterpret_cast<T>(other);
}
constexpr size_t kHuge[] = {SIZE_MAX, SIZE_MAX / 2 + 1, size_t{1} << 40, SIZE_MAX - 63};

}  // namespace

void World::wrong_object(Dice& dice) {
  Queue& q = any_queue(dice);
  const bool null = dice.one_in(2);
  uint8_t byte = 0;
  const size_t one = 1;
  cl_int e = 1;
  auto no_mem = null ? nullptr : as<cl_mem>(s.context);
  auto no_queue = null ? nullptr : as<cl_command_queue>(s.context);
  auto no_event = null ? nullptr : as<cl_event>(s.context);
  auto no_kernel = null ? nullptr : as<cl_kernel>(s.context);
  auto no_program = null ? nullptr : as<cl_program>(s.context);
  auto no_context = null ? nullptr : as<cl_context>(q.handle);
  switch (dice(14)) {
    case 0:
      return expect(clReleaseMemObject(no_mem), CL_INVALID_MEM_OBJECT, "clReleaseMemObject");
    case 1:
      return expect(clRetainCommandQueue(no_queue), CL_INVALID_COMMAND_QUEUE, "clRetainCommandQueue");
    case 2:
      return expect(clReleaseEvent(no_event), CL_INVALID_EVENT, "clReleaseEvent");
    case 3:
      return expect(clReleaseKernel(no_kernel), CL_INVALID_KERNEL, "clReleaseKernel");
    case 4:
      return expect(clReleaseProgram(no_program), CL_INVALID_PROGRAM, "clReleaseProgram");
    case 5:
      return expect(clReleaseContext(no_context), CL_INVALID_CONTEXT, "clReleaseContext");
    case 6:
      return expect(clFinish(no_queue), CL_INVALID_COMMAND_QUEUE, "clFinish");
    case 7:
      return expect(clEnqueueReadBuffer(q.handle, no_mem, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
                    CL_INVALID_MEM_OBJECT, "clEnqueueReadBuffer");
    case 8:
      return expect(
          clEnqueueNDRangeKernel(q.handle, no_kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
          CL_INVALID_KERNEL, "clEnqueueNDRangeKernel");
    case 9:
      require(!clCreateBuffer(no_context, CL_MEM_READ_WRITE, 4, nullptr, &e), "a buffer of no context");
      return expect(e, CL_INVALID_CONTEXT, "clCreateBuffer");
    case 10:
      require(!clCreateKernel(no_program, "add", &e), "a kernel of no program");
      return expect(e, CL_INVALID_PROGRAM, "clCreateKernel");
    case 11:
      return expect(clSetUserEventStatus(no_event, CL_COMPLETE), CL_INVALID_EVENT, "clSetUserEventStatus");
    case 12:
      return expect(clBuildProgram(no_program, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_PROGRAM,
                    "clBuildProgram");
    default:
      require(!clCloneKernel(no_kernel, &e), "a copy of no kernel");
      return expect(e, CL_INVALID_KERNEL, "clCloneKernel");
  }
}

void World::wrong_buffer(Dice& dice) {
  uint8_t byte = 0;
  cl_int e = 1, expected = CL_INVALID_VALUE;
  cl_mem made = nullptr;
  switch (dice(6)) {
    case 0:
      made = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 0, nullptr, &e);
      expected = CL_INVALID_BUFFER_SIZE;
      break;
    case 1:
      made = clCreateBuffer(s.context, CL_MEM_READ_WRITE, kHuge[dice(4)], nullptr, &e);
      expected = CL_INVALID_BUFFER_SIZE;
      break;
    case 2:
      made = clCreateBuffer(s.context, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 4, nullptr, &e);
      break;
    case 3:
      made = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4, nullptr, &e);
      expected = CL_INVALID_HOST_PTR;
      break;
    case 4:
      made = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 1, &byte, &e);
      expected = CL_INVALID_HOST_PTR;
      break;
    default:
      made = clCreateBuffer(s.context, cl_mem_flags{1} << (20 + dice(40)), 4, nullptr, &e);
  }
  require(!made, "an error with a buffer");
  expect(e, expected, "clCreateBuffer");
}

void World::wrong_transfer(Dice& dice) {
  auto b = any_buffer(dice, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
  if (!b) return;
  Queue& q = any_queue(dice);
  uint8_t byte = 0;
  cl_int e = 1;
  const size_t huge = kHuge[dice(4)], origin[3] = {}, some[3] = {1, 1, 1}, none[3] = {1, 0, 1};
  const size_t far[3] = {0, huge, dice(3)}, wide[3] = {1, huge, 1 + dice(2)};
  switch (dice(12)) {
    case 0:
      return expect(clEnqueueReadBuffer(q.handle, b->handle, CL_TRUE, b->size, 1, &byte, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueReadBuffer");
    case 1:
      return expect(
          clEnqueueWriteBuffer(q.handle, b->handle, CL_TRUE, huge, b->size, &byte, 0, nullptr, nullptr),
          CL_INVALID_VALUE, "clEnqueueWriteBuffer");
    case 2:
      return expect(clEnqueueReadBuffer(q.handle, b->handle, CL_TRUE, 0, 1, nullptr, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueReadBuffer");
    case 3:
      return expect(clEnqueueCopyBuffer(q.handle, b->handle, b->handle, 0, huge, 1, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueCopyBuffer");
    case 4:
      return expect(clEnqueueCopyBuffer(q.handle, b->handle, b->handle, 0, 0, 1, 0, nullptr, nullptr),
                    CL_MEM_COPY_OVERLAP, "clEnqueueCopyBuffer");
    case 5:
      return expect(clEnqueueFillBuffer(q.handle, b->handle, &byte, 3, 0, 0, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueFillBuffer");
    case 6:
      return expect(clEnqueueReadBufferRect(q.handle, b->handle, CL_TRUE, origin, origin, none, 0, 0, 0, 0,
                                            &byte, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueReadBufferRect");
    case 7:
      return expect(clEnqueueReadBufferRect(q.handle, b->handle, CL_TRUE, far, origin, some, huge / 2, 0, 0,
                                            0, &byte, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueReadBufferRect");
    case 8:
      return expect(clEnqueueCopyBufferRect(q.handle, b->handle, b->handle, origin, origin, wide, 0, 0, 0, 0,
                                            0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueCopyBufferRect");
    case 9:
      require(
          !clEnqueueMapBuffer(q.handle, b->handle, CL_TRUE, CL_MAP_READ, 1, huge, 0, nullptr, nullptr, &e),
          "an error with an address");
      return expect(e, CL_INVALID_VALUE, "clEnqueueMapBuffer");
    case 10:
      return expect(clEnqueueUnmapMemObject(q.handle, b->handle, &byte, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueUnmapMemObject");
    default:
      return expect(clEnqueueMigrateMemObjects(q.handle, 1, &b->handle, 1 << 9, 0, nullptr, nullptr),
                    CL_INVALID_VALUE, "clEnqueueMigrateMemObjects");
  }
}

void World::wrong_launch(Dice& dice) {
  Kernel* k = any_kernel(dice);
  auto b = any_buffer(dice);
  if (!k || !b) return;
  Queue& q = any_queue(dice);
  cl_int e = 1;
  const size_t one[3] = {8, 8, 8}, huge[3] = {kHuge[dice(4)], 1, 1}, three[3] = {3, 3, 3}, none[3] = {};
  auto run = [&](cl_kernel of, cl_uint dims, const size_t* offset, const size_t* global,
                 const size_t* local) {
    return clEnqueueNDRangeKernel(q.handle, of, dims, offset, global, local, 0, nullptr, nullptr);
  };
  // A kernel whose arguments have not been set: the last of the model's that has none is made here.
  if (dice.one_in(4) && !programs_.empty()) {
    cl_kernel fresh = clCreateKernel(programs_.front(), "add", &e);
    expect(e, CL_SUCCESS, "clCreateKernel");
    expect(clSetKernelArg(fresh, 0, sizeof b->handle, &b->handle), CL_SUCCESS, "clSetKernelArg");
    expect(run(fresh, 1, nullptr, one, nullptr), CL_INVALID_KERNEL_ARGS, "a launch without an argument");
    expect(clReleaseKernel(fresh), CL_SUCCESS, "clReleaseKernel");
    return;
  }
  if (k->kind != KernelKind::Speak && k->kind != KernelKind::Groups) return;
  expect(clSetKernelArg(k->handle, 0, sizeof b->handle, &b->handle), CL_SUCCESS, "clSetKernelArg");
  switch (dice(7)) {
    case 0:
      return expect(run(k->handle, 0, nullptr, one, nullptr), CL_INVALID_WORK_DIMENSION, "no dimension");
    case 1:
      return expect(run(k->handle, 4, nullptr, one, nullptr), CL_INVALID_WORK_DIMENSION, "four dimensions");
    case 2:
      return expect(run(k->handle, 1, nullptr, huge, nullptr), CL_INVALID_GLOBAL_WORK_SIZE, "a huge range");
    case 3:
      return expect(run(k->handle, 1, huge, one, nullptr), CL_INVALID_GLOBAL_OFFSET, "a huge offset");
    case 4:
      return expect(run(k->handle, 2, nullptr, one, three), CL_INVALID_WORK_GROUP_SIZE, "a part of a group");
    case 5:
      return expect(run(k->handle, 2, nullptr, one, none), CL_INVALID_WORK_GROUP_SIZE, "an empty group");
    default:  // a buffer that has been released is no argument any more
      cl_mem gone = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 64, nullptr, &e);
      expect(e, CL_SUCCESS, "clCreateBuffer");
      expect(clSetKernelArg(k->handle, 0, sizeof gone, &gone), CL_SUCCESS, "clSetKernelArg");
      expect(clReleaseMemObject(gone), CL_SUCCESS, "clReleaseMemObject");
      expect(clReleaseMemObject(gone), CL_INVALID_MEM_OBJECT, "clReleaseMemObject again");
      return expect(run(k->handle, 1, nullptr, one, nullptr), CL_INVALID_KERNEL_ARGS, "a released argument");
  }
}

void World::wrong_argument(Dice& dice) {
  Kernel* k = any_kernel(dice);
  if (!k) return;
  const size_t sizes[] = {0, 1, 7, 16, kHuge[dice(4)]};
  const size_t wrong = sizes[dice(5)];
  const uint8_t bytes[16] = {};
  expect(clSetKernelArg(k->handle, 0, wrong, bytes), CL_INVALID_ARG_SIZE, "a buffer of a wrong size");
  expect(clSetKernelArg(k->handle, dice.one_in(2) ? 4 : ~0u, 4, bytes), CL_INVALID_ARG_INDEX, "no argument");
  const auto* not_mem = as<cl_mem>(s.context);
  expect(clSetKernelArg(k->handle, 0, sizeof not_mem, &not_mem), CL_INVALID_MEM_OBJECT, "no buffer");
  if (k->kind == KernelKind::Add) {
    expect(clSetKernelArg(k->handle, 1, wrong, bytes), CL_INVALID_ARG_SIZE, "a number of a wrong size");
    expect(clSetKernelArg(k->handle, 1, 4, nullptr), CL_INVALID_ARG_VALUE, "no number");
  }
  if (k->kind == KernelKind::Mirror) {
    expect(clSetKernelArg(k->handle, 1, 0, nullptr), CL_INVALID_ARG_SIZE, "no local memory");
    expect(clSetKernelArg(k->handle, 1, 4, bytes), CL_INVALID_ARG_VALUE, "local memory with a value");
  }
}

void World::wrong_wait(Dice& dice) {
  Queue& q = any_queue(dice);
  cl_event none = nullptr;
  expect(clEnqueueMarkerWithWaitList(q.handle, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST, "no list");
  expect(clEnqueueMarkerWithWaitList(q.handle, 1, &none, nullptr), CL_INVALID_EVENT_WAIT_LIST, "no event");
  expect(clEnqueueBarrierWithWaitList(q.handle, 0, &none, nullptr), CL_INVALID_EVENT_WAIT_LIST,
         "an empty list");
  expect(clWaitForEvents(0, nullptr), CL_INVALID_VALUE, "clWaitForEvents");
  expect(clWaitForEvents(1, &none), CL_INVALID_EVENT, "clWaitForEvents");
  if (events_.empty()) return;
  EventRef e = events_[dice(events_.size())];
  expect(clSetUserEventStatus(e->handle, 1), e->type == CL_COMMAND_USER ? CL_INVALID_VALUE : CL_INVALID_EVENT,
         "clSetUserEventStatus");
  expect(clSetEventCallback(e->handle, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE,
         "clSetEventCallback");
}

}  // namespace calls
