// SPDX-License-Identifier: Apache-2.0
#include "opencl/graph.h"

#include <algorithm>
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

// Waking a thread costs more than a small launch, so threads look for a while before they sleep.
template <typename Condition>
bool look_for(Condition&& condition) {
  for (int i = 0; i < 300; ++i) {
    if (condition()) return true;
    __builtin_ia32_pause();
  }
  return false;
}

// Held for so short a time that waiting for it is shorter than sleeping.
class Lock : public std::unique_lock<std::mutex> {
 public:
  explicit Lock(std::mutex& m) : unique_lock(m, std::defer_lock) { lock(); }
  void lock() {
    if (!look_for([&] { return try_lock(); })) unique_lock::lock();
  }
};

class Graph {
 public:
  // It outlives the exit handlers of the program, which may still use OpenCL.
  static Graph& get() {
    static Graph* graph = new Graph;
    return *graph;
  }

  std::mutex mutex;

  // All of these with the lock held, unless they say otherwise.

  // Nothing holds the command back any more.
  void submit(cl_event event) {
    event->status = CL_SUBMITTED;
    if (is_profiled(event)) event->submitted = now();
    event->is_ready = true;
    ready_.push_back(event);
    count_work();
  }

  // Has a thread come for each ready command, of which the caller takes `taken` itself.
  void wake(size_t taken) {
    while (ready_.size() + calls_.size() > taken + coming_) {
      if (sleeping_) {
        --sleeping_;
        ++woken_;
        more_.notify_one();
      } else if (!start_thread()) {
        return;
      }
      ++coming_;
    }
  }

  // Gives what waited for the command, which is released without the lock.
  [[nodiscard]] std::vector<_cl_event::Dependent> end(cl_event event, cl_int status) {
    if (is_profiled(event)) event->ended = now();
    event->status = status;
    std::vector<_cl_event::Dependent> freed = std::move(event->dependents);
    event->dependents.clear();
    for (auto& d : freed) {
      if (status < 0 && d.needs_success) d.event->input_failed = true;
      if (!--d.event->waits_for) submit(d.event.get());
    }
    if (_cl_command_queue* queue = event->queue.get()) {
      queue->open.erase(event);
      if (queue->last == event) queue->last = nullptr;
    }
    if (event->is_awaited) ended_.notify_all();
    return freed;
  }

  // Whether a thread that waits for the command can run what comes next on the way to it. It has it sooner
  // than another thread would. Callbacks and functions of the host are for the graph's own threads.
  static cl_event next_before(cl_event event) {
    _cl_command_queue* queue = event->queue.get();
    cl_event next = queue && queue->in_order() ? queue->open.first() : event;
    const bool here =
        next && next->is_ready && next->callbacks.empty() && next->type != CL_COMMAND_NATIVE_KERNEL;
    return here ? next : nullptr;
  }

  // Until the command has ended.
  void wait(Lock& lock, cl_event event) {
    Garbage garbage;
    bool ran = false, looked = false;
    while (event->status > CL_COMPLETE) {
      if (cl_event next = next_before(event)) {
        execute(lock, next, false, garbage);
        ran = true;
        // Others have what has become ready and is none of this thread's.
        if (event->status <= CL_COMPLETE || !next_before(event)) wake(0);
      } else if (!looked) {
        lock.unlock();
        look_for([&] { return event->status <= CL_COMPLETE; });
        lock.lock();
        looked = true;
      } else {
        event->is_awaited = true;
        ended_.wait(lock);
      }
    }
    if (!ran) return;
    lock.unlock();
    garbage.clear();
    lock.lock();
  }

  // Without the lock.
  void call_back(cl_event event, cl_int status) {
    Lock lock(mutex);
    call_back(lock, event, status);
  }

 private:
  // What is released without the lock, since that may end objects, which calls functions of the user.
  struct Garbage {
    Ref<_cl_event> event;
    std::vector<_cl_event::Dependent> freed;
    void clear() {
      event = {};
      freed.clear();
    }
  };
  struct Call {
    Ref<_cl_event> event;
    cl_int status;
  };

  static bool is_profiled(cl_event e) { return e->queue && (e->queue->flags & CL_QUEUE_PROFILING_ENABLE); }

  void count_work() { work_.store(ready_.size() + calls_.size(), std::memory_order_relaxed); }

  // Without the lock during the calls.
  void call_back(Lock& lock, cl_event event, cl_int status) {
    if (event->callbacks.empty()) return;
    std::vector<_cl_event::Callback> due;
    std::erase_if(event->callbacks, [&](const _cl_event::Callback& c) {
      if (c.when < status) return false;
      due.push_back(c);
      return true;
    });
    lock.unlock();
    for (const auto& c : due) c.call(event, status < 0 ? status : c.when, c.user);
    lock.lock();
  }

