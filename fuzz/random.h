// SPDX-License-Identifier: Apache-2.0
// Random numbers that are identical on every machine and library.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace kc::fuzz {

class Random {
 public:
  // The state advances by a constant, so seeds are scattered first: two seeds that differ by that constant
  // would give the same sequence, shifted.
  explicit Random(uint64_t seed) : state_(mix(seed + 0x1234567u)) {}
  // SplitMix64 (Steele, Lea and Flood, 2014).
  uint64_t bits() {
    const uint64_t z = mix(state_ += 0x9e3779b97f4a7c15u);
    return differ_ && mix(z ^ differ_) >> 32 < differing_ ? mix(z + differ_) : z;
  }
  // The same numbers, except for about `percent` of a hundred.
  Random near_copy(uint32_t percent, uint64_t seed) const {
    Random copy = *this;
    copy.differ_ = mix(seed) | 1;
    copy.differing_ = (uint64_t{percent} << 32) / 100;
    return copy;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((bits() >> 32) * n >> 32); }
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }  // both inclusive
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <typename T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<uint32_t>(list.size()))];
  }
  template <typename List>
  const auto& pick_from(const List& list) {
    return list[below(static_cast<uint32_t>(std::size(list)))];
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t state_, differ_ = 0, differing_ = 0;
};

}  // namespace kc::fuzz
