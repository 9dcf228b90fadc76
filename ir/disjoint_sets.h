// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kc {

/// Union-find: numbers below `size`, each in a set of its own at first.
class DisjointSets {
 public:
  explicit DisjointSets(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }

  size_t size() const { return parent_.size(); }
  /// The number that stands for the set of n. Paths become shorter, so a sequence of calls is nearly linear.
  uint32_t root(uint32_t n) const {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  /// Joins the sets of both. The root of `into` is that of all.
  void join(uint32_t into, uint32_t other) { parent_[root(other)] = root(into); }

 private:
  mutable std::vector<uint32_t> parent_;
};

}  // namespace kc
