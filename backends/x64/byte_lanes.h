// SPDX-License-Identifier: Apache-2.0
// Lane values that AVX-512 code keeps as bytes: all lanes of a wave in one vector, and so the masks that
// comparisons of them give in one register.
//
//   %1: lane<i8> = lane_load ...
//   %2: lane<i32> = zext %1            the same bytes
//   %3: lane<i1> = eq %2, 59:i32       one comparison for all lanes
//   %4: lane<i32> = add %2, -48:i32    a byte that wraps: those below 48 become more than 9,
//   %5: lane<i1> = ule %4, 9:i32       which is all that is asked
//
// A value of 32 bits is a byte if it is made of bytes and small constants and nobody wants more of it than
// comparisons and choices: characters, states of a machine, kinds, digits.
#pragma once

#include <vector>

#include "ir/cfg.h"

namespace kc::x64 {

class ByteLanes {
 public:
  /// One that keeps nothing as bytes.
  ByteLanes() = default;
  ByteLanes(const Function& wave, const Cfg& cfg);

  /// Whether the bytes save more than they cost elsewhere, where masks must be taken apart for words.
  bool worthwhile() const { return worthwhile_; }
  /// Whether the value is a vector of bytes.
  bool has(ValueId v) const { return v.index < is_byte_.size() && is_byte_[v.index]; }
  /// Whether this comparison is one of bytes.
  bool compares(const Inst& inst) const;

 private:
  void find_candidates();
  bool may_make(const Inst& inst) const;
  bool sweep();
  void drop(ValueId v);
  bool is_word(ValueId v) const;
  bool wraps(ValueId v) const;
  bool ready(ValueId v) const;
  bool made_of_bytes(const Inst& inst) const;
  bool reads_bytes(const Inst& inst, size_t operand) const;
  bool survives_wrapping(const Inst& comparison) const;
  void weigh();

  const Function* f_ = nullptr;
  const Cfg* cfg_ = nullptr;
  std::vector<bool> is_byte_;
  bool dropped_ = false;
  bool worthwhile_ = false;
};

}  // namespace kc::x64
