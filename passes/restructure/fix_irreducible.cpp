// SPDX-License-Identifier: Apache-2.0
// fix_irreducible: gives a loop with several entries a single one.
//
// All edges to the entries of such a loop, from outside and inside, lead to a new dispatch block, where a
// variable selects the original entry. Exits stay where they are, and no block is copied. This is for targets
// that accept any reducible control-flow graph. Needs ThreadForm, Ssa, NoTraps; kills Reconverging,
// Structured.
//
//   a: br_if %1 -> x, y               a: br_if %1 -> e(0), e(1)
//   x: ...; br -> y               ==> e(%w): br_if %w -> x, y
//   y: ...; br_if %2 -> x, z          x: ...; br -> e(1)
//                                     y: ...; br_if %2 -> e(0), z
#include "passes/restructure/fix_irreducible.h"

#include <algorithm>

#include "passes/ir_util.h"
#include "passes/restructure/structure_graph.h"

namespace kc {
namespace {

RestructurePlan plan_entries(const Function& f) {
  StructureGraph g(f);
  for (uint32_t l = 0; l < g.tree.loops.size(); ++l) {
    const std::vector<uint32_t> entries = g.tree.loops[l].entries;
    if (entries.size() < 2) continue;
    std::vector<uint32_t> heads;
    for (uint32_t n : entries)
      for (uint32_t e : g.incoming(n)) heads.push_back(e);
    g.gather(heads, l, "enter");
  }
  return g.finish();
}

}  // namespace

bool fix_irreducible(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  if (std::ranges::all_of(analyses.cycles().cycles, &Cycle::reducible)) return changed;
  RestructurePlan plan = plan_entries(f);
  if (normalise_for_plan(f)) plan = plan_entries(f);
  apply_plan(f, plan);
  return true;
}

}  // namespace kc
