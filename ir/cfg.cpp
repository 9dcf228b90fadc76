// SPDX-License-Identifier: Apache-2.0
#include "ir/cfg.h"

#include <algorithm>

namespace kc {
namespace {

// Semidominators over a depth-first spanning tree, after Lengauer and Tarjan; nodes are numbered in preorder.
class Semidominators {
 public:
  explicit Semidominators(const Lists<uint32_t>& preds)
      : preorder(preds.size(), kNone), succs_(preds.size(), [&](auto add) {
          for (uint32_t n = 0; n < preds.size(); ++n)
            for (uint32_t p : preds[n])
              if (p != kNone) add(p, n);
        }) {
    search();
    ancestor_ = parent;
    best_.resize(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) best_[i] = i;
    semi = best_;
    for (auto w = static_cast<uint32_t>(order.size()); w-- > 1;)
      for (uint32_t p : preds[order[w]])
        if (p != kNone && preorder[p] != kNone) semi[w] = std::min(semi[w], semi[lowest(preorder[p], w)]);
  }
  std::vector<uint32_t> preorder, order;  // by node; nodes in preorder
  std::vector<uint32_t> parent, semi;     // by preorder number

 private:
  void search() {
    std::vector<std::pair<uint32_t, size_t>> stack;
    for (auto* list : {&order, &parent}) list->reserve(succs_.size());
    stack.reserve(succs_.size());
    auto enter = [&](uint32_t n, uint32_t from) {
      preorder[n] = static_cast<uint32_t>(order.size());
      order.push_back(n);
      parent.push_back(from);
      stack.push_back({n, 0});
    };
    enter(0, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == succs_[node].size())
        stack.pop_back();
      else if (uint32_t s = succs_[node][next++]; preorder[s] == kNone)
        enter(s, preorder[node]);
    }
  }

  // The node of least semidominator on the tree path from v up to the last node numbered above w, with path
  // compression.
  uint32_t lowest(uint32_t v, uint32_t w) {
    if (v <= w) return v;
    path_.clear();
    for (uint32_t u = v; ancestor_[u] > w; u = ancestor_[u]) path_.push_back(u);
    while (!path_.empty()) {
      uint32_t u = path_.back(), above = ancestor_[u];
      path_.pop_back();
      if (semi[best_[above]] < semi[best_[u]]) best_[u] = best_[above];
      ancestor_[u] = ancestor_[above];
    }
    return best_[v];
  }

