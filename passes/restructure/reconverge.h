// SPDX-License-Identifier: Apache-2.0
// Gives any thread function the property that mask lowering needs: after a divergent branch all work-items
// reconverge at one of its two successors.
//
// After reconverge(f), with u = analyse_uniformity(f, options), for every block b with u.divergent_branch:
//   1. b ends in a br_if with two different targets;
//   2. one of them, the secondary S, post-dominates b (exactly one can); the other is the primary P;
//   3. S comes after b in f.layout, and every block that P reaches without S comes before S in f.layout. So a
//      forward walk of the layout reaches the items that wait at S, and a jump from b to S (if P is not
//      taken) skips only blocks without active items.
// An edge against the layout leads to a block from which its source can be reached again. f.layout[0] is the
// entry. If there is a divergent branch, exactly one block has no successors; it ends in `ret`, is last in
// the layout, and every block reaches it: an endless cycle gets an exit edge by a br_if on a constant, never
// taken. Uniform branches, switches included, stay; a function without divergent branches is unchanged.
#pragma once

#include <string>
#include <vector>

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/block_orders.h"
#include "passes/analysis/cache.h"

namespace kc {

/// The planner of flow blocks.
struct ReconvergeOptions {
  enum Plan : uint8_t {
    Cheaper,    // Scans or Frontiers, whichever adds fewer blocks; tries other headers of irreducible cycles
    Scans,      // reconverge_plan.h
    Frontiers,  // frontier_plan.h
    OpenTree,   // open_tree.h
  };
  Plan plan = Cheaper;
  BlockOrder order = BlockOrder::CycleContiguous;  // for the OpenTree
};

struct ReconvergeReport {
  uint32_t flow_blocks = 0;   // blocks that send work-items to several targets
  uint32_t latch_blocks = 0;  // blocks that merge the back edges of a cycle
  uint32_t rounds = 0;        // rewrites until no further branch became divergent
  bool plan_failed = false;   // with the plan asked for, the function does not reconverge
  Uniformity uniformity{};    // of the function in between; at the end the analyses have it
};

/// Needs SSA form and no `trap`. Gives SSA form and the property above. Returns whether f changed. It
/// succeeds for every order of blocks, in a few iterations: values that pass flow blocks may become
/// divergent, and branches on them with them. Where a plan other than Scans fails, the function is planned by
/// scans. A function that has flow blocks already, and the property, is unchanged.
bool reconverge(Function& f, AnalysisCache& analyses, ReconvergeReport* report = nullptr,
                ReconvergeOptions plan = {});
inline bool reconverge(Function& f, UniformityOptions options = {}, ReconvergeReport* report = nullptr,
                       ReconvergeOptions plan = {}) {
  AnalysisCache analyses(f, options);
  return reconverge(f, analyses, report, plan);
}

/// Checks 1 to 3 above independently of the pass; one sentence for each violation.
std::vector<std::string> check_reconverging(const Function& f, const Uniformity& u);

}  // namespace kc
