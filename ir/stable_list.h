// SPDX-License-Identifier: Apache-2.0
// A list that grows at its end and never moves its items.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace kc {

/// Items are in chunks of fixed size: references stay valid when others are added.
template <typename T>
class StableList {
  static constexpr size_t kShift = 6, kChunk = size_t{1} << kShift;
  using Chunk = std::array<T, kChunk>;

 public:
  StableList() = default;
  StableList(const StableList& other) : size_(other.size_) {
    chunks_.reserve(other.chunks_.size());
    for (const auto& chunk : other.chunks_) chunks_.push_back(std::make_unique<Chunk>(*chunk));
  }
  StableList(StableList&& other) noexcept
      : chunks_(std::move(other.chunks_)), size_(std::exchange(other.size_, 0)) {}
  StableList& operator=(StableList other) noexcept {
    chunks_.swap(other.chunks_);
    std::swap(size_, other.size_);
    return *this;
  }

  size_t size() const { return size_; }
  T& operator[](size_t i) { return (*chunks_[i >> kShift])[i & (kChunk - 1)]; }
  const T& operator[](size_t i) const { return (*chunks_[i >> kShift])[i & (kChunk - 1)]; }
  /// Appends an item initialised by T{}.
  T& add() {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<Chunk>());
    return (*this)[size_++];
  }
  /// Keeps the first n items.
  void truncate(size_t n) {
    chunks_.resize((n + kChunk - 1) >> kShift);
    for (size_t i = n; i < std::min(size_, chunks_.size() << kShift); ++i) (*this)[i] = T{};
    size_ = n;
  }

 private:
  std::vector<std::unique_ptr<Chunk>> chunks_;
  size_t size_ = 0;
};

}  // namespace kc