  Lists<uint32_t> succs_;
  std::vector<uint32_t> ancestor_, best_, path_;
};

// Dominators of an abstract graph with root 0; preds may contain kNone for unreachable nodes. A node's
// immediate dominator is its nearest tree ancestor that is not below its semidominator (Georgiadis and
// Tarjan's simplification), which stays near-linear on long chains of early exits.
std::vector<uint32_t> immediate_dominators(const Lists<uint32_t>& preds) {
  std::vector<uint32_t> idom(preds.size(), kNone);
  if (preds.empty()) return idom;
  Semidominators s(preds);
  std::vector<uint32_t> above = s.parent;
  idom[0] = 0;
  for (uint32_t w = 1; w < s.order.size(); ++w) {
    while (above[w] > s.semi[w]) above[w] = above[above[w]];
    idom[s.order[w]] = s.order[above[w]];
  }
  return idom;
}

// Numbers the tree given by parents, which precede their children, with nested intervals: each node's
// interval begins with its own preorder number.
void number_tree(const std::vector<uint32_t>& parent, std::vector<uint32_t>& in, std::vector<uint32_t>& out) {
  const size_t n = parent.size();
  std::vector<uint32_t> size(n, 1);
  for (size_t k = n; k-- > 1;) size[parent[k]] += size[k];
  in.assign(n, 0);
  out.assign(n, 0);  // until all children are numbered: where the next child's interval begins
  for (size_t k = 0; k < n; ++k) {
    if (k > 0) in[k] = out[parent[k]], out[parent[k]] += size[k];
    out[k] = in[k] + 1;
  }
}

// Reverse post-order from `root`, without recursion. next(node, k) is the k-th successor to visit, or kNone
// after the last one.
template <typename Next>
std::vector<uint32_t> reverse_post_order(size_t nodes, uint32_t root, Next next) {
  std::vector<char> seen(nodes, 0);
  std::vector<uint32_t> order;
  std::vector<std::pair<uint32_t, size_t>> stack;
  order.reserve(nodes);
  stack.reserve(nodes);
  stack.push_back({root, 0});
  seen[root] = 1;
  while (!stack.empty()) {
    auto& [node, visited] = stack.back();
    const uint32_t s = next(node, visited++);
    if (s == kNone) {
      order.push_back(node);
      stack.pop_back();
    } else if (!seen[s]) {
      seen[s] = 1;
      stack.push_back({s, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Cfg::Cfg(const Function& f) : number(f.block_count(), kUnreached) {
  std::vector<std::span<const Target>> succs(f.block_count());
  for (BlockId b : f.layout)
    if (!f.block(b).insts.empty()) succs[b.index] = f.successors(b);
  preds = Lists<BlockId>(f.block_count(), [&](auto add) {
    for (BlockId b : f.layout)
      for (const Target& t : succs[b.index]) add(t.block.index, b);
  });
  // Successors are visited last to first, so the order follows the layout.
  const auto order = reverse_post_order(f.block_count(), f.entry().index, [&](uint32_t n, size_t k) {
    return k < succs[n].size() ? succs[n][succs[n].size() - 1 - k].block.index : kNone;
  });
  rpo.reserve(order.size());
  for (uint32_t n : order) {
    number[n] = static_cast<uint32_t>(rpo.size());
    rpo.push_back(BlockId(n));
  }
}

DominatorTree::DominatorTree(const Function& f, const Cfg& cfg) : idom(f.block_count()) {
  Lists<uint32_t> preds(cfg.rpo.size(), [&](auto add) {
    for (uint32_t n = 0; n < cfg.rpo.size(); ++n)
      for (BlockId p : cfg.preds[cfg.rpo[n].index]) add(n, cfg.number[p.index]);
  });
  auto parent = immediate_dominators(preds);
  std::vector<uint32_t> in, out;
  number_tree(parent, in, out);
  // Unreachable blocks are dominated by all and dominate none, so nothing in them is constrained.
  in_.assign(f.block_count(), kNone - 1);
  out_.assign(f.block_count(), 0);
  for (uint32_t n = 0; n < cfg.rpo.size(); ++n) {
    BlockId b = cfg.rpo[n];
    in_[b.index] = in[n], out_[b.index] = out[n];
    if (n > 0) idom[b.index] = cfg.rpo[parent[n]];
  }
  children = Lists<BlockId>(f.block_count(), [&](auto add) {
    for (size_t n = 1; n < cfg.rpo.size(); ++n) add(idom[cfg.rpo[n].index].index, cfg.rpo[n]);
  });
}

PostDominatorTree::PostDominatorTree(const Function& f, const Cfg& cfg) : ipdom(f.block_count()) {
  // Reverse graph: node 0 of `succs` is the virtual exit, node 1 + block id a block.
  const size_t n = f.block_count() + 1;
  std::vector<std::pair<uint32_t, uint32_t>> edges;  // of the reverse graph
  for (BlockId b : cfg.rpo)
    for (const Target& t : f.successors(b)) edges.push_back({t.block.index + 1, b.index + 1});
  auto lists = [&](const std::vector<std::pair<uint32_t, uint32_t>>& of) {
    return Lists<uint32_t>(n, [&](auto add) {
      for (auto [from, to] : of) add(from, to);
    });
  };
  const Lists<uint32_t> inner = lists(edges);
  std::vector<char> reaches(n, 0);
  std::vector<uint32_t> work;
  auto tie = [&](BlockId b) {
    edges.push_back({0, b.index + 1});
    if (!reaches[b.index + 1]) reaches[b.index + 1] = 1, work.push_back(b.index + 1);
  };
  auto flood = [&] {
    while (!work.empty()) {
      uint32_t node = work.back();
      work.pop_back();
      for (uint32_t p : inner[node])
        if (!reaches[p]) reaches[p] = 1, work.push_back(p);
    }
  };
  for (BlockId b : cfg.rpo)
    if (f.successors(b).empty()) tie(b);
  flood();
  // Endless cycles: the last block in reverse post-order that reaches no exit gets an edge to it.
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it)
    if (!reaches[it->index + 1]) tie(*it), flood();

  const Lists<uint32_t> rsuccs = lists(edges);
  auto order = reverse_post_order(
      n, 0, [&](uint32_t node, size_t k) { return k < rsuccs[node].size() ? rsuccs[node][k] : kNone; });
  std::vector<uint32_t> number(n, kNone);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  Lists<uint32_t> rpreds(order.size(), [&](auto add) {
    for (uint32_t node = 0; node < n; ++node)
      if (number[node] != kNone)
        for (uint32_t s : rsuccs[node]) add(number[s], number[node]);
  });
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
