// SPDX-License-Identifier: Apache-2.0
// A list of T for each number below n, all in one allocation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kc {

template <typename T>
class Lists {
 public:
  Lists() = default;
  /// Calls fill(add) twice, to count and to insert; add(list, item) appends; both calls must add in the same
  /// order.
  template <typename Fill>
  Lists(size_t n, Fill fill) : first_(n + 2, 0) {
    fill([&](size_t list, const T&) { ++first_[list + 2]; });
    for (size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    items_.resize(first_.back());
    fill([&](size_t list, const T& item) { items_[first_[list + 1]++] = item; });
    first_.pop_back();
  }
  bool operator==(const Lists&) const = default;
  size_t size() const { return first_.size() - 1; }
  bool empty() const { return first_.size() <= 1; }
  std::span<const T> operator[](size_t list) const {
    return std::span(items_).subspan(first_[list], first_[list + 1] - first_[list]);
  }
  std::span<T> operator[](size_t list) {
    return std::span(items_).subspan(first_[list], first_[list + 1] - first_[list]);
  }

 private:
  std::vector<uint32_t> first_{0};  // the start of each list, and the end of the last one
  std::vector<T> items_;
};

}  // namespace kc
