// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/guarded_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace kc {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{1} << 21;
// What is reserved on each side: as far as 32-bit indices of 8 bytes reach, and what alignment takes of it.
constexpr uint64_t kReach = (uint64_t{1} << 34) + kHugePage;
constexpr size_t kLeastAlignment = 4, kBestAlignment = 64;
// From this size on, vectors that cross cache lines cost more than a few bytes at the end are worth.
constexpr size_t kLarge = size_t{1} << 18;

constexpr size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

class KeptMappings {
 public:
  // It outlives whatever is destroyed at the end of the program.
  static KeptMappings& get() {
    static KeptMappings* kept = new KeptMappings;
    return *kept;
  }
  void limit(size_t most) {
    std::lock_guard lock(mutex_);
    most_ = most;
  }
  /// Null if there is none of this size.
  void* take(size_t bytes) {
    std::lock_guard lock(mutex_);
    auto it = std::ranges::find(list_, bytes, &Mapping::bytes);
    if (it == list_.end()) return nullptr;
    void* const start = it->start;
    *it = list_.back();
    list_.pop_back();
    return start;
  }
  bool keep(void* start, size_t bytes) {
    std::lock_guard lock(mutex_);
    if (list_.size() >= most_) return false;
    list_.push_back({start, bytes});
    return true;
  }

 private:
  struct Mapping {
    void* start;
    size_t bytes;
  };
  std::mutex mutex_;
  size_t most_ = 0;
  std::vector<Mapping> list_;
};

}  // namespace

GuardedMemory::GuardedMemory(size_t size) {
  // Large buffers end where a huge page ends, so that the system can use such pages.
  const size_t unit = size < kHugePage ? kPage : kHugePage;
  const size_t room = round_up(size, unit), whole = room + 2 * kReach;
  if (void* kept = size < kHugePage ? KeptMappings::get().take(whole) : nullptr) {
    mapping_ = kept, mapped_ = whole;
    place(size);
    return;
  }
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
  const uintptr_t end = place(size);
  const uintptr_t first_page = reinterpret_cast<uintptr_t>(data_) / kPage * kPage;
  if (end > first_page &&
      mprotect(reinterpret_cast<void*>(first_page), end - first_page, PROT_READ | PROT_WRITE)) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  if (size >= kHugePage) madvise(reinterpret_cast<void*>(first_page), end - first_page, MADV_HUGEPAGE);
}

// Sets where the data is in the mapping, and gives the end of the pages that it ends in.
uintptr_t GuardedMemory::place(size_t size) {
  const size_t unit = size < kHugePage ? kPage : kHugePage;
  const uintptr_t end = round_up(reinterpret_cast<uintptr_t>(mapping_) + kReach + size, unit);
  const size_t alignment =
      size >= kLarge ? kBestAlignment : std::clamp(size & (~size + 1), kLeastAlignment, kBestAlignment);
  data_ = reinterpret_cast<uint8_t*>((end - size) / alignment * alignment);
  return end;
}

GuardedMemory::~GuardedMemory() {
  if (!mapped_)
    std::free(mapping_);
  else if (mapped_ >= 2 * kReach + kHugePage || !KeptMappings::get().keep(mapping_, mapped_))
    munmap(mapping_, mapped_);
}

void keep_guarded_memory(size_t most) { KeptMappings::get().limit(most); }

}  // namespace kc
