// SPDX-License-Identifier: Apache-2.0
// Who waits where in a thread function that is about to become a wave function, and what the wave runs
// meanwhile.
#pragma once

#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// A divergent two-way branch. Lanes that take the secondary successor wait there.
struct DivergentBranch {
  BlockId block, primary, secondary;
  bool skip = true;  // jump to the secondary when no lane goes to the primary
};

/// Where the mask of a block that is waited for was seen before.
struct SameLanes {
  enum Kind : uint8_t { Nowhere, Block, Entry } kind = Nowhere;
  BlockId block;  // that ran for the same lanes; or the header of a cycle that was entered by the same lanes
};

struct BranchPolicy {
  TargetCosts costs{};
  bool uniform_needs_lanes = false;  // uniform arithmetic counts as needing a non-empty mask
};

struct ReconvergencePlan {
  static constexpr uint32_t kNone = 0xffffffffu;

  std::vector<DivergentBranch> branches;
  std::vector<uint32_t> branch_of;  // by block id: index in `branches`, or kNone
  std::vector<uint32_t> position;   // by block id: in the layout
  /// By block id: while lanes wait at the block, the wave runs no other blocks than those from this position
  /// up to its own (not all of them, perhaps); kNone where nobody waits.
  std::vector<uint32_t> waits_from;
  /// By block id, where lanes wait: the nearest place before it with exactly the same lanes.
  std::vector<SameLanes> same_lanes;

  bool waited_for(BlockId b) const { return waits_from[b.index] != kNone; }
};

/// Position (0 or 1) of the secondary among the targets of block b's br_if; -1 when neither target
/// post-dominates b.
int secondary_target(const Function& f, const PostDominatorTree& post, BlockId b);

/// Needs a reconverging function: every divergent terminator is a br_if one of whose successors
/// post-dominates it, with the layout that reconverge.h describes. Skips are kept where the primary side has
/// a cycle, needs a non-empty mask, or costs more than the jump.
ReconvergencePlan plan_reconvergence_points(const Function& f, const Cfg& cfg,
                                            const DominatorTree& dominators, const Uniformity& uniformity,
                                            BranchPolicy policy);

}  // namespace kc
