// SPDX-License-Identifier: Apache-2.0
// structurize: loops with one exit and nested branches, whatever the graph was.
//
// From the innermost outwards, a loop with several entries gets a branch in front of them, told by a variable
// where to go; one with several exit targets gets such a branch behind it. If its exits do not all leave one
// block that every round passes, all of them and all ways back lead to a new last block, where another
// variable says whether to go round. Without the edges back the loop's body, with inner loops as single
// nodes, is acyclic. In it, regions with one way in and one way out are taken from the inside outwards: where
// the sides of a branch end at several places, all their ends lead to one new branch that sends everybody on.
// (N. Reissmann et al., "Efficient Control Flow Restructuring for GPUs", 2016, on minimal regions.)
//
// Structured parts stay as they are. Needs: ThreadForm, Ssa, NoTraps. Gives: Structured. Kills: Reconverging.
//
//   a: br_if %1 -> s, b               a: br_if %1 -> j(true), b
//   b: br_if %2 -> s, t               b: br -> j(%2)
//   s: ...; br -> e               ==> j(%p): br_if %p -> s, t
//   t: ...; br -> e                   s: ...; br -> e
//                                     t: ...; br -> e
#include "passes/structurize.h"

#include <algorithm>
#include <map>

#include "passes/loop_tree.h"
#include "passes/reconverge_prepare.h"
#include "passes/regions.h"
#include "passes/rewrite.h"
#include "passes/rotate.h"
#include "passes/structure_graph.h"

namespace kc {
namespace {

class Planner {
 public:
  Planner(const Function& f, bool whole) : g_(f), whole_(whole) {}

  RestructurePlan run() {
    // Inner loops before those around them.
    for (uint32_t l = g_.tree.loops.size(); l-- > 0;) loop(l);
    restructure_region(g_, g_.entry, g_.exit);
    return g_.finish();
  }

 private:
  // The edges of a loop whose inner loops are single nodes by now.
  struct LoopEdges {
    std::vector<uint32_t> entry, repeat, exit;
  };

  LoopEdges edges_of(uint32_t l) {
    LoopEdges edges;
    for (uint32_t e : g_.tree.loops[l].entries)
      for (uint32_t in : g_.incoming(e)) {
        bool inside = g_.tree.encloses(l, g_.home(g_.from(in)));
        (inside ? edges.repeat : edges.entry).push_back(in);
      }
    for (uint32_t n : body(l))
      for (uint32_t out : g_.out(n))
        if (!g_.tree.encloses(l, g_.home(g_.to(out)))) edges.exit.push_back(out);
    return edges;
  }

  std::vector<uint32_t> body(uint32_t l) {
    std::vector<uint32_t> nodes = g_.tree.loops[l].entries;
    g_.begin_marks();
    for (uint32_t n : nodes) g_.mark(n);
    for (size_t i = 0; i < nodes.size(); ++i)
      for (uint32_t out : g_.out(nodes[i])) {
        uint32_t to = g_.to(out);
        if (g_.tree.encloses(l, g_.home(to)) && g_.mark(to)) nodes.push_back(to);
      }
    return nodes;
  }

  void loop(uint32_t l) {
    const uint32_t around = g_.tree.loops[l].parent;
    LoopEdges edges = edges_of(l);
    std::vector<uint32_t> heads = edges.entry;
    heads.insert(heads.end(), edges.repeat.begin(), edges.repeat.end());
    const std::vector<uint32_t> none;
    const uint32_t head = g_.gather(heads, l, "enter");
    const uint32_t after = g_.gather(edges.exit, around, "leave");
    if (auto parts = rounds(l, head, edges); !parts.empty()) {
      uint32_t first = head;
      for (const Round& r : parts) {
        keep(r, first, head);
        bool outermost = &r == &parts.back();
        first = close(outermost ? around : l, head, outermost ? edges.entry : none, r.leaves);
      }
      return;
    }
    // [r := 1] on ways back, [r := 0] on exits.
    uint32_t again = g_.add_choice(edges.exit, after, edges.repeat, head, l, "again");
    restructure_region(g_, head, again);
    close(around, head, edges.entry, g_.out(again)[0]);
  }

