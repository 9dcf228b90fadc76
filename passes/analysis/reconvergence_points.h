// SPDX-License-Identifier: Apache-2.0
// For each divergent branch of a thread function that is lowered to a wave function: where its lanes
// reconverge, and what the wave executes before that.
#pragma once

#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// A divergent two-way branch. Lanes that take the secondary successor wait there.
struct DivergentBranch {
  BlockId block, primary, secondary;
  bool skip = true;  // jump to the secondary if no lane takes the primary
};

/// An earlier mask equal to that of a reconvergence point.
struct SameLanes {
  enum Kind : uint8_t { Nowhere, Block, Entry } kind = Nowhere;
  BlockId block;  // a block that ran with the same lanes; or the header of a cycle entered by the same lanes
};

struct BranchPolicy {
  TargetCosts costs{};
  bool uniform_needs_lanes = false;  // uniform arithmetic needs an active lane
};

struct ReconvergencePlan {
  std::vector<DivergentBranch> branches;
  std::vector<uint32_t> branch_of;  // by block id: index in `branches`, or kNone
  std::vector<uint32_t> position;   // by block id: position in the layout
  /// By block id: while lanes wait at the block, the wave runs only blocks from this position up to the
  /// block's own (possibly not all of them); kNone where no lanes wait.
  std::vector<uint32_t> waits_from;
  /// By block id, for reconvergence points: the nearest earlier place with exactly the same lanes.
  std::vector<SameLanes> same_lanes;

  bool waited_for(BlockId b) const { return waits_from[b.index] != kNone; }
};

/// Index (0 or 1) of the secondary among the targets of block b's br_if; -1 if neither target post-dominates
/// b.
int secondary_target(const Function& f, const PostDominatorTree& post, BlockId b);

/// Needs a reconverging function: every divergent terminator is a br_if one of whose successors
/// post-dominates it, with the layout that reconverge.h describes. Skips are kept where the primary arm has a
/// cycle, needs a non-empty mask, or costs more than the jump.
ReconvergencePlan plan_reconvergence_points(const Function& f, const Cfg& cfg,
                                            const DominatorTree& dominators, const Uniformity& uniformity,
                                            BranchPolicy policy);

}  // namespace kc
