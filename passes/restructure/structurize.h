// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "passes/analysis/cycles.h"
#include "passes/restructure/restructure_plan.h"

namespace kc {

struct StructurizeOptions {
  SwitchForm form = SwitchForm::Native;
  bool whole = false;  // loops that test at their header or in the middle become loops that test at their end
  bool head = false;   // loops that test at their header do so by a copy of the test
};

struct StructurizeReport {
  uint32_t switches = 0;     // new branches
  uint32_t assignments = 0;  // constants that edges set for them
  uint32_t widest = 0;       // most values of one of the variables
};

/// Structures the graph (see check_structured) by branches on new variables; no block is copied, except with
/// `head`. Structured parts are unchanged. Needs SSA form and no `trap`. Returns whether f changed.
bool structurize(Function& f, const StructurizeOptions& options = {}, StructurizeReport* report = nullptr);

/// The plan alone. A plan with new nodes can be applied if all blocks reach one that ends in `ret`.
RestructurePlan plan_structure(const Function& f, const StructurizeOptions& options);

/// Why the graph is not structured; empty if it is. It is structured if these steps reduce it to one node: a
/// block and its only successor merge if the successor has no other predecessor; a branch and its arms merge
/// if each arm has one predecessor and all arms, like the branch's other edges, lead to one block; an edge
/// from a block to itself is dropped if the block has at most one other; and so is a path from a block to
/// another and back, if the other has no other edges and the block has one. Returns lead to one virtual exit.
std::string check_structured(const Function& f);
/// Whether a graph is structured; node 0 is the entry, unreachable nodes are ignored.
bool check_structured(const SuccessorLists& succs);

}  // namespace kc
