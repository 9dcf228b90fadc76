// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/convergence_anchors.h"

#include <map>

namespace kc::front {
namespace {

// The graph without the edges that hold: all of them are the first of their branch.
class TakenEdges {
 public:
  explicit TakenEdges(const Function& function)
      : f(function), reached(f.block_count()), meets(f.block_count()), preds_(f.block_count()) {
    std::vector<BlockId> work{f.entry()};
    reached[f.entry().index] = true;
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (InstId i : f.block(b).insts) meets[b.index] = meets[b.index] || info(f.inst(i).op).has(Convergent);
      for (const Target& t : taken(b)) {
        preds_[t.block.index].push_back(b);
        if (reached[t.block.index]) continue;
        reached[t.block.index] = true;
        work.push_back(t.block);
      }
    }
  }
  const Function& f;
  std::vector<bool> reached, meets;  // by block: from the entry; somebody meets in it

  using Blocks = std::vector<bool>;
  /// The blocks from which `to` is reached through some of `within`.
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
  /// Whether somebody meets in `from` or on a way to it through some of `within`, back to where `inside`
  /// begins.
  bool meets_outside(BlockId from, const Blocks& inside, const Blocks& within) const {
    Blocks seen(f.block_count());
    for (std::vector<BlockId> work{from}; !work.empty();) {
      BlockId b = work.back();
      work.pop_back();
      if (inside[b.index] || seen[b.index] || !within[b.index]) continue;
      if (meets[b.index]) return true;
      seen[b.index] = true;
      work.insert(work.end(), preds_[b.index].begin(), preds_[b.index].end());
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

std::vector<BlockId> ConvergenceAnchors::hold(Builder& b) {
  std::vector<BlockId> made;
  for (size_t k = open_.size(); k-- > 0;) {
    const Loop& loop = loops_[open_[k]];
    if (loop.convergent_operations == convergent_operations_) continue;
    held_.push_back({b.block, open_[k]});
    BlockId leaves = b.f.add_block("leave");
    b.br_if(b.make(Op::opaque_false, kI1, {}), {loop.next, {}}, {leaves, {}});
    made.push_back(b.block = leaves);
  }
  return made;
}

void ConvergenceAnchors::drop_idle(Function& f, std::span<const BlockId> begun) const {
  if (held_.empty()) return;
  const TakenEdges edges(f);
  struct Blocks {
    TakenEdges::Blocks within, inside;  // in the loop's text; those of them that go around it
  };
  std::map<size_t, Blocks> known;
  for (const Held& h : held_) {
    const Loop& loop = loops_[h.loop];
    if (!edges.reached[h.from.index]) continue;
    auto [found, fresh] = known.try_emplace(h.loop);
    Blocks& blocks = found->second;
    if (fresh) {
      blocks.within.assign(f.block_count(), false);
      for (size_t k = loop.first; k < loop.end; ++k) blocks.within[begun[k].index] = true;
      blocks.inside = edges.before(loop.next, blocks.within);
    }
    if (edges.reached[loop.next.index] && edges.meets_outside(h.from, blocks.inside, blocks.within)) continue;
    Inst& end = f.inst(f.terminator(h.from));
    end.op = Op::br;
    end.operands.clear();
    end.targets.erase(end.targets.begin());
  }
}

}  // namespace kc::front
