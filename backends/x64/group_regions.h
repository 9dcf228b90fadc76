// SPDX-License-Identifier: Apache-2.0
// The regions of a wave function with barriers: what all waves of a group can run one after the other before
// any of them goes on. A region starts after a barrier, and where the group comes from, or to, several
// regions.
//
//   start:  store               region 1, of which the exit is `loop`
//           barrier
//   loop:   br_if %s != 0       region 2, which ends with a branch of the group to 3 or 4
//   body:   add                 region 3
//           barrier
//           br loop             region 4 ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/x64/groups_meet.h"
#include "ir/function.h"

namespace kc::x64 {

struct Region {
  std::vector<BlockId> blocks;  // in reverse post-order, the start first
  BlockId exit;                 // the start of the next region, if all paths lead there
  BlockId branch;               // or: its last block, whose branch the group takes
  BlockId start() const { return blocks.front(); }
};

class GroupRegions {
 public:
  /// Of a function whose groups meet. Its waves are cut from rows of so many work-items: the mask becomes a
  /// constant, or follows from the local id along x where only some waves are full.
  GroupRegions(Function& function, uint64_t row);
  /// Removes the barriers and finds the regions. False where there are none of this kind, or too many blocks;
  /// the function is of no use then.
  bool find();

  ValueId all() const { return all_; }                             // the mask of full waves
  const std::vector<Region>& regions() const { return regions_; }  // in reverse post-order
  // Blocks that are made later are in no region.
  BlockId region_of(BlockId b) const { return b.index < region_of_.size() ? region_of_[b.index] : BlockId(); }
  bool is_start(BlockId b) const { return b.index < starts_.size() && starts_[b.index]; }
  bool is_group_branch(BlockId b) const { return b.index < group_branch_.size() && group_branch_[b.index]; }
  /// Whether the value was made after the regions were found.
  bool is_new(ValueId v) const { return v.index >= known_; }
  /// Whether a value that is not new may differ between waves.
  bool differs(ValueId v) const { return !f.is_inline(v) && !is_new(v) && differences_->differs(v); }
  /// Whether it differs and comes from another region.
  bool is_foreign(ValueId v, BlockId region) const;
  /// Whether it is a parameter of the start of a region.
  bool is_incoming(ValueId v) const;
  BlockId new_block(std::string hint);

 private:
  void split(), split_edges(), find_regions();
  bool make_preheaders(), regions_are_closed();
  BlockId split_at(BlockId b, size_t k, std::string hint), fill(BlockId from);
  ValueId mask_of(Builder& build, uint64_t row);

  Function& f;
  ValueId all_;
  std::vector<BlockId> after_barriers_;  // and the first block
  std::optional<WaveDifferences> differences_;
  size_t known_ = 0;                         // values that it knows
  std::vector<bool> starts_, group_branch_;  // by block: of a region; its branch is taken by the group
  std::vector<BlockId> region_of_;           // by block: the start of its region
  std::vector<Region> regions_;
};

}  // namespace kc::x64
