// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "passes/analysis/cycles.h"
#include "passes/restructure/restructure_plan.h"

namespace kc {

struct StructurizeOptions {
  SwitchForm form = SwitchForm::Native;
  bool whole = false;  // loops that test at their head or in the middle become ones that test at their end
  bool head = false;   // those that test at their head by a copy of the test
};

struct StructurizeReport {
  uint32_t switches = 0;     // new branches
  uint32_t assignments = 0;  // constants that edges set for them
  uint32_t widest = 0;       // most ways of a new branch
};

/// Makes the graph structured (see check_structured) by branches on new variables; no block is copied, except
/// with `head`. What is structured stays as it is. Needs SSA form and no `trap`. Returns whether f changed.
bool structurize(Function& f, const StructurizeOptions& options = {}, StructurizeReport* report = nullptr);

/// The plan alone. Where it has new nodes it can be carried out if all blocks reach one that ends in `ret`.
RestructurePlan plan_structure(const Function& f, const StructurizeOptions& options);

/// Why the graph is not structured; empty if it is. It is when it shrinks to one node by these steps:
/// a block and its only successor, which has no other way in, become one; so do a branch and its sides, if
/// each side has one way in and all lead, like the branch's other edges, to one block; an edge from a block
/// to itself is dropped if there is at most one other; and so is a way from a block to another and back, if
/// the other has no other edges and the block one. Returns lead to one imagined block.
std::string check_structured(const Function& f);
/// Whether a graph is; node 0 is the entry, what is not reached from there does not count.
bool check_structured(const SuccessorLists& succs);

}  // namespace kc
