// SPDX-License-Identifier: Apache-2.0
// The two sides of a branch, each cut into pieces with one way in and one way out.
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

/// Blocks entered at the first of them only, all ways out of which lead to `next`.
struct MeldPiece {
  std::vector<BlockId> blocks;
  BlockId next;
  BlockId entry() const { return blocks.front(); }
};

/// A branch with its sides in the order of its targets. Both lead to `end`. Of a switch two arms are the
/// sides, and the left one is for these constants only.
struct MeldRegion {
  BlockId branch, end;
  std::array<std::vector<MeldPiece>, 2> sides;
  std::vector<ValueId> cases{};
  bool of_switch() const { return !cases.empty(); }
};

/// What is known of the graph while regions are looked for.
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
  /// The region of a branch with two targets; nothing if a side is empty, is entered or left elsewhere, is
  /// larger than some hundred blocks, or if work-items meet there.
  std::optional<MeldRegion> find(BlockId branch);
  /// Those of a switch with each two of its arms that are near each other; an arm may be in several.
  std::vector<MeldRegion> find_arms(BlockId branch);

 private:
  std::vector<BlockId> reached(BlockId first, BlockId end);
  bool is_side(BlockId branch, BlockId first, BlockId end);
  bool may_move(BlockId b) const;
  bool arguments_agree(BlockId b) const;
  bool cut(std::vector<MeldPiece>& pieces, BlockId branch, BlockId first, BlockId end);

  const MeldGraph g;
  std::vector<uint32_t> seen_;  // by block: the walk that came there last
  uint32_t walk_ = 0;
};

/// By block of a way through the piece that comes past `block` and no block twice: the target to take. Of all
/// such ways a cheap one, `cost` being what a block on it costs; empty if there is none.
std::map<BlockId, size_t> way_past(const Function& f, const MeldPiece& piece, BlockId block,
                                   const std::function<int(BlockId)>& cost);

}  // namespace kc
