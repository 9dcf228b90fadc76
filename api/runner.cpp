// SPDX-License-Identifier: Apache-2.0
#include "api/runner.h"

#include <algorithm>

namespace kc {

Failure failure_of(const CompileError& error) {
  switch (error.kind) {
    case CompileError::Unsupported:
      return {KC_SOURCE_ERROR, error.message};
    case CompileError::Absent:
      return {KC_ABSENT, error.message};
    case CompileError::Usage:  // no option of the interface leads to one of these three
    case CompileError::Io:
    case CompileError::Outside:
    case CompileError::Internal:
      break;
  }
  return {KC_INTERNAL_ERROR, error.message};
}

Failure failure_of(const LaunchError& error) {
  switch (error.kind) {
    case LaunchError::Unsupported:
      return {KC_USAGE_ERROR, error.message};
    case LaunchError::Stopped:
    case LaunchError::OutOfBounds:
    case LaunchError::CutOff:
      return {KC_STOPPED, error.message};
    case LaunchError::OutOfMemory:
      return {KC_OUT_OF_MEMORY, error.message};
    case LaunchError::Absent:
    case LaunchError::Lost:
    case LaunchError::Failed:
      break;
  }
  return {KC_ABSENT, error.message};
}

CompileOptions compile_options(const kc_kernel_options& options) {
  return {.optimisation = options.no_optimisation ? 0 : 2, .check_bounds = options.check_bounds != 0};
}

bool has_small_buffers(const LaunchSpec& spec, std::span<const kc_argument> arguments) {
  return has_small_hidden_buffers(spec) && std::ranges::all_of(arguments, [](const kc_argument& a) {
           const bool buffer = a.kind == KC_ARGUMENT_BUFFER || a.kind == KC_ARGUMENT_CONST_BUFFER;
           return !buffer || is_small_buffer(a.size);
         });
}

bool exceeds_caches(std::span<const kc_argument> arguments) {
  uint64_t bytes = 0;
  for (const kc_argument& a : arguments)
    if (a.kind == KC_ARGUMENT_BUFFER || a.kind == KC_ARGUMENT_CONST_BUFFER) bytes += a.size;
  return exceeds_caches(bytes);
}

bool has_disjoint_buffers(std::span<const kc_argument> arguments) {
  auto range = [](const kc_argument& a) -> MemoryRange {
    const bool buffer = a.kind == KC_ARGUMENT_BUFFER || a.kind == KC_ARGUMENT_CONST_BUFFER;
    return buffer ? MemoryRange{reinterpret_cast<uint64_t>(a.value.data), a.size} : MemoryRange{};
  };
  for (size_t k = 0; k < arguments.size(); ++k)
    for (size_t n = 0; n < k; ++n)
      if (overlap(range(arguments[k]), range(arguments[n]))) return false;
  return true;
}

std::unique_ptr<LaunchMemory> LaunchMemories::take() {
  std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    std::unique_ptr<LaunchMemory> memory = std::move(free_.back());
    free_.pop_back();
    return memory;
  }
  free_.reserve(made_ + 1);  // so that giving back takes no memory
  auto memory = std::make_unique<LaunchMemory>(kernel_);
  ++made_;
  return memory;
}

void LaunchMemories::put(std::unique_ptr<LaunchMemory> memory) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(memory));
}

}  // namespace kc
