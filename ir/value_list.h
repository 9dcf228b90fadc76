// SPDX-License-Identifier: Apache-2.0
// Lists of a few ids with inline storage: nearly every instruction has at most four operands and two results,
// which would each need a heap allocation.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>
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
  T* data() { return is_long() ? long_items() : reinterpret_cast<T*>(storage_); }
  const T* data() const { return is_long() ? long_items() : reinterpret_cast<const T*>(storage_); }
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
    if (n <= capacity_) {
      std::copy(first, last, data());
      size_ = static_cast<uint32_t>(n);
      return;
    }
    ShortList fresh;
    fresh.reserve(n);
    fresh.assign(first, last);
    *this = std::move(fresh);
  }
  void push_back(T item) {
    if (size_ == capacity_) reserve(size_t{capacity_} * 2);
    data()[size_++] = item;
  }
  void clear() { size_ = 0; }
  void resize(size_t n, T item = T()) {
    reserve(n);
    if (n > size_) std::fill(data() + size_, data() + n, item);
    size_ = static_cast<uint32_t>(n);
  }
  void reserve(size_t n) {
    if (n <= capacity_) return;
    T* items = new T[n];
    std::copy(begin(), end(), items);
    release();
    std::memcpy(storage_, &items, sizeof items);
    capacity_ = static_cast<uint32_t>(n);
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
    size_ = static_cast<uint32_t>(std::copy(last, std::as_const(*this).end(), to) - begin());
    return to;
  }
  void swap(ShortList& other) noexcept { std::swap(*this, other); }
  bool operator==(const ShortList& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  bool is_long() const { return capacity_ > N; }
  T* long_items() const {
    T* items;
    std::memcpy(&items, storage_, sizeof items);
    return items;
  }
  void release() {
    if (is_long()) delete[] long_items();
    capacity_ = N;
  }
  /// Requires that this list has no heap memory.
  void take(ShortList& other) {
    size_ = other.size_;
    capacity_ = other.capacity_;
    std::memcpy(storage_, other.storage_, sizeof storage_);
    other.size_ = 0;
    other.capacity_ = N;
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = N;  // if above N, the storage holds the address of an array
  alignas(T*) alignas(T) unsigned char storage_[std::max(N * sizeof(T), sizeof(T*))] = {};
};

using ValueList = ShortList<ValueId, 4>;

}  // namespace kc
