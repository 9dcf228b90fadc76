// SPDX-License-Identifier: Apache-2.0
#include "ir/cfg.h"

#include <algorithm>

namespace kc {
namespace {

constexpr uint32_t kNone = 0xffffffffu;

// Dominators of an abstract graph whose node 0 is the root and whose nodes are numbered in reverse
// post-order; preds may name unreachable nodes as kNone.
std::vector<uint32_t> immediate_dominators(const std::vector<std::vector<uint32_t>>& preds) {
  std::vector<uint32_t> idom(preds.size(), kNone);
  if (preds.empty()) return idom;
  idom[0] = 0;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a > b) a = idom[a];
      while (b > a) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 1; n < preds.size(); ++n) {
      uint32_t best = kNone;
      for (uint32_t p : preds[n])
        if (p != kNone && idom[p] != kNone) best = best == kNone ? p : meet(best, p);
      if (best != idom[n]) idom[n] = best, changed = true;
    }
  }
  return idom;
}

// Numbers the tree given by parents so that ancestors' intervals contain descendants'.
void number_tree(const std::vector<uint32_t>& parent, std::vector<uint32_t>& in, std::vector<uint32_t>& out) {
  std::vector<std::vector<uint32_t>> children(parent.size());
  for (uint32_t n = 1; n < parent.size(); ++n)
    if (parent[n] != kNone) children[parent[n]].push_back(n);
  in.assign(parent.size(), kNone);
  out.assign(parent.size(), 0);
  if (parent.empty()) return;
  uint32_t clock = 0;
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  in[0] = clock++;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < children[node].size()) {
      uint32_t child = children[node][next++];
      in[child] = clock++;
      stack.push_back({child, 0});
    } else {
      out[node] = clock;
      stack.pop_back();
    }
  }
}

// Reverse post-order from `root` over successor lists, without recursion.
std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<uint32_t>>& succs, uint32_t root) {
  std::vector<char> seen(succs.size(), 0);
  std::vector<uint32_t> order;
  std::vector<std::pair<uint32_t, size_t>> stack{{root, 0}};
  seen[root] = 1;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < succs[node].size()) {
      uint32_t s = succs[node][next++];
      if (!seen[s]) seen[s] = 1, stack.push_back({s, 0});
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Cfg::Cfg(const Function& f) : preds(f.block_count()), number(f.block_count(), kUnreached) {
  std::vector<std::vector<uint32_t>> succs(f.block_count());
  for (BlockId b : f.layout) {
    if (f.block(b).insts.empty()) continue;
    for (const Target& t : f.successors(b)) {
      preds[t.block.index].push_back(b);
      succs[b.index].push_back(t.block.index);
    }
  }
  // Successors are visited last to first so that the order keeps the layout's reading direction.
  for (auto& list : succs) std::reverse(list.begin(), list.end());
  for (uint32_t n : reverse_post_order(succs, f.entry().index)) {
    number[n] = static_cast<uint32_t>(rpo.size());
    rpo.push_back(BlockId(n));
  }
}

DominatorTree::DominatorTree(const Function& f, const Cfg& cfg)
    : idom(f.block_count()), children(f.block_count()) {
  std::vector<std::vector<uint32_t>> preds(cfg.rpo.size());
  for (uint32_t n = 0; n < cfg.rpo.size(); ++n)
    for (BlockId p : cfg.preds[cfg.rpo[n].index]) preds[n].push_back(cfg.number[p.index]);
  auto parent = immediate_dominators(preds);
  std::vector<uint32_t> in, out;
  number_tree(parent, in, out);
  // Unreachable blocks: dominated by all and dominating none, so nothing in them is constrained.
  in_.assign(f.block_count(), kNone - 1);
  out_.assign(f.block_count(), 0);
  for (uint32_t n = 0; n < cfg.rpo.size(); ++n) {
    BlockId b = cfg.rpo[n];
    in_[b.index] = in[n], out_[b.index] = out[n];
    if (n > 0) {
      idom[b.index] = cfg.rpo[parent[n]];
      children[idom[b.index].index].push_back(b);
    }
  }
}

PostDominatorTree::PostDominatorTree(const Function& f, const Cfg& cfg) : ipdom(f.block_count()) {
  // Reverse graph: node 0 of `succs` is the virtual exit, node 1 + block id a block.
  const size_t n = f.block_count() + 1;
  std::vector<std::vector<uint32_t>> rsuccs(n);  // edges of the reverse graph
  std::vector<char> reaches(n, 0);
  std::vector<uint32_t> work;
  auto mark = [&](uint32_t node) {
    if (!reaches[node]) reaches[node] = 1, work.push_back(node);
  };
  for (BlockId b : cfg.rpo)
    for (const Target& t : f.successors(b)) rsuccs[t.block.index + 1].push_back(b.index + 1);
  auto flood = [&] {
    while (!work.empty()) {
      uint32_t node = work.back();
      work.pop_back();
      for (uint32_t p : rsuccs[node]) mark(p);
    }
  };
  for (BlockId b : cfg.rpo)
    if (f.successors(b).empty()) rsuccs[0].push_back(b.index + 1), mark(b.index + 1);
  flood();
  // Endless cycles: the last block in reverse post-order that reaches no exit is given an edge to it.
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it)
    if (!reaches[it->index + 1]) rsuccs[0].push_back(it->index + 1), mark(it->index + 1), flood();

  auto order = reverse_post_order(rsuccs, 0);
  std::vector<uint32_t> number(n, kNone);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  std::vector<std::vector<uint32_t>> rpreds(order.size());
  for (uint32_t node = 0; node < n; ++node)
    if (number[node] != kNone)
      for (uint32_t s : rsuccs[node]) rpreds[number[s]].push_back(number[node]);
  auto parent = immediate_dominators(rpreds);
  std::vector<uint32_t> in, out;
  number_tree(parent, in, out);
  in_.assign(f.block_count(), kNone - 1);
  out_.assign(f.block_count(), 0);
  for (BlockId b : cfg.rpo) {
    uint32_t i = number[b.index + 1];
    in_[b.index] = in[i], out_[b.index] = out[i];
    if (parent[i] != 0) ipdom[b.index] = BlockId(order[parent[i]] - 1);
  }
}

}  // namespace kc
