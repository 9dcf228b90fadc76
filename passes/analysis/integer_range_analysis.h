// SPDX-License-Identifier: Apache-2.0
// Known bits and intervals of all integers of a function in SSA form, thread or wave.
//
//   %1: i32 = local_id dim=0        0..1023
//   %2: i1 = slt %1, %n
//   br_if %2 -> b1, b2
//   b1: ... %n ...                  here 1..2147483647
//
// A sparse iteration. It starts from "nothing", no way taken but the entry, and lets sets grow until all
// agree, so loops (irreducible ones too) need no shape; what grows around a loop jumps to the next of a few
// bounds, and two sweeps afterwards take back what was too much. A branch on a comparison gives its operands,
// and what they are extended from or to, a new name in the blocks that only this edge leads to, and so do
// selects for their arms.
//
// In wave IR only branches count, not masks: what a mask says does not hold for lanes outside it, and
// whoever asks for the lanes of a value in steps computes with lane 0 even where that is off.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/known_bits.h"

namespace kc {

/// What the launch guarantees (docs/language.md): ids and sizes are below 2^31, and so are offsets.
inline constexpr uint64_t kMostId = (uint64_t{1} << 31) - 1;
/// Work-items of a group, all dimensions together.
inline constexpr uint64_t kMostLocal = 1024;

class IntegerRanges {
 public:
  explicit IntegerRanges(const Function& f);

  /// Of each time the value is computed.
  const KnownBits& of(ValueId v) const { return known_[v.index]; }
  /// Where the instruction reads its operand k.
  const KnownBits& operand(InstId inst, size_t k) const { return known_[uses_[first_use_[inst.index] + k]]; }
  /// Where a terminator passes its argument k along its edge `target`.
  const KnownBits& argument(InstId inst, size_t target, size_t k) const;
  /// False only if no work-item comes to the block.
  bool reached(BlockId b) const { return reached_[b.index]; }
  /// How many names for values in certain blocks there are, and how often one of all was evaluated.
  size_t names() const { return names_.size(); }
  size_t steps() const { return steps_; }

 private:
  friend class FactsBuilder;
  // Nodes are values, names, and the ways out of a block.
  static constexpr uint32_t kWay = 0x80000000u;
  // A value as seen in some blocks.
  struct Name {
    enum Kind : uint8_t {
      Left,      // of a comparison with `other`
      Right,     // likewise
      Case,      // equal to the constant `other`
      Truth,     // a condition that is `truth`
      Inner,     // what the value `other` is extended from or a constant is added to
      Extended,  // extension or truncation of `other`
    } kind = Left;
    Op op = Op::Count_;  // the comparison, or the operation that leads from one to the other
    bool truth = false;
    uint32_t base = 0, other = 0;  // nodes: values by their ids, names behind them
    uint32_t addend = 0;           // node
  };

  Lists<uint32_t> readers() const;
  void solve();
  void leave(BlockId b, const std::function<void(uint32_t)>& again);
  bool may_take(InstId terminator, size_t k) const;
  std::vector<bool> possible_cases(InstId terminator) const;
  KnownBits evaluate(uint32_t node) const;
  KnownBits of_result(ValueId v) const;
  KnownBits of_param(ValueId v) const;
  KnownBits of_name(const Name& name) const;

  const Function& f_;
  size_t values_ = 0;                // nodes below this are values
  std::vector<KnownBits> known_;     // by node
  std::vector<Name> names_;          // by node less values_
  std::vector<uint32_t> uses_;       // nodes read by operands, then by arguments
  std::vector<uint32_t> first_use_;  // by instruction
  std::vector<uint32_t> order_;      // nodes as they are first evaluated
  struct Argument {
    uint32_t node = 0;
    BlockId from;
    uint32_t target = 0;
  };
  Lists<Argument> arguments_;             // by value: what a parameter receives
  std::vector<bool> reached_;             // by block
  std::vector<std::vector<bool>> taken_;  // by block: its edges
  size_t steps_ = 0;
};

}  // namespace kc
