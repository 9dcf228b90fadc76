// SPDX-License-Identifier: Apache-2.0
// Dominance in an acyclic graph with one entry and one exit, where every node is on a path between the two:
// used to find single-entry single-exit regions.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

/// A tree over nodes 0 to n - 1 with nearest common ancestor in logarithmic time.
class AncestorTree {
 public:
  explicit AncestorTree(size_t nodes) : parent_(nodes), jump_(nodes), depth_(nodes, 0) {}
  void set_root(uint32_t n) { parent_[n] = jump_[n] = n; }
  /// The parent must be in the tree already.
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

/// Nodes are numbered in topological order: the entry is 0, the exit the last. There are no back edges.
struct AcyclicDominance {
  explicit AcyclicDominance(const SuccessorLists& succs);
  AncestorTree dominators, post_dominators;
  /// The immediate post-dominator of n if n dominates it; else n. The nodes between the two are a
  /// single-entry single-exit region.
  uint32_t region_end(uint32_t n) const;
};

}  // namespace kc