  // Runs a ready command, without the lock meanwhile. `own`: on a thread of the graph.
  void execute(Lock& lock, cl_event event, bool own, Garbage& garbage) {
    ready_.erase(event);
    event->is_ready = false;
    count_work();
    if (is_profiled(event)) event->started = now();
    cl_int result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    const bool runs = !event->input_failed;
    if (runs) {
      event->status = CL_RUNNING;
      call_back(lock, event, CL_RUNNING);
    }
    lock.unlock();
    garbage.clear();
    if (runs) result = event->work ? guard(event->work) : CL_COMPLETE;
    event->work = nullptr;  // who waits for the command may count on its buffers being released
    lock.lock();
    garbage.freed = end(event, result);
    garbage.event = std::move(event->self);
    if (event->callbacks.empty()) return wake(1);  // this thread goes on with one
    if (own) {
      wake(0);
      call_back(lock, event, result);
    } else {
      calls_.push_back({garbage.event, result});
      count_work();
      wake(0);
    }
  }

  bool start_thread() {
    if (threads_ == kMostThreads) return false;
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {
      return false;  // those that wait for commands run them
    }
    ++threads_;
    return true;
  }

  // One of the graph's threads. It begins as one that comes.
  [[noreturn]] void run() {
    Lock lock(mutex);
    for (Garbage garbage;;) {
      --coming_;
      for (;;) {
        if (cl_event next = ready_.first()) {
          execute(lock, next, true, garbage);
        } else if (!calls_.empty()) {
          const Call call = std::move(calls_.front());
          calls_.pop_front();
          count_work();
          lock.unlock();
          garbage.clear();
          lock.lock();
          garbage.event = call.event;
          call_back(lock, call.event.get(), call.status);
        } else {
          break;
        }
      }
      const bool looks = !looking_;
      looking_ |= looks;
      coming_ += looks;
      lock.unlock();
      garbage.clear();
      if (looks) look_for([&] { return work_.load(std::memory_order_relaxed) != 0; });
      lock.lock();
      if (looks) looking_ = false;
      coming_ += !looks;
      if (!ready_.first() && calls_.empty()) {
        --coming_;
        ++sleeping_;
        more_.wait(lock, [&] { return woken_ > 0; });
        --woken_;
      }
    }
  }

  // Commands that do not wait for each other run at once; a kernel by itself runs on all cores.
  const size_t kMostThreads = std::max(4u, std::thread::hardware_concurrency());

  std::condition_variable ended_, more_;
  EventList<&_cl_event::in_ready> ready_;
  std::deque<Call> calls_;       // of commands that ended elsewhere
  std::atomic<size_t> work_{0};  // the size of both
  size_t threads_ = 0;
  size_t coming_ = 0;    // threads that are about to look for work
  size_t sleeping_ = 0;  // threads that have to be woken for that
  size_t woken_ = 0;     // threads that have been, and do not know yet
  bool looking_ = false;
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

cl_int enqueue(cl_command_queue queue, cl_command_type type, WaitList list, cl_event* out, Work work,
               bool blocking, bool marker, bool barrier) {
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
    made->self = event;
    if (queue->flags & CL_QUEUE_PROFILING_ENABLE) made->queued = now();
    Lock lock(graph.mutex);
    if (queue->last) depend(made, queue->last, false);
    for (cl_uint i = 0; i < list.count; ++i) depend(made, list.events[i], true);
    if (!queue->in_order() && !list.count && (marker || barrier))
      for (cl_event other = queue->open.first(); other; other = other->in_queue.after)
        if (other != queue->last) depend(made, other, false);
    if (queue->in_order() || barrier) queue->last = made;
    queue->open.push_back(made);
    if (!made->waits_for) graph.submit(made);
    if (out) {
      retain(made);
      *out = made;
    }
    graph.wake(blocking && Graph::next_before(made) ? 1 : 0);
    if (!blocking) return CL_SUCCESS;
    graph.wait(lock, made);
    return made->status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
  });
}

cl_int status_of(cl_event event) { return event->status; }

cl_int wait_for(std::span<const cl_event> events) {
  Lock lock(Graph::get().mutex);
  bool failed = false;
  for (cl_event e : events) {
    Graph::get().wait(lock, e);
    failed |= e->status < 0;
  }
  return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

void finish(cl_command_queue queue) {
  std::vector<Ref<_cl_event>> open;  // released without the lock
  Lock lock(Graph::get().mutex);
  if (queue->in_order()) {
    if (queue->last) open.emplace_back(queue->last);
  } else {
    for (cl_event e = queue->open.first(); e; e = e->in_queue.after) open.emplace_back(e);
  }
  for (auto& e : open) Graph::get().wait(lock, e.get());
  lock.unlock();
}

bool end_user_event(cl_event event, cl_int status) {
  Graph& graph = Graph::get();
  const Ref keep(event);  // a callback may release it before the next is called
  std::vector<_cl_event::Dependent> freed;
  {
    Lock lock(graph.mutex);
    if (event->status <= CL_COMPLETE) return false;
    freed = graph.end(event, status);
    graph.wake(0);
  }
  graph.call_back(event, status);
  return true;
}

void add_callback(cl_event event, const _cl_event::Callback& callback) {
  Graph& graph = Graph::get();
  const Ref keep(event);  // as in end_user_event
  {
    Lock lock(graph.mutex);
    event->callbacks.push_back(callback);
  }
  graph.call_back(event, event->status);
}

}  // namespace kc::cl
