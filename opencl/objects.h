// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of OpenCL. A handle begins with the table through which the loader calls.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/kernel.h"
#include "frontend/argument_info.h"
#include "opencl/cl.h"

namespace kc::cl {

extern const cl_icd_dispatch kDispatch;

enum class ObjectKind : uint32_t {
  Platform = 0x6b634c00,
  Device,
  Context,
  Queue,
  Memory,
  Program,
  Kernel,
  Event
};

struct Object {
  const cl_icd_dispatch* dispatch = &kDispatch;
  ObjectKind kind;
  std::atomic<cl_uint> references{1};
  explicit Object(ObjectKind k) : kind(k) {}
};

template <typename T>
bool is(const T* object) {
  return object && object->kind == T::kKind;
}
template <typename T>
void retain(T* object) {
  object->references.fetch_add(1, std::memory_order_relaxed);
}
template <typename T>
void release(T* object) {
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

/// What clRetain... and clRelease... of a kind of object return; `wrong`: for what is no such object.
template <typename T>
cl_int retained(T* object, cl_int wrong) {
  if (!is(object)) return wrong;
  return retain(object), CL_SUCCESS;
}
template <typename T>
cl_int released(T* object, cl_int wrong) {
  if (!is(object)) return wrong;
  return release(object), CL_SUCCESS;
}

/// Holds one reference.
template <typename T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_) retain(object_);
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) release(object_);
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_; }

 private:
  T* object_ = nullptr;
};

/// Answers a query; the value is `size` bytes.
inline cl_int answer(const void* data, size_t size, size_t room, void* value, size_t* size_ret) {
  if (value && room < size) return CL_INVALID_VALUE;
  if (value && size) std::memcpy(value, data, size);
  if (size_ret) *size_ret = size;
  return CL_SUCCESS;
}
template <typename T>
cl_int answer(const T& of, size_t room, void* value, size_t* size_ret) {
  return answer(&of, sizeof of, room, value, size_ret);
}
inline cl_int answer(const std::string& text, size_t room, void* value, size_t* size_ret) {
  return answer(text.c_str(), text.size() + 1, room, value, size_ret);
}

/// Runs what makes an object: it gives the object or sets the error. No exception leaves the library.
template <typename Make>
auto make(cl_int* error, Make&& body) noexcept -> decltype(body(std::declval<cl_int&>())) {
  cl_int code = CL_SUCCESS;
  decltype(body(code)) made = nullptr;
  try {
    made = body(code);
  } catch (...) {
    code = CL_OUT_OF_HOST_MEMORY;
  }
  if (error) *error = code;
  return made;
}
template <typename Body>
cl_int guard(Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

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

struct _cl_command_queue : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Queue;
  _cl_command_queue() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> properties;
  bool in_order() const { return !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  // Below: of the graph (graph.h), which guards them.
  cl_event last = nullptr;            // what the next command waits for: the command before it, or a barrier
  std::unordered_set<cl_event> open;  // commands that have not ended
};

struct _cl_mem : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Memory;
  _cl_mem() : Object(kKind) {}
  ~_cl_mem() {
    for (auto i = destructors.rbegin(); i != destructors.rend(); ++i) (*i)();
    if (owns) ::operator delete[](data, std::align_val_t{kAlign});
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
  std::atomic<cl_uint> maps{0};
  std::mutex mutex;
  std::vector<std::function<void()>> destructors;
};

struct _cl_program : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Program;
  _cl_program() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  std::string source, ir;  // one of them
  std::mutex mutex;
  std::string options, log;
  cl_build_status status = CL_BUILD_NONE;
  std::shared_ptr<const kc::Module> module;
  std::atomic<cl_uint> kernels{0};
  std::optional<std::vector<kc::KernelArguments>> arguments;  // of the build, once a host has asked
  bool no_optimisation = false;
};

struct _cl_kernel : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Kernel;
  _cl_kernel() : Object(kKind) {}
  ~_cl_kernel() {
    if (program) --program->kernels;
  }
  struct Argument {
    bool set = false;
    std::string bytes;  // of a number, vector or structure
    kc::cl::Ref<_cl_mem> buffer;
    size_t local = 0;
  };
  kc::cl::Ref<_cl_program> program;
  const kc::Function* function = nullptr;
  std::shared_ptr<const kc::Kernel> code;
  std::mutex mutex;
  std::vector<Argument> arguments;
};

struct _cl_event : kc::cl::Object {
  static constexpr auto kKind = kc::cl::ObjectKind::Event;
  _cl_event() : Object(kKind) {}
  kc::cl::Ref<_cl_context> context;
  kc::cl::Ref<_cl_command_queue> queue;  // none of a user event
  cl_command_type type = CL_COMMAND_USER;
  std::function<cl_int()> work;  // gives CL_COMPLETE or an error
  // Below: of the graph, which guards them.
  cl_int status = CL_QUEUED;
  size_t waits_for = 0;
  bool input_failed = false;
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
