// SPDX-License-Identifier: Apache-2.0
// Sets of the units of one register class.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ir/ids.h"

namespace kc::regalloc {

inline constexpr uint32_t kMaxUnits = 512;

class UnitSet {
 public:
  bool test(uint32_t unit) const { return words_[unit / 64] >> (unit % 64) & 1; }
  bool any(uint32_t first, uint32_t count) const {
    for (uint32_t u = first; u < first + count; ++u)
      if (test(u)) return true;
    return false;
  }
  bool all(uint32_t first, uint32_t count) const {
    for (uint32_t u = first; u < first + count; ++u)
      if (!test(u)) return false;
    return true;
  }
  void add(uint32_t first, uint32_t count = 1) {
    for (uint32_t u = first; u < first + count; ++u) words_[u / 64] |= uint64_t{1} << (u % 64);
  }
  void remove(uint32_t first, uint32_t count = 1) {
    for (uint32_t u = first; u < first + count; ++u) words_[u / 64] &= ~(uint64_t{1} << (u % 64));
  }
  void add_mask(uint32_t low_bits) { words_[0] |= low_bits; }
  bool empty() const {
    for (uint64_t w : words_)
      if (w) return false;
    return true;
  }
  UnitSet& operator|=(const UnitSet& o) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= o.words_[i];
    return *this;
  }
  friend UnitSet operator|(UnitSet a, const UnitSet& b) { return a |= b; }
  UnitSet without(const UnitSet& o) const {
    UnitSet r = *this;
    for (size_t i = 0; i < words_.size(); ++i) r.words_[i] &= ~o.words_[i];
    return r;
  }
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t w = words_[i]; w; w &= w - 1)
        visit(static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(w))));
  }

 private:
  std::array<uint64_t, kMaxUnits / 64> words_{};
};

}  // namespace kc::regalloc
