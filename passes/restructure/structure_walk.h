// SPDX-License-Identifier: Apache-2.0
// The way on which restructuring takes a graph: loops from the innermost outwards, each a single node once it
// is done; in what is left of each, without the edges back, regions with one way in and one way out from the
// inside outwards. What becomes of a region or a loop that is not structured is up to the scheme.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "passes/analysis/acyclic_dominance.h"
#include "passes/restructure/structure_graph.h"

namespace kc {

class StructureWalk {
 public:
  /// `tails_only`: loops that test elsewhere than at their end are not structured.
  explicit StructureWalk(const Function& f, bool tails_only = false) : g_(f), tails_only_(tails_only) {}
  virtual ~StructureWalk() = default;
  RestructurePlan run();

 protected:
  /// The edges of a loop whose inner loops are single nodes by now.
  struct LoopEdges {
    std::vector<uint32_t> entry, repeat, exit;
  };
  /// A loop that has become one with one way in and one way out.
  struct ClosedLoop {
    uint32_t head = 0;  // where its ways in lead
    uint32_t exit = 0;  // the edge that leaves it
  };

  /// Makes what lies between the two nodes structured; it is acyclic, with no other ways in or out, and all
  /// such regions within are single nodes.
  virtual void nest(uint32_t from, uint32_t end) = 0;
  /// The same for a region with others within that were left open because they are deeper than `deepest`.
  virtual void flatten(uint32_t from, uint32_t end) { nest(from, end); }
  /// Leads a loop's ways in to one node before it is looked at, if that is how the scheme does it.
  virtual void join_entries(uint32_t l, const LoopEdges& edges) = 0;
  /// Makes a loop structured that is not, or has several entries.
  virtual ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) = 0;

  /// Goes through the regions between the two nodes.
  void regions(uint32_t entry, uint32_t exit);
  /// Goes through those among the nodes that are reached from `entries` by edges for which follow(edge)
  /// holds.
  void regions_among(std::span<const uint32_t> entries, const std::function<bool(uint32_t)>& follow);
  /// The nodes of a loop that are in none of its inner loops, and one for each of those.
  std::vector<uint32_t> body(uint32_t l);
  uint32_t around(uint32_t l) const { return g_.tree.loops[l].parent; }

  StructureGraph g_;
  uint32_t deepest_ = LoopTree::kNone;  // regions and loops around each other that are looked at one by one

 private:
  std::vector<uint32_t> depths(const AcyclicDominance& dominance, const std::vector<uint32_t>& order) const;
  struct Round;
  LoopEdges edges_of(uint32_t l);
  void loop(uint32_t l);
  std::vector<Round> rounds(uint32_t l, uint32_t head, const LoopEdges& edges);
  bool complete(Round& r, uint32_t head, const AncestorTree& dominators);
  void keep(const Round& r, uint32_t first, uint32_t head);
  uint32_t close(uint32_t around, uint32_t head, const std::vector<uint32_t>& entry, uint32_t exit);

  const bool tails_only_;
};

}  // namespace kc
