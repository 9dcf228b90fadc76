// SPDX-License-Identifier: Apache-2.0
// The contents of a buffer, where code that runs past its ends faults.
#pragma once

#include <algorithm>
#include <cstring>

#include "runtime/cpu/guarded_memory.h"

namespace kc {

/// Bytes aligned as GuardedMemory says, zero at first. Copies are deep.
class Bytes {
 public:
  Bytes() = default;
  /// All pages are touched, so that no launch takes the time for it.
  explicit Bytes(size_t size) : memory_(size), size_(size) {
    if (size) std::memset(memory_.data(), 0, size);
  }
  Bytes(const Bytes& other) : memory_(other.size_), size_(other.size_) {
    if (size_) std::memcpy(memory_.data(), other.memory_.data(), size_);
  }
  /// In the same memory where the sizes are equal.
  Bytes& operator=(const Bytes& other) {
    if (size_ != other.size_) return *this = Bytes(other);
    if (size_ && this != &other) std::memcpy(memory_.data(), other.memory_.data(), size_);
    return *this;
  }
  Bytes(Bytes&&) = default;
  Bytes& operator=(Bytes&&) = default;
  uint8_t* data() const { return memory_.data(); }
  size_t size() const { return size_; }
  /// The first `size` bytes alone; the others stay allocated.
  void shorten(size_t size) { size_ = std::min(size, size_); }

 private:
  GuardedMemory memory_;
  size_t size_ = 0;
};

}  // namespace kc
