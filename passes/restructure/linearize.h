// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/function.h"

namespace kc {

struct LinearizeOptions {
  bool skip = true;   // o1, with o4: edges bypass guards whose block they never select
  bool nest = false;  // o2, with o4: a false guard skips later guards reachable only through its block
  bool past = false;  // o1b, with o1: a single incoming edge that never selects a block bypasses its guard
  bool fold = true;   // o3, with o4: the guard of a block with one predecessor becomes that block's branch
  bool known = true;  // o4: guards with one result go, booleans replace block numbers
  bool late = true;   // the back edges of a loop share one back guard, at its end
  /// Branches and loops nested up to this depth are kept; deeper ones become predicate chains. 0: no limit.
  uint32_t max_stack = 0;
  bool interleave = false;  // in chains, uses of loaded values are far from the loads
  bool whole = false;       // one chain of all blocks, not only of unstructured regions
  bool merge = false;       // inner loops go back to the header of the outermost loop
};

struct LinearizeReport {
  uint32_t regions = 0;
  uint32_t guards = 0;       // guards that compare with next_block
  uint32_t live_guards = 0;  // of these, guards with more than one possible result
  uint32_t led_past = 0;     // edges that bypass a guard by o1b
  uint32_t refused = 0;      // edges that could, but the graph would not be structured
  uint32_t back_guards = 0;  // guards of back edges
};

/// Turns unstructured regions into predicate chains: a variable selects the next block, and guards skip
/// blocks that are not selected. The graph is structured afterwards (see check_structured). Needs SSA form
/// and no `trap`. Returns whether f changed.
bool linearize(Function& f, const LinearizeOptions& options = {}, LinearizeReport* report = nullptr);

}  // namespace kc
