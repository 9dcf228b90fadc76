// SPDX-License-Identifier: Apache-2.0
// One of the two functions during the walk: where it is, the terms of its values, and its silent steps, which
// are pure operations, jumps and branches on constants.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ir/function.h"
#include "proof/facts.h"
#include "proof/live_values.h"
#include "proof/terms.h"

namespace kc::proof {

/// What stopped the silent steps.
enum class Stop : uint8_t {
  Effect,    // an instruction that others can notice
  Branch,    // on a condition that is not known
  End,       // `ret` or `trap`
  Diverges,  // silent steps without end
  Rest,      // many silent steps, and a block at which other paths pause, too
  GaveUp,    // too many silent steps
};

/// Numbers of objects, variables and trap sites in the numbering of the other function, by number.
struct Numbering {
  std::vector<int64_t> objects, vars, sites;
  static Numbering same(const Function& f);
  /// Those of `f` for `other`; what that does not have gets numbers of its own.
  static Numbering in(const Function& f, const Function& other);
};

class Side {
 public:
  Side(const Function& function, LiveValues live, Numbering numbering, TermTable& terms, Facts& facts)
      : f(function),
        live(std::move(live)),
        numbering_(std::move(numbering)),
        terms_(terms),
        facts_(facts),
        values_(f.value_count(), kNone),
        visited_(f.block_count(), 0) {}

  const Function& f;
  const LiveValues live;

  Point at;
  Term term(ValueId v) const;
  void set(ValueId v, Term t) {
    log_.emplace_back(v, values_[v.index]);
    values_[v.index] = t;
  }
  const Inst& inst() const { return f.inst(f.block(at.block).insts[at.index]); }
  /// The attributes of an instruction, in the numbering of both.
  std::vector<int64_t> attrs(const Inst& inst) const;

  /// Silent steps to the next event.
  Stop run();
  /// Along an edge.
  void go(const Target& target);
  void step() { ++at.index; }
  /// The target of a branch if its operand has this value.
  const Target& target(uint64_t bits) const;

  /// The steps since this call are noted, until `undo` takes them back.
  struct Mark {
    Point at;
    size_t log = 0;
  };
  Mark mark() {
    entered_ = false;
    return {at, log_.size()};
  }
  void undo(const Mark& mark);
  /// Whether a block has been entered since the last mark.
  bool entered() const { return entered_; }
  void forget() { log_.clear(), entered_ = false; }
  uint64_t steps() const { return steps_; }

 private:
  void compute(const Inst& inst);
  const Target* decided(const Inst& branch);
  bool rests(size_t crossings);
  bool repeats(BlockId b, size_t crossings);

  Numbering numbering_;
  TermTable& terms_;
  Facts& facts_;
  std::vector<Term> values_;                   // by value id
  std::vector<std::pair<ValueId, Term>> log_;  // what they were
  bool entered_ = false;
  std::vector<Term> turn_;  // of a silent cycle: the live values at its first block, a turn ago
  BlockId turning_;
  size_t turns_ = 0;
  std::vector<uint64_t> visited_;  // by block: the last run that entered it
  uint64_t runs_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace kc::proof
