// SPDX-License-Identifier: Apache-2.0
#include "tests/opencl_calls/world.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace calls {

Event::~Event() {
  if (handle) clReleaseEvent(handle);
}

Shared::Shared() {
  clGetPlatformIDs(1, &platform, nullptr);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
  auto hear = [](const char*, const void*, size_t, void* user) { ++static_cast<Shared*>(user)->heard; };
  cl_int e = CL_SUCCESS;
  context = clCreateContext(nullptr, 1, &device, hear, this, &e);
  if (e) throw std::runtime_error("clCreateContext: " + std::to_string(e));
  auto ends = [](cl_context, void* user) { ++static_cast<Shared*>(user)->ended; };
  clSetContextDestructorCallback(context, ends, this);
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
  if (e) throw std::runtime_error("clCreateCommandQueue: " + std::to_string(e));
}

void World::expect(cl_int actual, cl_int expected, const char* what) {
  if (actual == expected) return;
  throw std::runtime_error(std::string(what) + " gives " + std::to_string(actual) + ", expected " +
                           std::to_string(expected));
}
void World::require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

std::span<const World::Kind> World::table() {
#define KC_KIND(weight, name) \
  { #name, weight, &World::name }
  static const Kind kinds[] = {KC_KIND(3, create_queue),   KC_KIND(2, release_queue),
                               KC_KIND(6, create_buffer),  KC_KIND(3, create_part),
                               KC_KIND(4, release_buffer), KC_KIND(3, create_user_event),
                               KC_KIND(3, set_user_event), KC_KIND(6, release_event),
                               KC_KIND(6, event_callback), KC_KIND(4, count_references),
                               KC_KIND(4, query),          KC_KIND(1, create_program),
                               KC_KIND(1, wrong_program),  KC_KIND(1, separate_program),
                               KC_KIND(1, from_binary),    KC_KIND(1, release_program),
                               KC_KIND(3, create_kernel),  KC_KIND(2, release_kernel),
                               KC_KIND(1, other_context),  KC_KIND(10, read),
                               KC_KIND(10, write),         KC_KIND(8, rect),
                               KC_KIND(8, copy),           KC_KIND(6, copy_rect),
                               KC_KIND(8, fill),           KC_KIND(8, map),
                               KC_KIND(7, unmap),          KC_KIND(20, launch),
                               KC_KIND(4, native),         KC_KIND(6, order),
                               KC_KIND(3, finish),         KC_KIND(5, wait),
                               KC_KIND(4, wrong_object),   KC_KIND(4, wrong_buffer),
                               KC_KIND(6, wrong_transfer), KC_KIND(6, wrong_launch),
                               KC_KIND(4, wrong_argument), KC_KIND(4, wrong_wait)};
#undef KC_KIND
  return kinds;
}

void World::begin() {
  Queue shared;
  shared.handle = s.queue;
  shared.shared = shared.profiled = true;
  queues_.push_back(std::move(shared));
  Dice dice(1);
  create_queue(dice);
  create_program(dice);
}

void World::call(uint64_t seed) {
  Dice dice(seed);
  size_t all = 0;
  for (const Kind& kind : table()) all += kind.weight;
  size_t at = dice(all);
  const Kind* kind = table().data();
  for (; at >= kind->weight; ++kind) at -= kind->weight;
  trace_ = kind->name;
  (this->*kind->action)(dice);
}

Bytes World::random_bytes(size_t n, Dice& dice) {
  Bytes bytes(n);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(dice.bits());
  return bytes;
}

Queue& World::any_queue(Dice& dice) {
  auto i = queues_.begin();
  std::advance(i, static_cast<long>(dice(queues_.size())));
  return *i;
}
std::shared_ptr<Buffer> World::any_buffer(Dice& dice, cl_mem_flags not_with) {
  for (int i = 0; i < 4 && !buffers_.empty(); ++i) {
    auto b = buffers_[dice(buffers_.size())];
    if (!b->memory->writers && !(b->flags & not_with)) return b;
  }
  return nullptr;
}
Kernel* World::any_kernel(Dice& dice) {
  if (kernels_.empty()) return nullptr;
  auto i = kernels_.begin();
  std::advance(i, static_cast<long>(dice(kernels_.size())));
  return &*i;
}

EventRef World::new_user_event(Dice& dice) {
  auto event = std::make_shared<Event>();
  cl_int e = 1;
  event->handle = clCreateUserEvent(s.context, &e);
  expect(e, CL_SUCCESS, "clCreateUserEvent");
  event->is_set = false;
  event->fails = dice.one_in(5);
  event->outcome = event->fails ? -1 - static_cast<cl_int>(dice(200)) : CL_COMPLETE;
  return event;
}

void World::set(Event& user) {
  if (user.is_set.exchange(true)) return;
  expect(clSetUserEventStatus(user.handle, user.outcome), CL_SUCCESS, "clSetUserEventStatus");
  expect(clSetUserEventStatus(user.handle, CL_COMPLETE), CL_INVALID_OPERATION, "clSetUserEventStatus again");
}

// A user event that a callback sets is set once its trigger can end.
void World::unblock(const std::vector<EventRef>& blockers) {
  for (const EventRef& b : blockers) {
    if (b->trigger) {
      unblock(b->trigger->blockers);
      if (b->trigger->type == CL_COMMAND_USER) unblock({b->trigger});
    } else {
      set(*b);
    }
  }
}

cl_int World::blocking(const std::vector<EventRef>& blockers, Dice& dice,
                       const std::function<cl_int()>& call) {
  if (blockers.empty() || dice.one_in(2)) {
    unblock(blockers);
    return call();
  }
  const size_t delay = dice(200);
  std::string wrong;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::microseconds(delay));
    try {
      unblock(blockers);
    } catch (const std::exception& e) {
      wrong = e.what();
    }
  });
  const cl_int result = call();
  other.join();
  if (!wrong.empty()) throw std::runtime_error(wrong);
  return result;
}

