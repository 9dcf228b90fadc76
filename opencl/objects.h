// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of OpenCL. A handle begins with the table through which the loader calls.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "api/kernel.h"
#include "frontend/argument_info.h"
#include "frontend/frontend.h"
#include "opencl/handles.h"

namespace kc::cl {

/// A buffer as an argument of a kernel, which does not keep it: the buffer ends with its last reference, and
/// what remains of it here only says so.
class WeakBuffer {
 public:
  WeakBuffer() = default;
  explicit WeakBuffer(cl_mem m);
  WeakBuffer(const WeakBuffer& other) : WeakBuffer(other.object_) {}
  WeakBuffer(WeakBuffer&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  WeakBuffer& operator=(WeakBuffer other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~WeakBuffer();
  /// Whether there is a buffer, perhaps one that has ended.
  explicit operator bool() const { return object_; }
  /// Nothing if it has ended.
  Ref<_cl_mem> lock() const;

 private:
  cl_mem object_ = nullptr;
};

cl_platform_id platform();
cl_device_id device();

}  // namespace kc::cl

struct _cl_platform_id : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Platform;
  _cl_platform_id() : Object(kKind) {}
};

struct _cl_device_id : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Device;
  _cl_device_id() : Object(kKind) {}
};

struct _cl_context : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Context;
  _cl_context() : Object(kKind) {}
  ~_cl_context() {
    for (auto i = destructors.rbegin(); i != destructors.rend(); ++i) (*i)();
  }
  std::vector<cl_context_properties> properties;
  void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*) = nullptr;
  void* notify_user = nullptr;
  std::mutex mutex;
  std::vector<std::function<void()>> destructors;
};

namespace kc::cl {

/// An event's place in a list of events.
struct EventLinks {
  cl_event before = nullptr, after = nullptr;
};

}  // namespace kc::cl

struct _cl_event : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Event;
  _cl_event() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  kc::cl::Ref<_cl_command_queue> queue;  // none of a user event
  cl_command_type type = CL_COMMAND_USER;
  std::move_only_function<cl_int()> work;  // gives CL_COMPLETE or an error
  // Below: of the graph, which guards them; the status may be read by anyone.
  std::atomic<cl_int> status = CL_QUEUED;
  size_t waits_for = 0;
  bool input_failed = false, is_ready = false, is_awaited = false;
  kc::cl::EventLinks in_queue, in_ready;
  kc::cl::Ref<_cl_event> self;  // while the command has not ended
  struct Dependent {
    kc::cl::Ref<_cl_event> event;
    bool needs_success;
  };
  std::vector<Dependent> dependents;
  struct Callback {
    cl_int when;
    void(CL_CALLBACK* call)(cl_event, cl_int, void*);
    void* user;
  };
  std::vector<Callback> callbacks;
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
};

namespace kc::cl {

/// Commands in order; each is in one list of a kind at most.
template <EventLinks _cl_event::*Links>
class EventList {
 public:
  cl_event first() const { return first_; }
  size_t size() const { return size_; }
  void push_back(cl_event e) {
    (e->*Links).before = last_;
    (last_ ? (last_->*Links).after : first_) = e;
    last_ = e;
    ++size_;
  }
  void erase(cl_event e) {
    auto& [before, after] = e->*Links;
    (before ? (before->*Links).after : first_) = after;
    (after ? (after->*Links).before : last_) = before;
    before = after = nullptr;
    --size_;
  }

 private:
  cl_event first_ = nullptr, last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace kc::cl

struct _cl_command_queue : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Queue;
  _cl_command_queue() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> properties;
  bool in_order() const { return !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  // Below: of the graph (graph.h), which guards them.
  cl_event last = nullptr;  // what the next command waits for: the command before it, or a barrier
  kc::cl::EventList<&_cl_event::in_queue> open;  // commands that have not ended
};

struct _cl_mem : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Memory;
  _cl_mem() : Object(kKind) {}
  /// Ends a buffer without references. Its storage as an object lasts while arguments of kernels name it.
  void end() {
    for (auto i = destructors.rbegin(); i != destructors.rend(); ++i) (*i)();
    if (owns) ::operator delete[](data, std::align_val_t{kAlign});
    kind = kc::cl::ObjectKind::Ended;
    parent = {};
    context = {};
    unname();
  }
  void unname() {
    if (names.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  static constexpr size_t kAlign = 128;
  kc::cl::Ref<_cl_context> context;
  kc::cl::Ref<_cl_mem> parent;  // of a sub-buffer
  cl_mem_flags flags = 0;
  size_t size = 0, offset = 0;
  char* data = nullptr;
  void* host = nullptr;
  bool owns = false;
  std::vector<cl_mem_properties> properties;
  std::atomic<cl_uint> names{1};  // arguments of kernels, and one while there are references
  std::mutex mutex;
  std::vector<std::function<void()>> destructors;
  struct Region {
    const void* at;
    bool is_ending;  // a command is to take it back
  };
  std::vector<Region> mapped;
};

struct _cl_program : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Program;
  _cl_program() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  std::string source, ir;  // none of a program that was linked or is a binary of units
  std::mutex mutex;
  std::string options, log;
  cl_build_status status = CL_BUILD_NONE;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::vector<kc::SourceUnit> units;         // what was compiled, or is a library; preprocessed
  std::shared_ptr<const kc::Module> module;  // of an executable
  std::atomic<cl_uint> kernels{0};
  std::optional<std::vector<kc::KernelArguments>> arguments;  // of the build, once a host has asked
  bool no_optimisation = false;
  bool is_binary = false, is_linked = false;  // there is no source to compile
};

struct _cl_kernel : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Kernel;
  _cl_kernel() : Object(kKind) {}
  ~_cl_kernel() {
    if (program) --program->kernels;
  }
  /// As the source has it.
  struct Parameter {
    kc_parameter_kind kind;
    kc::Type type;
    bool is_unsigned;
    bool has_parts;
    size_t size;
  };
  struct Argument {
    bool set = false;
    std::string bytes;  // of a number, vector or structure
    kc::cl::WeakBuffer buffer;
    size_t local = 0;
  };
  kc::cl::Ref<_cl_program> program;
  const kc::Function* function = nullptr;
  std::shared_ptr<const kc::Kernel> code;
  std::vector<Parameter> parameters;
  std::mutex mutex;
  std::vector<Argument> arguments;
};

namespace kc::cl {

inline WeakBuffer::WeakBuffer(cl_mem m) : object_(m) {
  if (object_) object_->names.fetch_add(1, std::memory_order_relaxed);
}
inline WeakBuffer::~WeakBuffer() {
  if (object_) object_->unname();
}
inline Ref<_cl_mem> WeakBuffer::lock() const {
  cl_uint count = object_ ? object_->references.load(std::memory_order_relaxed) : 0;
  while (count && !object_->references.compare_exchange_weak(count, count + 1, std::memory_order_acquire)) {
  }
  if (!count) return {};
  Ref<_cl_mem> kept(object_);
  release(object_);  // `kept` has its own
  return kept;
}

}  // namespace kc::cl
