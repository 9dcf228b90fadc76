// SPDX-License-Identifier: Apache-2.0
// The two arms of a branch, each split into single-entry single-exit pieces.
//
//   b: br_if -> l, r      l: br_if -> m, n;  m: br -> n;  n: br -> e      left: {l, m}, {n}
//                         r: br -> e                                      right: {r}
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc {

/// Blocks entered only at the first of them, whose exit edges all lead to `next`.
struct MeldPiece {
  std::vector<BlockId> blocks;
  BlockId next;
  BlockId entry() const { return blocks.front(); }
};

/// A branch with its arms in the order of its targets; both lead to `end`. For a switch two of its arms, the
/// left one for these constants only.
struct MeldRegion {
  BlockId branch, end;
  std::array<std::vector<MeldPiece>, 2> sides;
  std::vector<ValueId> cases{};
  bool of_switch() const { return !cases.empty(); }
};

/// Analyses used in the search for regions.
struct MeldGraph {
  const Function& f;
  const Cfg& cfg;
  const DominatorTree& dom;
  const PostDominatorTree& post;
  const Cycles& cycles;
};

class MeldRegions {
 public:
  explicit MeldRegions(const MeldGraph& graph) : g(graph), seen_(graph.f.block_count()) {}
  /// The region of a branch with two targets; nothing if an arm is empty, has other entries or exits, is
  /// larger than some hundred blocks, or has convergent operations.
  std::optional<MeldRegion> find(BlockId branch);
  /// The regions of a switch with each two of its arms that are near each other; an arm may be in several.
  std::vector<MeldRegion> find_arms(BlockId branch);

 private:
  std::vector<BlockId> reached(BlockId first, BlockId end);
  bool is_side(BlockId branch, BlockId first, BlockId end);
  bool may_move(BlockId b) const;
  bool arguments_agree(BlockId b) const;
  bool cut(std::vector<MeldPiece>& pieces, BlockId branch, BlockId first, BlockId end);

  const MeldGraph g;
  std::vector<uint32_t> seen_;  // by block: its last visit
  uint32_t walk_ = 0;
};

/// A path through the piece that passes `block` and no block twice, by block the target to take. It is a
/// cheap one of such paths, `cost` being the cost of a block on it; empty if there is none.
std::map<BlockId, size_t> way_past(const Function& f, const MeldPiece& piece, BlockId block,
                                   const std::function<int(BlockId)>& cost);

}  // namespace kc
