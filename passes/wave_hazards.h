// SPDX-License-Identifier: Apache-2.0
// What waiting lanes mean for the values of a thread function that is about to become a wave function.
#pragma once

#include <vector>

#include "ir/cfg.h"
#include "passes/uniformity.h"

namespace kc {

/// A divergent two-way branch. Lanes that take the secondary successor wait there.
struct DivergentBranch {
  BlockId block, primary, secondary;
  bool skip = true;  // jump to the secondary when no lane goes to the primary
};

struct WaitPlan {
  std::vector<DivergentBranch> branches;
  std::vector<uint32_t> branch_of;  // by block id: index in `branches`, or kNone
  /// By value id: the blocks in which lanes may wait while the wave computes the value again.
  std::vector<std::vector<BlockId>> hazards;
  /// By value id, for values with hazards: the blocks whose uses need each lane's own last value.
  std::vector<std::vector<BlockId>> kept_in;
  static constexpr uint32_t kNone = 0xffffffffu;

  bool uses_kept(ValueId v, BlockId user) const;
};

struct SkipPolicy {
  uint32_t limit = 12;               // instructions
  bool uniform_needs_lanes = false;  // uniform arithmetic counts as needing a non-empty mask
};

/// Needs a reconverging function: every divergent terminator is a br_if one of whose successors
/// post-dominates it. Skips are kept where the primary side has a cycle, needs a non-empty mask, or is
/// longer than the policy's limit.
WaitPlan plan_waits(const Function& f, const Cfg& cfg, const Uniformity& uniformity, SkipPolicy policy);

}  // namespace kc
