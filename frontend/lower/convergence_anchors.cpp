// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/convergence_anchors.h"

#include <algorithm>
#include <map>

namespace kc::front {
namespace {

// The CFG without the anchor edges. An anchor edge is the first target of its branch.
class TakenEdges {
 public:
  explicit TakenEdges(const Function& function)
      : f(function),
        reached(f.block_count()),
        convergent(f.block_count()),
        of_sub_group(f.block_count()),
        preds_(f.block_count()) {
    std::vector<BlockId> work{f.entry()};
    reached[f.entry().index] = true;
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (InstId i : f.block(b).insts) {
        if (!info(f.inst(i).op).has(Convergent)) continue;
        convergent[b.index] = true;
        if (f.inst(i).op != Op::barrier) of_sub_group[b.index] = true;
      }
      for (const Target& t : taken(b)) {
        preds_[t.block.index].push_back(b);
        if (reached[t.block.index]) continue;
        reached[t.block.index] = true;
        work.push_back(t.block);
      }
    }
  }
  const Function& f;
  // by block: reachable from the entry; contains a convergent operation; one of a sub-group
  std::vector<bool> reached, convergent, of_sub_group;

  using Blocks = std::vector<bool>;
  /// The blocks of `within` that reach `to` through blocks of `within`.
  Blocks before(BlockId to, const Blocks& within) const {
    Blocks set(f.block_count());
    set[to.index] = true;
    for (std::vector<BlockId> work{to}; !work.empty();) {
      BlockId b = work.back();
      work.pop_back();
      for (BlockId p : preds_[b.index])
        if (within[p.index] && !set[p.index]) set[p.index] = true, work.push_back(p);
    }
    return set;
  }
  /// Whether `from`, or a path to it through blocks of `within` that starts where `inside` ends, contains a
  /// convergent operation.
  bool convergent_outside(BlockId from, const Blocks& inside, const Blocks& within) const {
    Blocks seen(f.block_count());
    for (std::vector<BlockId> work{from}; !work.empty();) {
      BlockId b = work.back();
      work.pop_back();
      if (inside[b.index] || seen[b.index] || !within[b.index]) continue;
      if (convergent[b.index]) return true;
      seen[b.index] = true;
      work.insert(work.end(), preds_[b.index].begin(), preds_[b.index].end());
    }
    return false;
  }

  /// Whether a way from the block back to itself through blocks of `within` leaves out `without`.
  bool round_trip(BlockId head, BlockId without, const Blocks& within) const {
    if (head == without) return false;
    Blocks seen(f.block_count());
    for (std::vector<BlockId> work{head}; !work.empty();) {
      const BlockId b = work.back();
      work.pop_back();
      for (const Target& t : taken(b)) {
        if (t.block == head) return true;
        if (t.block == without || seen[t.block.index] || !within[t.block.index]) continue;
        seen[t.block.index] = true;
        work.push_back(t.block);
      }
    }
    return false;
  }

 private:
  std::span<const Target> taken(BlockId b) const {
    const Inst& end = f.inst(f.terminator(b));
    InstId condition = end.op == Op::br_if ? f.def(end.operands[0]) : InstId();
    bool holds = condition.valid() && f.inst(condition).op == Op::opaque_false;
    return std::span(end.targets).subspan(holds ? 1 : 0);
  }
  std::vector<std::vector<BlockId>> preds_;
};

}  // namespace

std::vector<BlockId> ConvergenceAnchors::anchor(Builder& b) {
  std::vector<BlockId> made;
  const size_t first = anchors_.size();
  for (size_t k = open_.size(); k-- > 0;) {
    const Loop& loop = loops_[open_[k]];
    if (loop.convergent_operations == convergent_operations_) continue;
    anchors_.push_back({.from = b.block, .loop = open_[k]});
    BlockId leaves = b.f.add_block("leave");
    b.br_if(b.make(Op::opaque_false, kI1, {}), {loop.next, {}}, {leaves, {}});
    made.push_back(b.block = leaves);
  }
  for (size_t k = first; k < anchors_.size(); ++k) anchors_[k].jump = b.block;
  return made;
}

void ConvergenceAnchors::anchor_condition(Builder& b, BlockId exit) {
  anchors_.push_back({.from = b.block, .loop = open_.back()});
  b.br_if(b.make(Op::opaque_false, kI1, {}), {loops_[open_.back()].head, {}}, {exit, {}});
}

void ConvergenceAnchors::remove_unused(Function& f, std::span<const BlockId> begun) const {
  if (anchors_.empty()) return;
  const TakenEdges edges(f);
  struct Blocks {
    // the blocks of the loop's text; those of them on a cycle through the loop
    TakenEdges::Blocks within, inside;
    std::vector<BlockId> avoided;  // with sub-group operations that some way round the loop has not
  };
  std::map<size_t, Blocks> known;
  for (const Anchor& a : anchors_) {
    const Loop& loop = loops_[a.loop];
    if (!edges.reached[a.from.index]) continue;
    auto [found, fresh] = known.try_emplace(a.loop);
    Blocks& blocks = found->second;
    if (fresh) {
      blocks.within.assign(f.block_count(), false);
      for (size_t k = loop.first; k < loop.end; ++k) blocks.within[begun[k].index] = true;
      blocks.inside = edges.before(loop.next, blocks.within);
      for (size_t k = loop.first; k < loop.end; ++k)
        if (edges.of_sub_group[begun[k].index] && edges.reached[begun[k].index] &&
            edges.round_trip(loop.head, begun[k], blocks.within))
          blocks.avoided.push_back(begun[k]);
    }
    if (edges.reached[loop.next.index] && edges.convergent_outside(a.from, blocks.inside, blocks.within))
      continue;
    // A jump to a place in the loop does not leave it.
    const Inst* jump = a.jump.valid() ? &f.inst(f.terminator(a.jump)) : nullptr;
    const bool stays = jump && jump->op == Op::br && blocks.within[jump->targets[0].block.index];
    if (!blocks.avoided.empty() && !stays) {
      const TakenEdges::Blocks before = edges.before(a.from, blocks.within);
      if (std::ranges::any_of(blocks.avoided, [&](BlockId b) { return before[b.index]; })) continue;
    }
    Inst& end = f.inst(f.terminator(a.from));
    end.op = Op::br;
    f.erase(f.def(end.operands[0]));
    end.operands.clear();
    end.targets.erase(end.targets.begin());
  }
}

}  // namespace kc::front
