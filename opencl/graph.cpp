// SPDX-License-Identifier: Apache-2.0
#include "opencl/graph.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

namespace kc::cl {
namespace {

cl_ulong now() {
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

class Graph {
 public:
  // It outlives the exit handlers of the program, which may still use OpenCL.
  static Graph& get() {
    static Graph* graph = new Graph;
    return *graph;
  }

  std::mutex mutex;
  std::condition_variable ended, more;
  std::deque<Ref<_cl_event>> ready;

  // With the lock held: nothing holds the command back any more.
  void submit(Ref<_cl_event> event) {
    event->status = CL_SUBMITTED;
    event->submitted = now();
    ready.push_back(std::move(event));
    more.notify_one();
  }

  void call_back(cl_event event, cl_int status) {
    std::vector<_cl_event::Callback> due;
    {
      std::lock_guard lock(mutex);
      std::erase_if(event->callbacks, [&](const _cl_event::Callback& c) {
        if (c.when < status) return false;
        due.push_back(c);
        return true;
      });
    }
    for (const auto& c : due) c.call(event, status < 0 ? status : c.when, c.user);
  }

  void end(cl_event event, cl_int status) {
    std::vector<_cl_event::Dependent> freed;
    Ref<_cl_command_queue> queue;  // released without the lock
    {
      std::lock_guard lock(mutex);
      event->ended = now();
      event->status = status;
      freed.swap(event->dependents);
      for (auto& d : freed) {
        if (status < 0 && d.needs_success) d.event->input_failed = true;
        if (!--d.event->waits_for) submit(d.event);
      }
      if (event->queue) {
        queue = event->queue;
        queue->open.erase(event);
        if (queue->last == event) queue->last = nullptr;
      }
      ended.notify_all();
    }
    call_back(event, status);
  }

 private:
  Graph() {
    std::thread([this] { run(); }).detach();
  }

  [[noreturn]] void run() {
    for (;;) {
      Ref<_cl_event> event;
      {
        std::unique_lock lock(mutex);
        more.wait(lock, [&] { return !ready.empty(); });
        event = std::move(ready.front());
        ready.pop_front();
        if (!event->input_failed) event->status = CL_RUNNING;
        event->started = now();
      }
      cl_int result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
      if (!event->input_failed) {
        call_back(event.get(), CL_RUNNING);
        result = event->work ? guard(event->work) : CL_COMPLETE;
      }
      event->work = nullptr;  // who waits for the command may count on its buffers being released
      end(event.get(), result);
    }
  }
};

// With the lock held.
void depend(cl_event event, cl_event on, bool needs_success) {
  if (on->status < 0 && needs_success) event->input_failed = true;
  if (on->status <= CL_COMPLETE) return;
  on->dependents.push_back({Ref(event), needs_success});
  ++event->waits_for;
}

}  // namespace

cl_int check_wait_list(const _cl_context* context, WaitList list) {
  if ((list.count == 0) != (list.events == nullptr)) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < list.count; ++i) {
    if (!is(list.events[i])) return CL_INVALID_EVENT_WAIT_LIST;
    if (list.events[i]->context.get() != context) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

cl_int enqueue(cl_command_queue queue, cl_command_type type, WaitList list, cl_event* out,
               std::function<cl_int()> work, bool blocking, bool marker, bool barrier) {
  if (cl_int bad = check_wait_list(queue->context.get(), list)) return bad;
  return guard([&]() -> cl_int {
    Graph& graph = Graph::get();
    auto* made = new _cl_event;
    Ref<_cl_event> event(made);
    release(made);  // the first reference is that of `event`
    made->context = queue->context;
    made->queue = Ref(queue);
    made->type = type;
    made->work = std::move(work);
    {
      std::lock_guard lock(graph.mutex);
      made->queued = now();
      if (queue->last) depend(made, queue->last, false);
      for (cl_uint i = 0; i < list.count; ++i) depend(made, list.events[i], true);
      if (!queue->in_order() && !list.count && (marker || barrier))
        for (cl_event other : queue->open)
          if (other != queue->last) depend(made, other, false);
      if (queue->in_order() || barrier) queue->last = made;
      queue->open.insert(made);
      if (!made->waits_for) graph.submit(event);
    }
    cl_int result = CL_SUCCESS;
    if (blocking) result = wait_for({&made, 1});
    if (out) {
      retain(made);
      *out = made;
    }
    return result;
  });
}

cl_int status_of(cl_event event) {
  std::lock_guard lock(Graph::get().mutex);
  return event->status;
}

cl_int wait_for(std::span<const cl_event> events) {
  Graph& graph = Graph::get();
  std::unique_lock lock(graph.mutex);
  bool failed = false;
  for (cl_event e : events) {
    graph.ended.wait(lock, [&] { return e->status <= CL_COMPLETE; });
    failed |= e->status < 0;
  }
  return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

void finish(cl_command_queue queue) {
  Graph& graph = Graph::get();
  std::unique_lock lock(graph.mutex);
  std::vector<Ref<_cl_event>> open;
  for (cl_event e : queue->open) open.emplace_back(e);
  for (auto& e : open) graph.ended.wait(lock, [&] { return e->status <= CL_COMPLETE; });
  lock.unlock();
}

bool end_user_event(cl_event event, cl_int status) {
  {
    std::lock_guard lock(Graph::get().mutex);
    if (event->status <= CL_COMPLETE) return false;
    event->status = status;
  }
  Graph::get().end(event, status);
  return true;
}

void add_callback(cl_event event, const _cl_event::Callback& callback) {
  Graph& graph = Graph::get();
  cl_int status;
  {
    std::lock_guard lock(graph.mutex);
    event->callbacks.push_back(callback);
    status = event->status;
  }
  graph.call_back(event, status);
}

}  // namespace kc::cl
