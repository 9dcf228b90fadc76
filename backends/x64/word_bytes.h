// SPDX-License-Identifier: Apache-2.0
// Bytes of words that are taken apart and joined again. Who reads numbers from a stream of bytes writes
//
//   p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24     four bytes of one gathered word   ==>   the word
//   p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]     ==>   the word, shuffled
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "ir/function.h"

namespace kc::x64 {

class WordBytes {
 public:
  static constexpr int8_t kZero = -1;
  struct Bytes {
    ValueId word;                 // of 32-bit elements
    std::array<int8_t, 4> taken;  // for each byte, the lowest first, which one of the word it is, or kZero
    unsigned count() const;
    bool is_word() const;
  };
  /// `part` is `count` bytes of the word, from `first` on, and zeros above.
  void note(ValueId part, ValueId word, unsigned first, unsigned count);
  /// The result is `a` shifted to the left by so many bits.
  void note_shifted(ValueId result, ValueId a, unsigned bits);
  /// What a | b is, if no byte is in both.
  std::optional<Bytes> joined(ValueId a, ValueId b) const;
  void note(ValueId v, const Bytes& bytes) { bytes_[v] = bytes; }

 private:
  std::map<ValueId, Bytes> bytes_;
};

}  // namespace kc::x64
