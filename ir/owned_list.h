// SPDX-License-Identifier: Apache-2.0
// A list that takes the room of a pointer, for members that are empty in most objects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

namespace kc {

/// The subset of std::vector that targets of terminators need.
template <typename T>
class OwnedList {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  OwnedList() = default;
  OwnedList(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  OwnedList(const OwnedList& other) { append(other.begin(), other.end()); }
  OwnedList(OwnedList&& other) noexcept : items_(std::exchange(other.items_, nullptr)) {}
  OwnedList& operator=(OwnedList other) noexcept {
    std::swap(items_, other.items_);
    return *this;
  }
  ~OwnedList() {
    if (!items_) return;
    std::destroy_n(items_, size());
    ::operator delete(block_of(items_));
  }

  size_t size() const { return items_ ? header().size : 0; }
  bool empty() const { return size() == 0; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T* begin() { return items_; }
  T* end() { return items_ + size(); }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size(); }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T& front() { return items_[0]; }
  const T& front() const { return items_[0]; }
  T& back() { return items_[size() - 1]; }
  const T& back() const { return items_[size() - 1]; }

  void reserve(size_t n) {
    if (n <= capacity()) return;
    OwnedList grown;
    auto* block = static_cast<std::byte*>(::operator new(kHeader + n * sizeof(T)));
    ::new (block) Header{static_cast<uint32_t>(size()), static_cast<uint32_t>(n)};
    grown.items_ = reinterpret_cast<T*>(block + kHeader);
    std::uninitialized_move_n(items_, size(), grown.items_);
    std::swap(items_, grown.items_);
  }
  /// The item may be one of this list.
  void push_back(T item) {
    if (size() == capacity()) reserve(std::max<size_t>(1, 2 * capacity()));
    std::construct_at(items_ + header().size++, std::move(item));
  }
  void pop_back() { std::destroy_at(items_ + --header().size); }
  void clear() { resize(0); }
  void resize(size_t n) {
    reserve(n);
    while (size() > n) pop_back();
    while (size() < n) push_back(T{});
  }
  T* erase(const T* at) {
    T* to = items_ + (at - items_);
    std::move(to + 1, end(), to);
    pop_back();
    return to;
  }

 private:
  struct Header {
    uint32_t size, capacity;
  };
  static constexpr size_t kHeader = std::max(sizeof(Header), alignof(T));
  static std::byte* block_of(T* items) { return reinterpret_cast<std::byte*>(items) - kHeader; }
  Header& header() const { return *std::launder(reinterpret_cast<Header*>(block_of(items_))); }
  size_t capacity() const { return items_ ? header().capacity : 0; }
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    reserve(static_cast<size_t>(last - first));
    for (; first != last; ++first) push_back(*first);
  }

  T* items_ = nullptr;
};

}  // namespace kc
