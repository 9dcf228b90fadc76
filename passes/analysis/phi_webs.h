// SPDX-License-Identifier: Apache-2.0
// Phi webs: values of an SSA function that can share one variable, so that passing one as an argument for
// another is no copy. They recover the source's variables, whatever blocks lie between definitions and uses.
//
//   b1(%1: i32): ... %2: i32 = add %1, 1:i32; br -> b1(%2)      %1 and %2 are one web
//
// A web is a set of values of one type, connected by edge arguments, whose live ranges are disjoint (a
// parameter is defined at the start of its block, an argument dies at the end of the edge's source).
#pragma once

#include <span>
#include <vector>

#include "ir/cfg.h"
#include "ir/lists.h"

namespace kc {

class PhiWebs {
 public:
  /// What is found: which values are webs, or their members and where they are live, too.
  enum Parts : uint8_t { Numbers, All };
  /// Needs SSA form. Values of different groups (by value id) never share a web; constants and undef have no
  /// web. Liveness takes time linear in the total length of the live ranges, in blocks; a join that of both
  /// webs, or of the smaller one and what it dominates.
  PhiWebs(const Function& f, const Cfg& cfg, const DominatorTree& tree, const std::vector<bool>& group,
          Parts parts = All);

  /// The number of v's web, or kNone if v is unused.
  uint32_t of(ValueId v) const { return v.index < web_.size() ? web_[v.index] : kNone; }
  uint32_t count() const { return count_; }
  // The others need all parts.
  /// The values of a web, by ascending id.
  std::span<const ValueId> members(uint32_t web) const { return members_[web]; }
  /// The values live at the start of block b, its parameters included, by ascending id.
  std::span<const ValueId> live_in(BlockId b) const { return live_in_[b.index]; }
  bool is_live_in(ValueId v, BlockId b) const;
  /// Whether a value of the web is live at the start of b.
  bool is_live_in(uint32_t web, BlockId b) const;

 private:
  std::vector<uint32_t> web_;  // by value id
  uint32_t count_ = 0;
  Lists<ValueId> members_;  // by web
  Lists<ValueId> live_in_;  // by block id
};

/// Turns each marked web (by number) into a variable: definitions write it, uses read it, and edges that pass
/// one member for another pass nothing. Other edges to a member write it; a write on one edge of a branch
/// gets a block of its own. `mem2reg` turns the variables back into values, after any change of the graph.
void webs_to_variables(Function& f, const PhiWebs& webs, const std::vector<bool>& marked);

}  // namespace kc
