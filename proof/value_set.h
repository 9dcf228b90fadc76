// SPDX-License-Identifier: Apache-2.0
// The unsigned values that an integer may still have on a path. A range from a number to a smaller one goes
// on from 0 behind the largest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kc::proof {

class ValueSet {
 public:
  /// All values of so many bits.
  explicit ValueSet(unsigned bits);
  /// Takes the values from `first` to `last` away. Takes time linear in the number of gaps.
  void remove(uint64_t first, uint64_t last);
  bool empty() const { return intervals_.empty(); }
  /// Whether one of the values from `first` to `last` is possible.
  bool meets(uint64_t first, uint64_t last) const;
  /// The value, if only one is left.
  std::optional<uint64_t> only() const;

 private:
  struct Interval {
    uint64_t first, last;
  };
  void cut(uint64_t first, uint64_t last);
  bool has_one(uint64_t first, uint64_t last) const;

  uint64_t largest_;
  std::vector<Interval> intervals_;  // ascending, disjoint
};

}  // namespace kc::proof
