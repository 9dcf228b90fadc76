// SPDX-License-Identifier: Apache-2.0
// Lists of a few ids with inline storage: nearly every instruction has at most four operands and two results,
// which would each need a heap allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ir/ids.h"

namespace kc {

/// The subset of std::vector that operand lists need. Up to N items are stored inline; they move with the
/// list, unlike those of a vector.
template <typename T, uint32_t N>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  ShortList() = default;
  ShortList(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  ShortList(std::span<const T> items) { assign(items.begin(), items.end()); }
  ShortList(const std::vector<T>& items) { assign(items.begin(), items.end()); }
  explicit ShortList(size_t n, T item = T()) { resize(n, item); }
  template <std::forward_iterator Iterator>
  ShortList(Iterator first, Iterator last) {
    assign(first, last);
  }
  ShortList(const ShortList& other) { assign(other.begin(), other.end()); }
  ShortList(ShortList&& other) noexcept { take(other); }
  ShortList& operator=(const ShortList& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  ShortList& operator=(ShortList&& other) noexcept {
    if (this != &other) release(), take(other);
    return *this;
  }
  ~ShortList() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return long_ ? long_items() : reinterpret_cast<T*>(storage_); }
  const T* data() const { return long_ ? long_items() : reinterpret_cast<const T*>(storage_); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  /// The range may be part of this list.
  template <std::forward_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    const auto n = static_cast<size_t>(std::distance(first, last));
    if (n <= capacity()) {
      std::copy(first, last, data());
      set_size(n);
      return;
    }
    ShortList fresh;
    fresh.reserve(n);
    fresh.assign(first, last);
    *this = std::move(fresh);
  }
  void push_back(T item) {
    if (size_ == capacity()) reserve(capacity() * 2);
    data()[size_] = item;
    set_size(size() + 1);
  }
  void clear() { size_ = 0; }
  void resize(size_t n, T item = T()) {
    reserve(n);
    if (n > size_) std::fill(data() + size_, data() + n, item);
    set_size(n);
  }
  void reserve(size_t n) {
    if (n <= capacity()) return;
    auto* block = static_cast<std::byte*>(::operator new(kHeader + n * sizeof(T)));
    ::new (block) size_t(n);
    std::uninitialized_copy(begin(), end(), reinterpret_cast<T*>(block + kHeader));
    release();
    std::memcpy(storage_, &block, sizeof block);
    long_ = true;
  }
  T* insert(const T* at, T item) {
    const auto i = at - begin();
    push_back(item);
    std::rotate(begin() + i, end() - 1, end());
    return begin() + i;
  }
  template <std::forward_iterator Iterator>
  T* insert(const T* at, Iterator first, Iterator last) {
    const auto i = at - begin();
    const auto old_size = static_cast<ptrdiff_t>(size_);
    for (const ShortList items(first, last); T item : items) push_back(item);
    std::rotate(begin() + i, begin() + old_size, end());
    return begin() + i;
  }
  T* erase(const T* at) { return erase(at, at + 1); }
  T* erase(const T* first, const T* last) {
    T* to = begin() + (first - begin());
    set_size(static_cast<size_t>(std::copy(last, std::as_const(*this).end(), to) - begin()));
    return to;
  }
  void swap(ShortList& other) noexcept { std::swap(*this, other); }
  bool operator==(const ShortList& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  // Items that are not inline follow their capacity.
  static constexpr size_t kHeader = std::max(sizeof(size_t), alignof(T));

  size_t capacity() const { return long_ ? *reinterpret_cast<const size_t*>(block()) : N; }
  void set_size(size_t n) { size_ = static_cast<uint32_t>(n) & kMostItems; }
  std::byte* block() const {
    std::byte* block;
    std::memcpy(&block, storage_, sizeof block);
    return block;
  }
  T* long_items() const { return reinterpret_cast<T*>(block() + kHeader); }
  void release() {
    if (long_) ::operator delete(block());
    long_ = false;
  }
  /// Requires that this list has no heap memory.
  void take(ShortList& other) {
    size_ = other.size_;
    long_ = other.long_;
    std::memcpy(storage_, other.storage_, sizeof storage_);
    other.size_ = 0;
    other.long_ = false;
  }

  static constexpr uint32_t kMostItems = ~uint32_t{0} >> 1;
  uint32_t size_ : 31 = 0;
  uint32_t long_ : 1 = 0;  // the storage holds the address of a block
  alignas(T) unsigned char storage_[std::max(N * sizeof(T), sizeof(T*))] = {};
};

using ValueList = ShortList<ValueId, 4>;

}  // namespace kc