World::Wait World::wait_for(Queue& queue, std::initializer_list<Buffer*> buffers, Dice& dice) {
  Wait wait;
  auto add = [&](const EventRef& e) {
    wait.list.push_back(e->handle);
    wait.fails |= e->fails;
    if (!e->is_set) wait.blockers.push_back(e);
    for (const EventRef& b : e->blockers)
      if (!b->is_set) wait.blockers.push_back(b);
  };
  for (Buffer* b : buffers)
    if (b->memory->last) add(b->memory->last);
  while (!events_.empty() && dice.one_in(3)) add(events_[dice(events_.size())]);
  for (const EventRef& b : queue.blockers)
    if (!b->is_set) wait.blockers.push_back(b);
  std::ranges::sort(wait.blockers);
  wait.blockers.erase(std::unique(wait.blockers.begin(), wait.blockers.end()), wait.blockers.end());
  // Two threads could otherwise wait for each other's user events.
  if (queue.shared) unblock(wait.blockers);
  return wait;
}

EventRef World::done(Queue& queue, Wait& wait, cl_event handle, cl_command_type type, bool fails,
                     std::initializer_list<Buffer*> buffers) {
  auto event = std::make_shared<Event>();
  event->handle = handle;
  event->fails = fails;
  event->type = type;
  event->queue = queue.handle;
  event->profiled = queue.profiled;
  event->blockers = wait.blockers;
  require(handle != nullptr, "a command without an event");
  if (!queue.shared) {
    std::erase_if(queue.blockers, [](const EventRef& e) { return e->is_set.load(); });
    for (const EventRef& b : wait.blockers)
      if (std::ranges::find(queue.blockers, b) == queue.blockers.end()) queue.blockers.push_back(b);
  }
  if (!fails)
    for (Buffer* b : buffers) b->memory->last = event;
  events_.push_back(event);
  if (events_.size() > 24) events_.erase(events_.begin());
  return event;
}

void World::compare_reads(bool all) {
  std::erase_if(reads_, [&](const Read& r) {
    cl_int status = 1;
    expect(
        clGetEventInfo(r.event->handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        CL_SUCCESS, "clGetEventInfo");
    if (status > CL_COMPLETE) {
      require(!all, "a read has not ended");
      return false;
    }
    require((status < 0) == r.event->fails, "a read fails where it should not, or the other way round");
    require(*r.got == r.expected, "a read gives other bytes than the model");
    return true;
  });
}

namespace {

template <typename Condition>
bool soon(Condition&& condition) {
  for (int i = 0; i < 20'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(i < 100 ? 10 : 1000));
  }
  return false;
}

}  // namespace

void World::end(uint64_t seed) {
  Dice dice(seed);
  trace_ = "the end";
  unblock(pending_);
  for (Queue& q : queues_) expect(clFinish(q.handle), CL_SUCCESS, "clFinish");
  for (EventRef& e : released_) expect(clWaitForEvents(1, &e->handle), CL_SUCCESS, "clWaitForEvents");
  compare_reads(true);
  for (Callback& c : callbacks_) {
    require(soon([&] { return c.calls > 0; }), "a callback is not called");
    require(c.calls == 1, "a callback is called twice");
    if (c.when == CL_COMPLETE)
      require(c.event->fails ? c.status < 0 : c.status == CL_COMPLETE, "a callback gets a wrong status");
  }
  for (Queue& q : queues_) expect(clFinish(q.handle), CL_SUCCESS, "clFinish");  // callbacks enqueue markers
  require(native_calls_ == native_made_, "a native kernel is not called, or called twice");
  Queue& last = queues_.back();
  for (auto& b : buffers_) {
    if (b->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) continue;
    Bytes got(b->size);
    expect(clEnqueueReadBuffer(last.handle, b->handle, CL_TRUE, 0, b->size, got.data(), 0, nullptr, nullptr),
           CL_SUCCESS, "clEnqueueReadBuffer");
    require(std::equal(got.begin(), got.end(), b->at(0)), "a buffer holds other bytes than the model");
    cl_uint maps = 99;
    clGetMemObjectInfo(b->handle, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr);
    require(maps == b->maps, "a buffer's count of maps is wrong");
  }

  std::vector<std::function<cl_int()>> all;
  for (Queue& q : queues_)
    for (cl_uint i = 0; i < q.references && !q.shared; ++i)
      all.emplace_back([h = q.handle] { return clReleaseCommandQueue(h); });
  for (auto& b : buffers_)
    for (cl_uint i = 0; i < b->references; ++i)
      all.emplace_back([h = b->handle] { return clReleaseMemObject(h); });
  for (cl_program p : programs_) all.emplace_back([h = p] { return clReleaseProgram(h); });
  for (Kernel& k : kernels_) all.emplace_back([h = k.handle] { return clReleaseKernel(h); });
  for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[dice(i)]);
  for (auto& release : all) expect(release(), CL_SUCCESS, "a release");
  buffers_.clear();
  regions_.clear();
  reads_.clear();
  events_.clear();
  pending_.clear();
  released_.clear();
  for (auto& m : memories_) m->last = nullptr;
  for (Callback& c : callbacks_) c.event = c.sets = nullptr;
  queues_.clear();
  require(soon([&] { return buffers_ended_ == buffers_watched_; }),
          "a buffer that was released does not end");
}

}  // namespace calls
