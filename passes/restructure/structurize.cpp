// SPDX-License-Identifier: Apache-2.0
// structurize: gives any graph loops with one exit and nested branches.
// From the innermost outwards, a loop with several entries gets a dispatch branch before them, controlled by
// a variable; a loop with several exit targets gets one after it. If its exits do not all leave one block on
// every path through an iteration, exits and back edges go to a new latch, where another variable decides.
// The body without back edges, inner loops as single nodes, is acyclic. Its single-entry single-exit regions
// are visited from the inside outwards: where the arms of a branch end at several blocks, their ends are
// redirected through one new branch. Structured parts stay. (N. Reissmann et al., "Efficient Control Flow
// Restructuring for GPUs", 2016, on minimal regions.)
// Needs ThreadForm, Ssa, NoTraps; gives Structured; kills Reconverging.
//
//   a: br_if %1 -> s, b               a: br_if %1 -> j(true), b
//   b: br_if %2 -> s, t               b: br -> j(%2)
//   s: ...; br -> e               ==> j(%p): br_if %p -> s, t
//   t: ...; br -> e                   s: ...; br -> e
//                                     t: ...; br -> e
#include "passes/restructure/structurize.h"

#include <algorithm>

#include "passes/ir_util.h"
#include "passes/restructure/structure_walk.h"
#include "passes/transform/rotate.h"

namespace kc {
namespace {

class Structurizer : public StructureWalk {
 public:
  using StructureWalk::StructureWalk;

 private:
  void nest(uint32_t from, uint32_t end) override { nest_branches(g_, from, end); }

  void join_entries(uint32_t l, const LoopEdges& edges) override {
    std::vector<uint32_t> heads = edges.entry;
    heads.insert(heads.end(), edges.repeat.begin(), edges.repeat.end());
    g_.gather(heads, l, "enter");
  }

  // [r := 1] on back edges, [r := 0] on exits.
  ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) override {
    const uint32_t head = g_.to(edges.entry[0]);
    const uint32_t after = g_.gather(edges.exit, around(l), "leave");
    const uint32_t again = g_.add_choice(edges.exit, after, edges.repeat, head, l, "again");
    regions(head, again);
    return {head, g_.out(again)[0]};
  }
};

}  // namespace

RestructurePlan plan_structure(const Function& f, const StructurizeOptions& options) {
  return Structurizer(f, options.whole).run();
}

bool structurize(Function& f, const StructurizeOptions& options, StructurizeReport* report) {
  bool changed = remove_unreachable_blocks(f);
  if (options.head) {
    AnalysisCache analyses(f);
    changed |= rotate(f, analyses, true);
  }
  RestructurePlan plan = plan_structure(f, options);
  if (plan.nodes.size() > f.block_count() && normalise_for_plan(f)) plan = plan_structure(f, options);
  StructurizeReport counts{.assignments = static_cast<uint32_t>(plan.assignments())};
  for (const auto& node : plan.nodes)
    if (node.kind != RestructurePlan::Kind::Original) {
      ++counts.switches;
      counts.widest = std::max(counts.widest, static_cast<uint32_t>(node.edges.size()));
    }
  if (report) *report = counts;
  if (counts.switches == 0) return changed;
  apply_plan(f, plan, options.form);
  return true;
}

}  // namespace kc
