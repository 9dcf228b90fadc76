// SPDX-License-Identifier: Apache-2.0
#include "passes/meld_regions.h"

#include <algorithm>
#include <set>

namespace kc {
namespace {

constexpr size_t kMostBlocks = 400;

class Finder {
 public:
  explicit Finder(const MeldGraph& graph) : g(graph) {}

  std::optional<MeldRegion> find(BlockId branch) {
    const BlockId end = g.post.ipdom[branch.index];
    const auto targets = g.f.successors(branch);
    if (!end.valid() || targets.size() != 2 || targets[0].block == targets[1].block) return std::nullopt;
    MeldRegion region{.branch = branch, .end = end};
    for (size_t k = 0; k < 2; ++k) {
      const BlockId first = targets[k].block;
      if (first == end || !is_side(branch, first, end) || !cut(region.sides[k], branch, first, end))
        return std::nullopt;
    }
    if (!arguments_agree(end)) return std::nullopt;
    return region;
  }

 private:
  // What is reached without passing `end`, in preorder; nothing if that is too much.
  std::vector<BlockId> reached(BlockId first, BlockId end) const {
    std::vector<BlockId> order, work{first};
    std::set<BlockId> seen;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (b == end || !seen.insert(b).second) continue;
      order.push_back(b);
      if (order.size() > kMostBlocks) return {};
      const auto targets = g.f.successors(b);
      for (size_t k = targets.size(); k-- > 0;) work.push_back(targets[k].block);
    }
    return order;
  }

  bool is_side(BlockId branch, BlockId first, BlockId end) const {
    const std::vector<BlockId> blocks = reached(first, end);
    const std::set<BlockId> inside(blocks.begin(), blocks.end());
    auto comes_from_here = [&](BlockId b) {
      return std::ranges::all_of(g.cfg.preds[b.index], [&](BlockId p) {
        return inside.contains(p) || (b == first && p == branch) || !g.cfg.reachable(p);
      });
    };
    return !blocks.empty() && std::ranges::all_of(blocks, [&](BlockId b) {
      return b != branch && comes_from_here(b) && g.post.post_dominates(end, b) && may_move(b) &&
             arguments_agree(b);
    });
  }

  // Nothing in the block depends on who is there with whom.
  bool may_move(BlockId b) const {
    return std::ranges::none_of(g.f.block(b).insts, [&](InstId i) {
      const OpInfo& row = info(g.f.inst(i).op);
      return row.has(Convergent) || row.effects == Effects::Meet;
    });
  }

  // Edges of one switch into the block pass the same.
  bool arguments_agree(BlockId b) const {
    for (BlockId p : g.cfg.preds[b.index]) {
      if (!g.cfg.reachable(p) || g.f.inst(g.f.terminator(p)).op == Op::br_if) continue;
      const Target* one = nullptr;
      for (const Target& t : g.f.successors(p)) {
        if (t.block != b) continue;
        if (one && one->args != t.args) return false;
        one = &t;
      }
    }
    return true;
  }

  bool cut(std::vector<MeldPiece>& pieces, BlockId branch, BlockId first, BlockId end) const {
    for (BlockId at = first; at != end;) {
      BlockId next = g.post.ipdom[at.index];
      // A loop is one piece: what follows is outside.
      for (;; next = g.post.ipdom[next.index]) {
        if (!next.valid()) return false;
        const uint32_t c = g.cycles.smallest_with(at.index, next.index);
        if (c == Cycles::kNone || g.cycles.contains(c, branch)) break;
      }
      MeldPiece piece{.blocks = reached(at, next), .next = next};
      for (BlockId b : piece.blocks)
        if (!g.dom.dominates(at, b)) return false;
      pieces.push_back(std::move(piece));
      at = next;
    }
    return true;
  }

  const MeldGraph& g;
};

}  // namespace

std::optional<MeldRegion> find_meld_region(const MeldGraph& graph, BlockId branch) {
  return Finder(graph).find(branch);
}

}  // namespace kc
