// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/acyclic_dominance.h"

namespace kc {

void AncestorTree::place(uint32_t n, uint32_t parent) {
  parent_[n] = parent;
  depth_[n] = depth_[parent] + 1;
  // Two jumps of equal length are followed by one that spans both (Myers' skew-binary numbers).
  uint32_t j = jump_[parent];
  jump_[n] = depth_[parent] - depth_[j] == depth_[j] - depth_[jump_[j]] ? jump_[j] : parent;
}

uint32_t AncestorTree::raised(uint32_t n, uint32_t depth) const {
  while (depth_[n] > depth) n = depth_[jump_[n]] >= depth ? jump_[n] : parent_[n];
  return n;
}

uint32_t AncestorTree::nearest_common(uint32_t a, uint32_t b) const {
  a = raised(a, depth_[b]);
  b = raised(b, depth_[a]);
  while (a != b) {
    bool far = jump_[a] != jump_[b];
    a = far ? jump_[a] : parent_[a];
    b = far ? jump_[b] : parent_[b];
  }
  return a;
}

AcyclicDominance::AcyclicDominance(const SuccessorLists& succs)
    : dominators(succs.size()), post_dominators(succs.size()) {
  const auto count = static_cast<uint32_t>(succs.size());
  dominators.set_root(0);
  std::vector<uint32_t> above(count, count);
  for (uint32_t n = 0; n < count; ++n) {
    if (n > 0) dominators.place(n, above[n]);
    for (uint32_t s : succs[n]) above[s] = above[s] == count ? n : dominators.nearest_common(above[s], n);
  }
  post_dominators.set_root(count - 1);
  for (uint32_t n = count - 1; n-- > 0;) {
    uint32_t below = succs[n][0];
    for (uint32_t s : succs[n]) below = post_dominators.nearest_common(below, s);
    post_dominators.place(n, below);
  }
}

uint32_t AcyclicDominance::region_end(uint32_t n) const {
  uint32_t end = post_dominators.parent(n);
  return end != n && dominators.is_ancestor(n, end) ? end : n;
}

}  // namespace kc
