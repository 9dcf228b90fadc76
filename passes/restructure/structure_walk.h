// SPDX-License-Identifier: Apache-2.0
// The traversal shared by restructuring passes: loops from the innermost outwards, each reduced to a single
// node; in the body of each, without back edges, single-entry single-exit regions from the inside outwards.
// The scheme decides how to structure a region or loop that is not structured.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "passes/analysis/acyclic_dominance.h"
#include "passes/restructure/structure_graph.h"

namespace kc {

class StructureWalk {
 public:
  /// `tails_only`: a loop counts as structured only if it tests at its end.
  explicit StructureWalk(const Function& f, bool tails_only = false) : g_(f), tails_only_(tails_only) {}
  virtual ~StructureWalk() = default;
  RestructurePlan run();

 protected:
  /// The edges of a loop whose inner loops are single nodes already.
  struct LoopEdges {
    std::vector<uint32_t> entry, repeat, exit;
  };
  /// A loop with one entry and one exit edge.
  struct ClosedLoop {
    uint32_t head = 0;  // target of its entry edges
    uint32_t exit = 0;  // the exit edge
  };

  /// Structures the region between the two nodes; it is acyclic, has no other entries or exits, and all such
  /// regions within are single nodes.
  virtual void nest(uint32_t from, uint32_t end) = 0;
  /// The same for a region that contains others left open because they are deeper than `deepest`.
  virtual void flatten(uint32_t from, uint32_t end) { nest(from, end); }
  /// Unifies the entries of a loop before its analysis, if the scheme does it in this order.
  virtual void join_entries(uint32_t l, const LoopEdges& edges) = 0;
  /// Structures a loop that is not structured or has several entries.
  virtual ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) = 0;

  /// Visits the regions between the two nodes.
  void regions(uint32_t entry, uint32_t exit);
  /// Visits the regions among the nodes reached from `entries` by edges for which follow(edge) holds.
  void regions_among(std::span<const uint32_t> entries, const std::function<bool(uint32_t)>& follow);
  /// The nodes of a loop outside its inner loops, and one for each inner loop.
  std::vector<uint32_t> body(uint32_t l);
  uint32_t around(uint32_t l) const { return g_.tree.loops[l].parent; }

  StructureGraph g_;
  uint32_t deepest_ = kNone;  // depth of regions and loops visited separately

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
