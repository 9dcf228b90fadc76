// SPDX-License-Identifier: Apache-2.0
// Whether all waves of a group, with all their lanes, come to the same barriers in the same order. Then the
// code itself goes from one wave to the next at a barrier, and on with the first behind it, and nothing is
// asked:
//
//   loop:      br_if %s != 0 -> body, end     %s is made of arguments and sizes: it is the same for all waves
//   body:      %m = mask_cond %all, %tid < %s
//              br_if any(%m) -> add, join     waves differ, but no barrier depends on this branch
//   join:      lane_barrier %all
#pragma once

#include <set>
#include <span>
#include <vector>

#include "ir/cfg.h"
#include "ir/function.h"
#include "ir/lists.h"

namespace kc::x64 {

/// Which values of a wave function may differ between the waves of a group, and which blocks only some of its
/// waves come to. What is loaded counts as different for each wave: waves load one after the other, and
/// memory may change in between. Not constant memory, nor local memory between barriers where nothing is
/// stored to it. So do values of lanes.
class WaveDifferences {
 public:
  /// `after_barriers`: blocks that waves enter together, besides those behind barriers.
  explicit WaveDifferences(const Function& wave, std::span<const BlockId> after_barriers = {});
  bool differs(ValueId v) const { return differs_[v.index]; }
  /// Whether all waves run through the block, each time that one of them does.
  bool together(BlockId b) const { return !apart_[b.index]; }

 private:
  bool is_source(InstId i) const;
  void differ(ValueId v);
  void results_differ(const Inst& inst);
  void use(const Inst& inst, ValueId v);
  void part_at(BlockId branch);
  void go_apart_until(BlockId meet, BlockId x);
  void go_apart(BlockId b);
  void edges_part(BlockId b);

  const Function& f;
  const Cfg cfg_;
  const PostDominatorTree post_;
  const Lists<InstId> users_;
  std::vector<bool> differs_, apart_;  // by value; by block
  std::vector<BlockId> until_;         // by block that is apart: the post-dominators before this one are, too
  std::vector<ValueId> passed_;        // by parameter: what edges that part pass
  std::vector<ValueId> work_;
  std::vector<BlockId> parting_;
  std::set<InstId> settled_;  // loads of what waves do not change
};

/// Of a wave function. False where there is no barrier.
bool groups_meet(const Function& wave);

}  // namespace kc::x64
