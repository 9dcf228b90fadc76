// SPDX-License-Identifier: Apache-2.0
#include "backends/structured/placement.h"

#include <algorithm>
#include <map>
#include <span>

#include "backends/structured/region_tree.h"
#include "passes/analysis/convergent_operations.h"

namespace kc::structured {
namespace {

struct SameEdge {
  using Edge = std::pair<BlockId, std::span<const ValueId>>;
  bool operator()(const Edge& a, const Edge& b) const {
    if (a.first != b.first) return a.first < b.first;
    return std::ranges::lexicographical_compare(a.second, b.second);
  }
};

}  // namespace

Placement::Placement(const Function& function) : f(function), cfg(f), dom(f, cfg), loops(f, cfg) {
  const size_t n = f.block_count();
  inline_.assign(n, 0);
  only_continues_.assign(n, 0);
  escapes_.assign(n, 0);
  tree_size_.assign(n, 1);
  selection_owned_.resize(n);
  loop_owned_.resize(n);
  exit_candidates_.resize(n);
  leaves_further_.assign(n, 0);
  group_edges();
  find_escapes();
  find_owners();
  find_continues();
}

void Placement::group_edges() {
  groups_.resize(f.block_count());
  forward_edges_.assign(f.block_count(), 0);
  for (BlockId b : cfg.rpo) {
    const auto& targets = f.successors(b);
    auto& groups = groups_[b.index];
    std::map<std::pair<BlockId, std::span<const ValueId>>, size_t, SameEdge> known;
    for (size_t i = 0; i < targets.size(); ++i) {
      const auto [at, fresh] = known.try_emplace({targets[i].block, targets[i].args}, groups.size());
      if (fresh) groups.emplace_back();
      groups[at->second].push_back(i);
      if (fresh && !dom.dominates(targets[i].block, b)) ++forward_edges_[targets[i].block.index];
    }
  }
}

void Placement::find_escapes() {
  std::vector<uint32_t> depth(f.block_count(), 0), low(f.block_count(), UINT32_MAX);
  for (BlockId b : cfg.rpo)
    if (dom.idom[b.index].valid()) depth[b.index] = depth[dom.idom[b.index].index] + 1;
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it) {
    BlockId u = *it;
    for (const Target& t : f.successors(u)) {
      BlockId v = t.block;
      // The deepest dominator subtree that contains both ends.
      uint32_t d = dom.dominates(u, v)   ? depth[u.index]
                   : dom.dominates(v, u) ? depth[v.index]
                                         : depth[dom.idom[v.index].index];
      low[u.index] = std::min(low[u.index], d);
    }
    escapes_[u.index] = low[u.index] < depth[u.index];
    if (BlockId up = dom.idom[u.index]; up.valid()) {
      low[up.index] = std::min(low[up.index], low[u.index]);
      tree_size_[up.index] += tree_size_[u.index];
    }
  }
}

// An edge that is neither an exit nor a back edge disqualifies the blocks whose dominator subtrees it leaves.
void Placement::find_continues() {
  std::vector<uint32_t> depth(f.block_count(), 0), low(f.block_count(), UINT32_MAX);
  for (BlockId b : cfg.rpo)
    if (dom.idom[b.index].valid()) depth[b.index] = depth[dom.idom[b.index].index] + 1;
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it) {
    BlockId u = *it;
    const uint32_t loop = loops.innermost[u.index];
    for (const Target& t : f.successors(u)) {
      BlockId v = t.block;
      if (loop == kNone || v == header_of(loop) || !loops.contains(loop, v) || dom.dominates(u, v)) continue;
      low[u.index] = std::min(low[u.index], depth[dom.idom[v.index].index]);
    }
    only_continues_[u.index] = loop != kNone && low[u.index] >= depth[u.index];
    // Code after an exit never returns to the loop; an inner loop may exit to anywhere.
    BlockId up = dom.idom[u.index];
    const uint32_t around = up.valid() ? loops.innermost[up.index] : kNone;
    if (around == kNone || !loops.contains(around, u)) continue;
    low[up.index] = std::min(low[up.index], around == loop ? low[u.index] : 0);
  }
}

// With convergent operations, code after a loop in the source stays after it, so that work-items reconverge
// there. Code executed on the way out is already inside the loop.
void Placement::find_owners() {
  const bool meetings = has_convergent_operations(f);
  for (BlockId b : cfg.rpo) {
    for (const Target& t : f.successors(b))
      for (uint32_t c = loops.innermost[b.index]; c != kNone && !loops.contains(c, t.block);
           c = loops.cycles[c].parent)
        if (!dom.dominates(header_of(c), t.block)) leaves_further_[loops.cycles[c].header] = 1;
    if (b == f.entry()) continue;
    BlockId up = dom.idom[b.index];
    BlockId left = outermost_left(up, b);
    if (forward_edges_[b.index] > 1 || (left.valid() && meetings)) {
      (left.valid() ? loop_owned_[left.index] : selection_owned_[up.index]).push_back(b);
    } else {
      inline_[b.index] = 1;
      if (left.valid()) exit_candidates_[left.index].push_back(b);
    }
  }
  for (BlockId b : cfg.rpo)
    if (is_header(b)) choose_exits(b);
}

// A loop that is followed by no block with several incoming edges may still be followed by one of its exits:
// the one that is not just the tail of a return. The others stay inside, before their break or return.
void Placement::choose_exits(BlockId header) {
  const auto& candidates = exit_candidates_[header.index];
  if (candidates.empty() || !loop_owned_[header.index].empty()) return;
  BlockId best;
  size_t open = 0;
  for (BlockId c : candidates) {
    open += escapes_[c.index];
    bool better = !best.valid() || escapes_[c.index] > escapes_[best.index] ||
                  (escapes_[c.index] == escapes_[best.index] && tree_size_[c.index] > tree_size_[best.index]);
    if (better) best = c;
  }
  if (open + leaves_further_[header.index] > 1 || (leaves_further_[header.index] && open == 0)) return;
  inline_[best.index] = 0;
  loop_owned_[header.index].push_back(best);
}

BlockId Placement::falls_into(BlockId b, BlockId into) const {
  if (dom.idom[into.index] != b || outermost_left(b, into).valid()) return {};
  BlockId from;
  for (BlockId p : cfg.preds[into.index]) {
    if (p == b || !cfg.reachable(p) || dom.dominates(into, p)) continue;
    if (!from.valid())
      for (from = p; dom.idom[from.index] != b;) from = dom.idom[from.index];
    if (!dom.dominates(from, p)) return {};
  }
  return from.valid() && !outermost_left(b, from).valid() ? from : BlockId();
}

bool Placement::never_returns(BlockId b, BlockId arm) const {
  if (!escapes_[arm.index]) return true;
  const uint32_t loop = loops.innermost[b.index];
  return loop != kNone && !loops.contains(loop, arm);
}

std::vector<IrreducibleEdge> irreducible_edges(const Function& f) {
  Cfg cfg(f);
  DominatorTree dom(f, cfg);
  std::vector<IrreducibleEdge> edges;
  for (BlockId b : cfg.rpo)
    for (const Target& t : f.successors(b))
      if (cfg.number[t.block.index] <= cfg.number[b.index] && !dom.dominates(t.block, b))
        edges.push_back({b, t.block});
  return edges;
}

}  // namespace kc::structured
