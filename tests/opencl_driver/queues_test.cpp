// SPDX-License-Identifier: Apache-2.0
// What runs when, and on which thread.
#include <array>
#include <atomic>
#include <cfenv>
#include <memory>
#include <random>
#include <thread>

#include "tests/opencl_driver/setup.h"
#include "tests/opencl_driver/soon.h"

namespace {

cl_int enqueue_native(cl_command_queue q, void(CL_CALLBACK* body)(void*), void* argument,
                      const std::vector<cl_event>& list, cl_event* event) {
  return clEnqueueNativeKernel(q, body, &argument, sizeof argument, 0, nullptr, nullptr,
                               static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(),
                               event);
}

}  // namespace

TEST_CASE("commands that do not wait for each other overlap") {
  Setup s;
  struct Meeting {
    std::atomic<int> here{0}, met{0};
  } meeting;
  auto body = [](void* argument) {
    auto& m = **static_cast<Meeting**>(argument);
    ++m.here;
    m.met += soon([&] { return m.here == 2; });
  };
  for (int i = 0; i < 2; ++i) REQUIRE(enqueue_native(s.unordered, body, &meeting, {}, nullptr) == CL_SUCCESS);
  REQUIRE(clFinish(s.unordered) == CL_SUCCESS);
  CHECK(meeting.met == 2);
}

TEST_CASE("who waits for one command leaves the later ones to others") {
  Setup s;
  cl_kernel k = s.kernel(kAdd, "add");
  cl_mem m = s.buffer(256);
  const int one = 1;
  const size_t global = 64;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof one, &one);
  for (int i = 0; i < 100; ++i) {
    cl_event first, last;
    REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, &first) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, &last) ==
            CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(soon([&] { return status_of(last) == CL_COMPLETE; }));
    clReleaseEvent(first);
    clReleaseEvent(last);
  }
  CHECK(s.read(m, 64) == std::vector<int>(64, 200));
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

TEST_CASE("kernels compute in their own mode of rounding, whoever runs them") {
  Setup s;
  cl_kernel k = s.kernel("kernel void t(global float* a, float d) { a[get_global_id(0)] = 1.0f / d; }", "t");
  const float three = 3.0f, right = 1.0f / 3.0f;
  for (const size_t global : {size_t{1}, size_t{1} << 20}) {
    cl_mem m = s.buffer(global * 4);
    clSetKernelArg(k, 0, sizeof m, &m);
    clSetKernelArg(k, 1, sizeof three, &three);
    std::vector<float> out(global);
    std::fesetround(FE_DOWNWARD);
    clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
    clFinish(s.queue);
    CHECK(std::fegetround() == FE_DOWNWARD);
    std::fesetround(FE_TONEAREST);
    REQUIRE(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, global * 4, out.data(), 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK((out == std::vector<float>(global, right)));
    clReleaseMemObject(m);
  }
  clReleaseKernel(k);
}

TEST_CASE("random graphs of commands run in an order that they allow") {
  Setup s;
  struct Command {
    std::vector<const Command*> after;
    std::atomic<bool> ended{false};
    std::atomic<int>* wrong = nullptr;
  };
  std::atomic<int> wrong{0}, calls{0};
  auto body = [](void* argument) {
    auto& c = **static_cast<Command**>(argument);
    for (const Command* before : c.after) *c.wrong += !before->ended;
    c.ended = true;
  };
  auto host = [&](unsigned seed) {
    std::mt19937 random(seed);
    constexpr size_t kCount = 150;
    std::array<Command, kCount> commands;
    std::vector<cl_event> events;
    const Command* last = nullptr;
    cl_int e;
    cl_command_queue ordered = clCreateCommandQueue(s.context, s.device, 0, &e);
    for (Command& c : commands) {
      const size_t n = events.size();
      c.wrong = &wrong;
      std::vector<cl_event> list;
      for (size_t i = random() % 4; i > 0 && n > 0; --i) {
        const size_t which = random() % n;
        list.push_back(events[which]);
        c.after.push_back(&commands[which]);
      }
      const bool in_order = random() % 2;
      if (in_order && last) c.after.push_back(last);
      if (in_order) last = &c;
      cl_event event;
      wrong += enqueue_native(in_order ? ordered : s.unordered, body, &c, list, &event) != CL_SUCCESS;
      clSetEventCallback(
          event, CL_COMPLETE, [](cl_event, cl_int, void* user) { ++*static_cast<std::atomic<int>*>(user); },
          &calls);
      if (random() % 16 == 0) {
        clWaitForEvents(1, &event);
        wrong += !c.ended;
      }
      events.push_back(event);
    }
    clFinish(ordered);
    clWaitForEvents(kCount, events.data());
    for (const Command& c : commands) wrong += !c.ended;
    for (cl_event event : events) clReleaseEvent(event);
    clReleaseCommandQueue(ordered);
  };
  std::thread other(host, 1u);
  host(2);
  other.join();
  CHECK(wrong == 0);
  CHECK(soon([&] { return calls == 300; }));
}

TEST_CASE("a region whose unmapping fails stays mapped") {
  Setup s;
  cl_mem m = s.buffer(64);
  cl_int e;
  void* at = clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 0, 8, 0, nullptr, nullptr, &e);
  REQUIRE(e == CL_SUCCESS);
  auto maps = [&] {
    cl_uint count = 99;
    clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr);
    return count;
  };
  cl_event broken = clCreateUserEvent(s.context, &e), unmap;
  REQUIRE(clEnqueueUnmapMemObject(s.queue, m, at, 1, &broken, &unmap) == CL_SUCCESS);
  CHECK(clEnqueueUnmapMemObject(s.queue, m, at, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clSetUserEventStatus(broken, -5) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &unmap) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(maps() == 1);
  CHECK(clEnqueueUnmapMemObject(s.queue, m, at, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clFinish(s.queue) == CL_SUCCESS);
  CHECK(maps() == 0);
  clReleaseEvent(broken);
  clReleaseEvent(unmap);
  clReleaseMemObject(m);
}

TEST_CASE("a callback of a user event may release the event") {
  Setup s;
  cl_int e;
  cl_event event = clCreateUserEvent(s.context, &e);
  int calls = 0;
  auto release = [](cl_event of, cl_int, void*) { clReleaseEvent(of); };
  auto ask = [](cl_event of, cl_int, void* user) {
    *static_cast<int*>(user) += status_of(of) == CL_COMPLETE;
  };
  REQUIRE(clSetEventCallback(event, CL_COMPLETE, release, nullptr) == CL_SUCCESS);
  REQUIRE(clSetEventCallback(event, CL_COMPLETE, ask, &calls) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS);
  CHECK(calls == 1);
}
