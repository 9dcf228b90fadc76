// SPDX-License-Identifier: Apache-2.0
// Dominance in an acyclic graph with one entry and one exit, where every node lies on a way between the two:
// what finding regions with one way in and one way out takes.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// A tree over nodes 0 to n - 1 in which the nearest common ancestor takes logarithmic time.
class AncestorTree {
 public:
  explicit AncestorTree(size_t nodes) : parent_(nodes), jump_(nodes), depth_(nodes, 0) {}
  void set_root(uint32_t n) { parent_[n] = jump_[n] = n; }
  /// The parent must have been placed.
  void place(uint32_t n, uint32_t parent);
  uint32_t parent(uint32_t n) const { return parent_[n]; }
  uint32_t nearest_common(uint32_t a, uint32_t b) const;
  bool is_ancestor(uint32_t a, uint32_t b) const {
    return depth_[a] <= depth_[b] && raised(b, depth_[a]) == a;
  }

 private:
  uint32_t raised(uint32_t n, uint32_t depth) const;
  std::vector<uint32_t> parent_, jump_, depth_;
};

/// Nodes are numbered in topological order: the entry is 0, the exit the last. No edge may lead back.
struct AcyclicDominance {
  explicit AcyclicDominance(const SuccessorLists& succs);
  AncestorTree dominators, post_dominators;
  /// The node behind which all ways from n meet, if no way leads there but those through n; else n. What lies
  /// between the two has one way in and one way out.
  uint32_t region_end(uint32_t n) const;
};

}  // namespace kc