  // A loop that can stay: it is left from `last` by one edge; the other leads back, or to nodes from which
  // all ways lead back.
  struct Round {
    uint32_t last = 0, leaves = LoopTree::kNone, stays = LoopTree::kNone;
    std::vector<uint32_t> repeat;
  };

  // The loops with this head, if all can stay as they are, each within the next: a loop that is left only
  // from one place can hold others with the same head. They end where, on the nodes that all ways to the exit
  // pass, some ways turn back.
  std::vector<Round> rounds(uint32_t l, uint32_t head, const LoopEdges& edges) {
    if (edges.exit.size() != 1) return {};
    auto inside = [&](uint32_t e) { return g_.to(e) != head && g_.tree.encloses(l, g_.home(g_.to(e))); };
    const std::vector<uint32_t> order = g_.topological_order(head, inside);
    const auto count = static_cast<uint32_t>(order.size());
    for (uint32_t i = 0; i < count; ++i) g_.note(order[i]).count = i;
    SuccessorLists succs(count + 1);
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t e : g_.out(order[i])) succs[i].push_back(inside(e) ? g_.note(g_.to(e)).count : count);
    AcyclicDominance dominance(succs);
    const uint32_t last = g_.note(g_.from(edges.exit[0])).count;
    // By the place, before `last` or there, from which a way back turns off.
    std::map<uint32_t, Round> found;
    found[last].leaves = edges.exit[0];
    for (uint32_t e : edges.repeat)
      found[dominance.dominators.nearest_common(g_.note(g_.from(e)).count, last)].repeat.push_back(e);
    for (uint32_t below = last; below != 0; below = dominance.dominators.parent(below))
      if (auto it = found.find(dominance.dominators.parent(below)); it != found.end())
        for (uint32_t e : g_.out(order[it->first]))
          if (g_.to(e) == order[below] && g_.in_degree(order[below]) == 1) it->second.leaves = e;
    std::vector<Round> list;
    for (auto& [place, round] : found) {
      round.last = order[place];
      if (!complete(round, head, dominance.dominators)) return {};
      list.push_back(std::move(round));
    }
    return list;
  }

  // Finds the edge that stays; false if it does not leave alone to where the ways back come from.
  bool complete(Round& r, uint32_t head, const AncestorTree& dominators) {
    auto out = g_.out(r.last);
    if (out.size() != 2 || r.repeat.empty() || (r.leaves != out[0] && r.leaves != out[1])) return false;
    r.stays = r.leaves == out[0] ? out[1] : out[0];
    const uint32_t middle = g_.to(r.stays);
    if (middle == head) return r.repeat.size() == 1;
    return !whole_ && g_.in_degree(middle) == 1 && std::ranges::all_of(r.repeat, [&](uint32_t e) {
      return dominators.is_ancestor(g_.note(middle).count, g_.note(g_.from(e)).count);
    });
  }

  // What lies before and behind `last`; `first` is the head or the loop within.
  void keep(const Round& r, uint32_t first, uint32_t head) {
    restructure_region(g_, first, r.last);
    const uint32_t middle = g_.to(r.stays);
    if (middle != head) restructure_region(g_, middle, g_.add_alias(r.repeat, head, g_.home(head)));
  }

  // From now on the loop is one node, left by one edge.
  uint32_t close(uint32_t around, uint32_t head, const std::vector<uint32_t>& entry, uint32_t exit) {
    uint32_t node = g_.add_alias(entry, head, around);
    g_.leave_by(node, {exit});
    return node;
  }

  StructureGraph g_;
  const bool whole_;
};

// One exit, and no two edges of a switch to one block with different arguments.
bool normalise(Function& f) {
  bool changed = give_one_exit(f);
  return separate_cases(f) || changed;
}

}  // namespace

RestructurePlan plan_structure(const Function& f, const StructurizeOptions& options) {
  return Planner(f, options.whole).run();
}

bool structurize(Function& f, const StructurizeOptions& options, StructurizeReport* report) {
  bool changed = remove_unreachable_blocks(f);
  if (options.head) changed |= rotate(f, {}, true);
  RestructurePlan plan = plan_structure(f, options);
  if (plan.nodes.size() > f.block_count() && normalise(f)) plan = plan_structure(f, options);
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
