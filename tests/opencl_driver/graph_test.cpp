// SPDX-License-Identifier: Apache-2.0
// The graph of commands by itself, without the compiler, so that a build of it under ThreadSanitizer takes a
// minute.
#include "opencl/graph.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <thread>

#include "tests/opencl_driver/soon.h"

const cl_icd_dispatch kc::cl::kDispatch{};

namespace {

using namespace kc::cl;

Ref<_cl_context> a_context() {
  auto* made = new _cl_context;
  Ref<_cl_context> context(made);
  release(made);
  return context;
}
Ref<_cl_command_queue> a_queue(const Ref<_cl_context>& context, cl_command_queue_properties flags) {
  auto* made = new _cl_command_queue;
  Ref<_cl_command_queue> queue(made);
  release(made);
  made->context = context;
  made->flags = flags;
  return queue;
}

struct Command {
  std::vector<const Command*> after;
  bool ended = false;  // what the graph orders needs no atomic
  bool in_order = false;
};

constexpr size_t kCount = 400;

struct Calls {
  std::atomic<int> asked_for = 0, made = 0;
};

// One host: random commands in a queue of its own and one that it shares. Gives the number of errors.
int host(unsigned seed, const Ref<_cl_context>& context, cl_command_queue shared, Calls& calls) {
  std::mt19937 random(seed);
  Ref<_cl_command_queue> ordered = a_queue(context, seed % 2 ? CL_QUEUE_PROFILING_ENABLE : 0);
  std::array<Command, kCount> commands;
  std::vector<cl_event> events;
  std::atomic<int> wrong = 0;
  const Command* last = nullptr;
  for (Command& c : commands) {
    std::vector<cl_event> list;
    for (size_t i = random() % 4; i > 0 && !events.empty(); --i) {
      const size_t which = random() % events.size();
      list.push_back(events[which]);
      c.after.push_back(&commands[which]);
    }
    c.in_order = random() % 2;
    if (c.in_order && last) c.after.push_back(last);
    if (c.in_order) last = &c;
    const bool waits = random() % 16 == 0, is_native = random() % 4 == 0;
    cl_event event = nullptr;
    wrong += enqueue(
        c.in_order ? ordered.get() : shared, is_native ? CL_COMMAND_NATIVE_KERNEL : CL_COMMAND_NDRANGE_KERNEL,
        {static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data()}, &event,
        [&] {
          for (const Command* before : c.after) wrong += !before->ended;
          c.ended = true;
          return CL_COMPLETE;
        },
        waits);
    if (waits) wrong += !c.ended;
    if (random() % 4 == 0) {
      ++calls.asked_for;
      add_callback(event, {CL_COMPLETE,
                           [](cl_event, cl_int, void* user) { ++static_cast<Calls*>(user)->made; }, &calls});
    }
    if (random() % 32 == 0) wrong += wait_for({&event, 1});
    if (random() % 64 == 0) {
      finish(ordered.get());
      for (const Command& before : commands) wrong += before.in_order && &before <= &c && !before.ended;
    }
    events.push_back(event);
  }
  cl_event barrier = nullptr;
  wrong += enqueue(ordered.get(), CL_COMMAND_BARRIER, {0, nullptr}, &barrier, {}, false, false, true);
  events.push_back(barrier);
  wrong += wait_for(events);
  for (const Command& c : commands) wrong += !c.ended;
  for (cl_event e : events) {
    wrong += status_of(e) != CL_COMPLETE;
    release(e);
  }
  return wrong;
}

}  // namespace

TEST_CASE("threads share a graph") {
  Ref<_cl_context> context = a_context();
  Ref<_cl_command_queue> shared = a_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::atomic<int> wrong = 0;
    Calls calls;
    std::array<std::thread, 3> hosts;
    for (unsigned i = 0; i < hosts.size(); ++i)
      hosts[i] = std::thread([&, i] { wrong += host(3 * seed + i, context, shared.get(), calls); });
    for (std::thread& t : hosts) t.join();
    CHECK(wrong == 0);
    CHECK(soon([&] { return calls.made == calls.asked_for; }));
    CHECK(calls.made > 0);
  }
}

TEST_CASE("user events hold commands back, and their errors go to those who wait") {
  Ref<_cl_context> context = a_context();
  Ref<_cl_command_queue> queue = a_queue(context, 0);
  for (const cl_int status : {CL_COMPLETE, -7}) {
    auto* gate = new _cl_event;
    gate->context = context;
    gate->status = CL_SUBMITTED;
    bool ran = false;
    cl_event event = nullptr;
    REQUIRE(enqueue(queue.get(), CL_COMMAND_NDRANGE_KERNEL, {1, &gate}, &event, [&] {
              ran = true;
              return CL_COMPLETE;
            }) == CL_SUCCESS);
    std::thread opens([&] { end_user_event(gate, status); });
    CHECK(wait_for({&event, 1}) == (status ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS));
    CHECK(ran == (status == CL_COMPLETE));
    opens.join();
    CHECK_FALSE(end_user_event(gate, CL_COMPLETE));
    release(event);
    release(gate);
  }
}
