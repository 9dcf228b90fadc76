// SPDX-License-Identifier: Apache-2.0
// A bump allocator for the syntax tree. Destructors never run, so all objects are trivially destructible.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kc::front {

// A list in an arena that still grows. Two chains are joined, and one is handed on, without moving its items.
template <class T>
struct Chain {
  struct Link {
    T item;
    Link* next;
  };
  Link* first = nullptr;
  Link* last = nullptr;
};
/// The first chain with the second one behind it; neither is to be used by itself any more.
template <class T>
Chain<T> joined(Chain<T> list, Chain<T> more) {
  if (!more.first) return list;
  (list.last ? list.last->next : list.first) = more.first;
  list.last = more.last;
  return list;
}

class Arena {
 public:
  void* allocate(size_t size, size_t alignment) {
    size_t at = (used_ + alignment - 1) & ~(alignment - 1);
    if (chunks_.empty() || at + size > capacity_) {
      capacity_ = chunks_.size() < SmallChunks ? SmallChunk : LargeChunk;
      if (size > capacity_) capacity_ = size;
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity_));
      at = 0;
    }
    used_ = at + size;
    return chunks_.back().get() + at;
  }
  template <class T>
  T* make(T value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }
  template <class T>
  std::span<T> copy(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (list.empty()) return {};
    T* data = static_cast<T*>(allocate(sizeof(T) * list.size(), alignof(T)));
    std::memcpy(static_cast<void*>(data), list.data(), sizeof(T) * list.size());
    return {data, list.size()};
  }
  template <class T>
  std::span<T> copy(Chain<T> list) {
    size_t count = 0;
    for (const auto* link = list.first; link; link = link->next) ++count;
    if (count == 0) return {};
    T* data = static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
    T* at = data;
    for (const auto* link = list.first; link; link = link->next) new (at++) T(link->item);
    return {data, count};
  }
  template <class T>
  Chain<T> append(Chain<T> list, T item) {
    auto* link = make(typename Chain<T>::Link{item, nullptr});
    return joined(list, {link, link});
  }
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* data = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(data, text.data(), text.size());
    return {data, text.size()};
  }

 private:
  // After the first 2 MiB chunks are so large that an allocator returns them to the system when they are
  // freed. Their unused part takes address space only.
  static constexpr size_t SmallChunk = 64 * 1024, LargeChunk = 32 << 20, SmallChunks = 32;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  size_t used_ = 0;
  size_t capacity_ = 0;
};

}  // namespace kc::front
