// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of kernelc.h, and how functions of the C interface fail.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <expected>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "api/include/kernelc/kernelc.h"
#include "api/kernel.h"
#include "ir/function.h"

struct kc_error {
  kc_status status = KC_INTERNAL_ERROR;
  std::string message;
};

struct kc_program {
  std::shared_ptr<const kc::Module> module;
  std::vector<const kc::Function*> kernels;
  std::string diagnostics;
};

struct kc_kernel {
  std::unique_ptr<kc::Kernel> kernel;
};

namespace kc {

/// Makes the error where one is wanted, and gives its status.
kc_status report(kc_error** error, kc_status status, const char* message) noexcept;

/// Runs the body of a function of the interface; nothing that is thrown leaves it.
template <typename Body>
kc_status guard(kc_error** error, Body&& body) noexcept {
  if (error) *error = nullptr;
  try {
    std::expected<void, Failure> done = body();
    return done ? KC_OK : report(error, done.error().status, done.error().message.c_str());
  } catch (const std::bad_alloc&) {
    return report(error, KC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return report(error, KC_INTERNAL_ERROR, e.what());
  } catch (...) {
    return report(error, KC_INTERNAL_ERROR, "an exception of unknown type");
  }
}

/// Whether the caller forgot to initialise the structure: even its size does not fit into its size.
template <typename T>
bool unsized(const T* given) {
  return given && given->struct_size < sizeof given->struct_size;
}
inline constexpr const char* kUnsized = "a structure whose struct_size is not set: initialise it first";

/// A structure of the caller, who may have been compiled with an older header, with a shorter one, or with a
/// newer one.
template <typename T>
T taken(const T* given, void (*init)(T*)) {
  T mine;
  init(&mine);
  if (given) std::memcpy(&mine, given, std::min(given->struct_size, sizeof mine));
  mine.struct_size = sizeof mine;
  return mine;
}
template <typename T>
void give(T* wanted, T made) {
  size_t size = std::min(wanted->struct_size, sizeof made);
  made.struct_size = wanted->struct_size;
  std::memcpy(wanted, &made, size);
}

}  // namespace kc
