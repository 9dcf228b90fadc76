// SPDX-License-Identifier: Apache-2.0
// Sets of values that have one form because they are operands and results of each other's operations, and
// what another form would save: for decisions between words and smaller elements.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/cfg.h"
#include "ir/disjoint_sets.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {

class ValueSets {
 public:
  /// Sets of the values for which `belongs` holds; operations on others do nothing.
  ValueSets(const Function& function, const Cfg& cfg, std::function<bool(ValueId)> belongs)
      : f_(function),
        cycles_(function, cfg),
        belongs_(std::move(belongs)),
        sets_(function.value_count()),
        saved_(function.value_count()),
        words_at_(function.value_count()) {}

  bool belongs(ValueId v) const { return belongs_(v); }
  void join(ValueId a, ValueId b) {
    if (belongs_(a) && belongs_(b)) sets_.join(a.index, b.index);
  }
  /// Joins arguments of edges with the parameters of blocks.
  void join_edges(const Inst& terminator) {
    for (const Target& t : terminator.targets)
      for (size_t k = 0; k < t.args.size(); ++k) join(t.args[k], f_.block(t.block).params[k]);
  }
  /// One number for all values of a set. After all have been joined.
  uint32_t set_of(ValueId v) const { return sets_.root(v.index); }

  /// What is saved from here on is saved in this block: more often in a loop.
  void enter(BlockId b) { weight_ = cycles_.innermost[b.index] == kNone ? 1 : kLoop; }
  void save(ValueId v, int64_t instructions) {
    if (belongs_(v)) saved_[set_of(v)] += weight_ * instructions;
  }
  int64_t saved(ValueId v) const { return saved_[set_of(v)]; }
  /// What it costs that an instruction uses the value as words: once for each block is near enough.
  void spend_on_words(ValueId v, const Inst& user, int64_t instructions) {
    if (words_at_[v.index] == user.block) return;
    words_at_[v.index] = user.block;
    save(v, -instructions);
  }

 private:
  static constexpr int64_t kLoop = 16;

  const Function& f_;
  const Cycles cycles_;
  std::function<bool(ValueId)> belongs_;
  DisjointSets sets_;
  std::vector<int64_t> saved_;     // by set
  std::vector<BlockId> words_at_;  // by value: the last block that uses it as words
  int64_t weight_ = 1;
};

}  // namespace kc::x64
