// SPDX-License-Identifier: Apache-2.0
// Known bits and intervals of all integers of a function in SSA form, thread or wave.
//
//   %1: i32 = local_id dim=0        0..1023
//   %2: i1 = slt %1, %n
//   br_if %2 -> b1, b2
//   b1: ... %n ...                  here 1..2147483647
//
// A sparse optimistic data-flow analysis: all sets start empty, only the entry is feasible, and sets grow to
// a fixed point; so loops, irreducible ones included, need no special case. Sets that grow around a loop are
// widened to a few bounds, and two narrowing sweeps follow. A branch on a comparison gives its operands, and
// values extended from or to them, a refined name in the blocks dominated by the edge; selects do so for
// their arms. A branch also decides comparisons of the same operands: x < n makes x >= n false, and x - 1 >=
// n, too, where x - 1 does not wrap. In wave IR only branches refine, not masks: a mask's condition does not
// hold for inactive lanes, and users of a strided value compute with lane 0 even if it is inactive.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ir/cfg.h"
#include "ir/known_bits.h"

namespace kc {

class IntegerRanges {
 public:
  IntegerRanges(const Function& f, const Cfg& cfg, const DominatorTree& tree);
  IntegerRanges(const Function& f, const Cfg& cfg) : IntegerRanges(f, cfg, DominatorTree(f, cfg)) {}
  explicit IntegerRanges(const Function& f) : IntegerRanges(f, Cfg(f)) {}

  /// At every execution of v's definition.
  const KnownBits& of(ValueId v) const { return known_[v.index]; }
  /// At the instruction, for its operand k.
  const KnownBits& operand(InstId inst, size_t k) const { return known_[uses_[first_use_[inst.index] + k]]; }
  /// On edge `target` of the terminator, for its argument k.
  const KnownBits& argument(InstId inst, size_t target, size_t k) const;
  /// False only if the block is unreachable.
  bool reached(BlockId b) const { return reached_[b.index]; }
  /// Number of refined names, and of evaluations overall.
  size_t names() const { return names_.size(); }
  size_t steps() const { return steps_; }

 private:
  friend class FactsBuilder;
  // Nodes are values, refined names, and edges out of a block.
  static constexpr uint32_t kWay = 0x80000000u;
  // A value refined in some blocks.
  struct Name {
    enum Kind : uint8_t {
      Left,       // of a comparison with `other`
      Right,      // likewise
      Case,       // equal to the constant `other`
      Truth,      // a condition known to be `truth`
      Inner,      // the value that `other` is extended from, or is a sum of with a constant
      Extended,   // an extension or truncation of `other`
      Unwrapped,  // a condition known to be `truth` if `other` + `addend` does not wrap
    } kind = Left;
    Op op = Op::Count_;  // the comparison, or the operation from one to the other
    bool truth = false;
    uint32_t base = 0, other = 0;  // nodes: value ids, then names
    uint32_t addend = 0;           // node
  };

  /// An edge that passes a node to a parameter.
  struct Passed {
    uint32_t param = 0, target = 0;
    BlockId from;
  };
  bool is_settled(uint32_t node) const;
  Lists<uint32_t> readers() const;
  Lists<Passed> passed() const;
  void solve();
  void leave(BlockId b, const std::function<void(uint32_t)>& again);
  bool may_take(InstId terminator, size_t k) const;
  std::vector<bool> possible_cases(InstId terminator) const;
  bool is_taken(BlockId from, uint32_t target) const {
    return target < taken_[from.index].size() && taken_[from.index][target];
  }
  KnownBits evaluate(uint32_t node) const;
  KnownBits of_result(ValueId v) const;
  KnownBits of_param(ValueId v) const;
  KnownBits of_name(const Name& name) const;

  const Function& f_;
  size_t values_ = 0;                // nodes below this are values
  std::vector<KnownBits> known_;     // by node
  std::vector<Name> names_;          // by node less values_
  std::vector<uint32_t> uses_;       // nodes used by operands, then by arguments
  std::vector<uint32_t> first_use_;  // by instruction
  std::vector<uint32_t> order_;      // nodes in order of first evaluation
  struct Argument {
    uint32_t node = 0;
    BlockId from;
    uint32_t target = 0;
  };
  Lists<Argument> arguments_;             // by value: the incoming arguments of a parameter
  std::vector<KnownBits> arrived_;        // by value, of a parameter: what has changed since it was evaluated
  std::vector<bool> reached_;             // by block
  std::vector<std::vector<bool>> taken_;  // by block: its feasible edges
  size_t steps_ = 0;
};

}  // namespace kc
