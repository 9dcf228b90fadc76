// SPDX-License-Identifier: Apache-2.0
#include "api/runner.h"

namespace kc {

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
