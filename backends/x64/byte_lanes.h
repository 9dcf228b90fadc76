// SPDX-License-Identifier: Apache-2.0
// Lane values that AVX-512 code keeps as bytes: all lanes of a wave are in one vector, and the masks of byte
// comparisons in one register.
//
//   %1: lane<i8> = lane_load ...
//   %2: lane<i32> = zext %1            the same bytes
//   %3: lane<i1> = eq %2, 59:i32       one comparison for all lanes
//   %4: lane<i32> = add %2, -48:i32    a byte that wraps: those below 48 become more than 9,
//   %5: lane<i1> = ule %4, 9:i32       and only this comparison uses it
//   lane_store ..., %1                 one store, also to private memory where all lanes have one offset
//
// A 32-bit value is a byte if it is computed from bytes, truths and small constants, and if all that use it
// can use the byte: comparisons, choices, minima, bitwise operations. Characters, states of a machine, kinds,
// digits.
#pragma once

#include <functional>
#include <vector>

#include "ir/cfg.h"

namespace kc::x64 {

struct ByteModel {
  /// Whether bytes at a pointer are gathered, as words.
  std::function<bool(ValueId)> gathers;
  /// Whether a load or store is of consecutive bytes, so that it is one instruction.
  std::function<bool(InstId)> is_run;
};

class ByteLanes {
 public:
  /// An analysis that keeps nothing as bytes.
  ByteLanes() = default;
  ByteLanes(const Function& wave, const Cfg& cfg, const ByteModel& model);

  /// Whether the savings exceed the cost of splitting masks for words elsewhere.
  bool worthwhile() const { return worthwhile_; }
  /// Whether the value is a vector of bytes.
  bool has(ValueId v) const { return v.index < is_byte_.size() && is_byte_[v.index]; }
  /// Whether all lanes' bytes of the value are at hand, or made by one instruction.
  bool is_vector(ValueId v) const { return has(v) || f_->is_inline(v) || !f_->type(v).lane; }
  /// Whether this comparison compares bytes.
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
  void weigh(const ByteModel& model);

  const Function* f_ = nullptr;
  const Cfg* cfg_ = nullptr;
  std::vector<bool> is_byte_;
  bool dropped_ = false;
  bool worthwhile_ = false;
};

}  // namespace kc::x64
