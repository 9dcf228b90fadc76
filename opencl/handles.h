// SPDX-License-Identifier: Apache-2.0
// What all objects of OpenCL share: references, answers to queries, errors.
#pragma once

#include <atomic>
#include <cstring>
#include <new>
#include <string>
#include <utility>

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
  Event,
  Ended
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
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if constexpr (requires { object->end(); })
    object->end();
  else
    delete object;
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

}  // namespace kc::cl
