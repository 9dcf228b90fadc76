// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/function.h"

namespace kc {

struct LinearizeOptions {
  bool skip = true;   // o1, with o4: who cannot want a block does not ask
  bool nest = false;  // o2, with o4: who is not let in does not ask for blocks that only this one leads to
  bool past = false;  // o1b, with o1: one way that brings nobody who wants a block leads past it
  bool fold = true;   // o3, with o4: a guard behind one block only becomes that block's branch
  bool known = true;  // o4: guards with one answer go, booleans take the place of numbers
  bool late = true;   // who goes round waits at the end of the row for others who do
  /// Branches and loops within each other to so many are left alone; what is deeper stands in a row. 0: any.
  uint32_t max_stack = 0;
  bool interleave = false;  // in rows, what uses loaded values stands far from the loads
  bool whole = false;       // all blocks in one row, not only those of unstructured regions
  bool merge = false;       // inner loops go back to the head of the loop around them
};

struct LinearizeReport {
  uint32_t regions = 0;
  uint32_t guards = 0;       // blocks that ask whether it is their next_block
  uint32_t live_guards = 0;  // of these, those to which more than one answer comes
  uint32_t led_past = 0;     // ways, by o1b
  uint32_t refused = 0;      // ways that could have been, but the graph would not be structured
  uint32_t back_guards = 0;  // that ask whether to go round
};

/// Puts the blocks of unstructured regions in a row; a variable says whose next_block is next, and each block
/// is passed by those who do not want it. The graph is structured afterwards (see check_structured). Needs
/// SSA form and no `trap`. Returns whether f changed.
bool linearize(Function& f, const LinearizeOptions& options = {}, LinearizeReport* report = nullptr);

}  // namespace kc
