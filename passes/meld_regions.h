// SPDX-License-Identifier: Apache-2.0
// The two sides of a branch, each cut into pieces with one way in and one way out.
//
//   b: br_if -> l, r      l: br_if -> m, n;  m: br -> n;  n: br -> e      left: {l, m}, {n}
//                         r: br -> e                                      right: {r}
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ir/cfg.h"
#include "passes/cycles.h"

namespace kc {

/// Blocks entered at the first of them only, all ways out of which lead to `next`.
struct MeldPiece {
  std::vector<BlockId> blocks;
  BlockId next;
  BlockId entry() const { return blocks.front(); }
};

/// A branch with its sides in the order of its targets. Both lead to `end`.
struct MeldRegion {
  BlockId branch, end;
  std::array<std::vector<MeldPiece>, 2> sides;
};

/// What is known of the graph while regions are looked for.
struct MeldGraph {
  const Function& f;
  const Cfg& cfg;
  const DominatorTree& dom;
  const PostDominatorTree& post;
  const Cycles& cycles;
};

/// The region of a branch with two targets; nothing if a side is empty, is entered or left elsewhere, is
/// larger than some hundred blocks, or if work-items meet there.
std::optional<MeldRegion> find_meld_region(const MeldGraph& graph, BlockId branch);

}  // namespace kc
