// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/guarded_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace kc {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{1} << 21;
// What is reserved on each side: as far as 32-bit indices of 8 bytes reach, and what alignment takes of it.
constexpr uint64_t kReach = (uint64_t{1} << 34) + kHugePage;
constexpr size_t kLeastAlignment = 4, kBestAlignment = 64;
// From this size on, vectors that cross cache lines cost more than a few bytes at the end are worth.
constexpr size_t kLarge = size_t{1} << 18;

constexpr size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

GuardedMemory::GuardedMemory(size_t size) {
  // Large buffers end where a huge page ends, so that the system can use such pages.
  const size_t unit = size < kHugePage ? kPage : kHugePage;
  const size_t room = round_up(size, unit), whole = room + 2 * kReach;
  void* all = whole < size
                  ? MAP_FAILED
                  : mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) {
    mapping_ = std::aligned_alloc(kBestAlignment, round_up(std::max<size_t>(size, 1), kBestAlignment));
    if (!mapping_) throw std::bad_alloc();
    data_ = static_cast<uint8_t*>(mapping_);
    return;
  }
  mapping_ = all, mapped_ = whole;
  const uintptr_t end = round_up(reinterpret_cast<uintptr_t>(all) + kReach + size, unit);
  const size_t alignment =
      size >= kLarge ? kBestAlignment : std::clamp(size & (~size + 1), kLeastAlignment, kBestAlignment);
  const uintptr_t start = (end - size) / alignment * alignment;
  data_ = reinterpret_cast<uint8_t*>(start);
  const uintptr_t first_page = start / kPage * kPage;
  if (end > first_page &&
      mprotect(reinterpret_cast<void*>(first_page), end - first_page, PROT_READ | PROT_WRITE)) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  if (size >= kHugePage) madvise(reinterpret_cast<void*>(first_page), end - first_page, MADV_HUGEPAGE);
}

GuardedMemory::~GuardedMemory() {
  if (mapped_)
    munmap(mapping_, mapped_);
  else
    std::free(mapping_);
}

}  // namespace kc
