// SPDX-License-Identifier: Apache-2.0
// PhiWebs: values of an SSA function that can share one variable, so that passing one as an argument for
// another costs nothing. The classes of a program's own variables come back this way, whatever blocks were
// put between their definitions and uses.
//
//   b1(%1: i32): ... %2: i32 = add %1, 1:i32; br -> b1(%2)      %1 and %2 are one web
//
// A web is a set of values of one type, connected by edge arguments, no two of which are alive together
// (a parameter is born at the start of its block, an argument dies at the end of the edge's source).
#pragma once

#include <span>
#include <vector>

#include "ir/cfg.h"
#include "ir/lists.h"

namespace kc {

class PhiWebs {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;

  /// Needs SSA form. Values of different groups (by value id) never share a web; constants and undef have
  /// none. Takes time in proportion to the sum of the lengths, in blocks, of the live ranges.
  PhiWebs(const Function& f, const Cfg& cfg, const std::vector<bool>& group);

  /// The number of v's web, or kNone when v is never used.
  uint32_t of(ValueId v) const { return v.index < web_.size() ? web_[v.index] : kNone; }
  uint32_t count() const { return count_; }
  /// The values of a web, by ascending id.
  std::span<const ValueId> members(uint32_t web) const { return members_[web]; }
  /// The values that are alive at the start of block b, its parameters included, by ascending id.
  std::span<const ValueId> live_in(BlockId b) const { return live_in_[b.index]; }
  bool is_live_in(ValueId v, BlockId b) const;
  /// Whether one of the web's values is.
  bool is_live_in(uint32_t web, BlockId b) const;

 private:
  std::vector<uint32_t> web_;  // by value id
  uint32_t count_ = 0;
  Lists<ValueId> members_;  // by web
  Lists<ValueId> live_in_;  // by block id
};

/// Makes a variable of each web that is marked by its number: members are written to it where they are
/// defined and read from it where they are used, and edges that pass one member for another pass nothing.
/// Edges that pass something else write it; where a branch would write for one of its edges only, the edge
/// gets a block. `mem2reg` makes values of the variables again, whatever has happened to the graph in
/// between.
void webs_to_variables(Function& f, const PhiWebs& webs, const std::vector<bool>& marked);

}  // namespace kc
