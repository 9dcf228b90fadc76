// SPDX-License-Identifier: Apache-2.0
// Gives any thread function the property that mask lowering needs: after a divergent branch all work-items
// meet again at one of its two successors.
//
// After reconverge(f), with u = analyse_uniformity(f, options), for every block b with u.divergent_branch:
//   1. b ends in a br_if with two different targets;
//   2. one of them, the secondary S, post-dominates b (exactly one can); the other is the primary P;
//   3. S comes after b in f.layout, and every block that can be reached from P without passing S comes
//      before S in f.layout. So work-items that wait at S are picked up when the layout is walked forward,
//      and a jump from b to S (when nobody takes P) skips only blocks in which nobody is.
// An edge against the layout leads to a block from which its source can be reached again.
// f.layout[0] is the entry; if there is a divergent branch, there is one block without successors, it ends in
// `ret` and is last in the layout, and every block reaches it: a cycle that cannot be left is given an exit
// by a br_if on a constant, which nobody takes. Uniform branches, switches included, stay; a function without
// divergent branches is not touched.
#pragma once

#include <string>
#include <vector>

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/block_orders.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// How flow blocks are planned.
struct ReconvergeOptions {
  enum Plan : uint8_t {
    Cheaper,    // Scans or Frontiers, whichever adds fewer blocks, and other headers of irreducible cycles
    Scans,      // reconverge_plan.h
    Frontiers,  // frontier_plan.h
    OpenTree,   // open_tree.h
  };
  Plan plan = Cheaper;
  BlockOrder order = BlockOrder::CycleContiguous;  // of the OpenTree
};

struct ReconvergeReport {
  uint32_t flow_blocks = 0;   // blocks that dispatch work-items to several targets
  uint32_t latch_blocks = 0;  // blocks that gather the edges back to a cycle's start
  uint32_t rounds = 0;        // rewrites until no branch was newly divergent
  bool plan_failed = false;   // the plan that was asked for does not make the function reconverge
  Uniformity uniformity{};    // of the function as it is afterwards
};

/// Needs SSA form and no `trap`. Gives SSA form and the property above. Returns whether f changed. No order
/// of blocks can make it fail; the work is done in a few rounds because values that pass flow blocks may
/// become divergent and with them branches that were uniform.
/// Where another plan than that by scans fails, the function goes that way. A function that has flow
/// blocks already, and the property, stays as it is.
bool reconverge(Function& f, UniformityOptions options = {}, ReconvergeReport* report = nullptr,
                ReconvergeOptions plan = {});

/// Checks 1 to 3 above without use of the pass; one sentence for each violation.
std::vector<std::string> check_reconverging(const Function& f, const Uniformity& u);

}  // namespace kc
