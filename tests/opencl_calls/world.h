// SPDX-License-Identifier: Apache-2.0
// A model of OpenCL's objects beside the driver. Each call is made on both; what the driver answers, and what
// its buffers hold, must be what the model has.
//
// A command waits for the last command that touched the same memory, so the model applies commands at once,
// in the order of the calls. The outcome of a user event is drawn when it is created: therefore the model
// knows which commands will fail, and that they leave memory as it is.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "opencl/cl.h"

namespace calls {

/// Draws numbers; the same seed gives the same numbers everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Less than `n`, which is positive.
  size_t operator()(size_t n) { return static_cast<size_t>(bits() % n); }
  bool one_in(size_t n) { return (*this)(n) == 0; }

 private:
  uint64_t state_;
};

using Bytes = std::vector<uint8_t>;

struct Event {
  cl_event handle = nullptr;
  bool fails = false;
  cl_command_type type = CL_COMMAND_USER;
  cl_command_queue queue = nullptr;
  bool profiled = false;
  // Of a user event.
  cl_int outcome = CL_COMPLETE;
  std::atomic<bool> is_set = true;
  std::shared_ptr<Event> trigger;  // whose callback sets it; without it the host does
  // User events that it waits for, with those of everything before it.
  std::vector<std::shared_ptr<Event>> blockers;
  ~Event();
};
using EventRef = std::shared_ptr<Event>;

struct Queue {
  cl_command_queue handle = nullptr;
  bool in_order = true, profiled = false, shared = false;
  cl_uint references = 1;
  std::vector<EventRef> blockers;  // of all its commands
};

struct Memory {
  Bytes bytes;         // as the model has them
  Bytes host;          // of a buffer that uses memory of the host
  EventRef last;       // the last command that touched it
  size_t writers = 0;  // regions that are mapped for writing: no command may touch the memory meanwhile
};

struct Buffer {
  cl_mem handle = nullptr;
  std::shared_ptr<Memory> memory;
  size_t offset = 0, size = 0;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  cl_mem parent = nullptr;
  cl_uint references = 1, maps = 0;
  uint8_t* at(size_t i) const { return memory->bytes.data() + offset + i; }
};

struct Region {
  std::shared_ptr<Buffer> buffer;
  uint8_t* mapped;
  bool writes;
};

enum class KernelKind { Add, Mirror, Sum, Speak, Trap, Groups };
struct Kernel {
  cl_kernel handle = nullptr;
  KernelKind kind;
  cl_program program = nullptr;
};

/// What a callback does besides counting.
struct Callback {
  std::atomic<int> calls = 0;
  std::atomic<cl_int> status = 1;
  EventRef event;
  cl_int when = CL_COMPLETE;
  cl_event releases = nullptr;
  EventRef sets;
  cl_command_queue marks = nullptr;
};

struct Read {
  EventRef event;
  std::unique_ptr<Bytes> got;
  Bytes expected;
};

/// What the threads of one run share.
struct Shared {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::atomic<int> ended = 0;  // contexts
  std::atomic<int> heard = 0;  // messages of kernels that trapped
  Shared();
};

/// What one thread has made.
class World {
 public:
  World(Shared& shared, std::string& trace) : s(shared), trace_(trace) { begin(); }
  World(const World&) = delete;

  /// Makes the call that `seed` draws. Throws std::runtime_error with what is wrong.
  void call(uint64_t seed);
  /// Waits for everything, compares, and releases everything in an order that `seed` draws.
  void end(uint64_t seed);

 private:
  using Action = void (World::*)(Dice&);
  struct Kind {
    const char* name;
    size_t weight;
    Action action;
  };
  static std::span<const Kind> table();

  void begin();

  // What calls have in common (world.cpp).
  void expect(cl_int actual, cl_int expected, const char* what);
  void require(bool condition, const char* what);
  struct Wait {
    std::vector<cl_event> list;
    std::vector<EventRef> blockers;
    bool fails = false;
    cl_uint count() const { return static_cast<cl_uint>(list.size()); }
    const cl_event* events() const { return list.empty() ? nullptr : list.data(); }
  };
  Wait wait_for(Queue& queue, std::initializer_list<Buffer*> buffers, Dice& dice);
  EventRef done(Queue& queue, Wait& wait, cl_event event, cl_command_type type, bool fails,
                std::initializer_list<Buffer*> buffers);
  void set(Event& user);
  void unblock(const std::vector<EventRef>& blockers);
  /// Runs a call that waits; what it waits for is set before, or by another thread meanwhile.
  cl_int blocking(const std::vector<EventRef>& blockers, Dice& dice, const std::function<cl_int()>& call);
  void compare_reads(bool all);
  Queue& any_queue(Dice& dice);
  std::shared_ptr<Buffer> any_buffer(Dice& dice, cl_mem_flags not_with = 0);
  Kernel* any_kernel(Dice& dice);
  Bytes random_bytes(size_t n, Dice& dice);
  EventRef new_user_event(Dice& dice);

  // Objects (objects.cpp).
  void create_queue(Dice&);
  void release_queue(Dice&);
  void create_buffer(Dice&);
  void create_part(Dice&);
  void release_buffer(Dice&);
  void create_user_event(Dice&);
  void set_user_event(Dice&);
  void release_event(Dice&);
  void event_callback(Dice&);
  void count_references(Dice&);
  void query(Dice&);
  void create_program(Dice&);
  void wrong_program(Dice&);
  void separate_program(Dice&);
  void from_binary(Dice&);
  void release_program(Dice&);
  void create_kernel(Dice&);
  void release_kernel(Dice&);
  void other_context(Dice&);

  // Commands (commands.cpp).
  void read(Dice&);
  void write(Dice&);
  void rect(Dice&);
  void copy(Dice&);
  void copy_rect(Dice&);
  void fill(Dice&);
  void map(Dice&);
  void unmap(Dice&);
  void launch(Dice&);
  void native(Dice&);
  void order(Dice&);
  void finish(Dice&);
  void wait(Dice&);

  // Calls that must fail (errors.cpp).
  void wrong_object(Dice&);
  void wrong_buffer(Dice&);
  void wrong_transfer(Dice&);
  void wrong_launch(Dice&);
  void wrong_argument(Dice&);
  void wrong_wait(Dice&);

  Shared& s;
  std::string& trace_;
  std::list<Queue> queues_;
  std::vector<std::shared_ptr<Buffer>> buffers_;
  std::vector<Region> regions_;
  std::vector<EventRef> events_, pending_;
  std::vector<EventRef> released_;  // the ends of queues that have been released
  std::list<cl_program> programs_;
  std::list<Kernel> kernels_;
  std::list<Callback> callbacks_;
  std::vector<Read> reads_;
  std::list<Bytes> sources_;                       // bytes that commands still read
  std::vector<std::shared_ptr<Memory>> memories_;  // of the host: it lasts longer than the buffers
  std::atomic<int> buffers_ended_ = 0, native_calls_ = 0;
  int buffers_watched_ = 0, native_made_ = 0;
};

constexpr std::array<const char*, 6> kNames{"add", "mirror", "sum", "speak", "trap", "groups"};

}  // namespace calls
