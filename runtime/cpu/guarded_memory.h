// SPDX-License-Identifier: Apache-2.0
// Memory between pages that nobody may access: what runs past its end, or before its start, faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kc {

class GuardedMemory {
 public:
  GuardedMemory() = default;
  /// `size` bytes. Their end is that of a page, so their address is a multiple of 4, and of the power of two
  /// that divides the size, up to 64; from 256 KiB on it is a multiple of 64 in any case. What is before and
  /// after is reserved as far as an index of 32 bits reaches; where address space is limited nothing is
  /// reserved. Throws std::bad_alloc.
  explicit GuardedMemory(size_t size);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory&& other) noexcept { swap(other); }
  GuardedMemory& operator=(GuardedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  uint8_t* data() const { return data_; }

 private:
  uintptr_t place(size_t size);
  void swap(GuardedMemory& other) {
    std::swap(data_, other.data_), std::swap(mapping_, other.mapping_), std::swap(mapped_, other.mapped_);
  }
  uint8_t* data_ = nullptr;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;  // 0: `mapping_` comes from the allocator
};

/// From now on up to `most` pieces of guarded memory stay mapped when they are no longer needed, and serve
/// later ones with as many pages, which then hold old contents: for a process with many short launches.
void keep_guarded_memory(size_t most);

}  // namespace kc
