// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/loop_tree.h"

#include <algorithm>
#include <utility>

namespace kc {
namespace {

/// Nodes whose loops are not found yet: the whole graph, or a loop with several entries without the edges to
/// them.
struct Subgraph {
  uint32_t around = kNone;
  std::vector<uint32_t> nodes;  // roots first
  size_t roots = 0;
};

class Finder {
 public:
  Finder(const SuccessorLists& succs, LoopTree& tree)
      : succs_(succs), tree_(tree), local_(succs.size(), kNone) {}

  void run(uint32_t entry) {
    Subgraph whole{.around = kNone, .nodes = {entry}, .roots = 1};
    for (uint32_t n = 0; n < succs_.size(); ++n)
      if (n != entry) whole.nodes.push_back(n);
    parts_.push_back(std::move(whole));
    while (!parts_.empty()) {
      Subgraph part = std::move(parts_.back());
      parts_.pop_back();
      take_apart(part);
    }
  }

 private:
  void take_apart(const Subgraph& part) {
    const auto count = static_cast<uint32_t>(part.nodes.size());
    for (uint32_t i = 0; i < count; ++i) local_[part.nodes[i]] = i;
    // Node `count` is a predecessor of the roots.
    SuccessorLists inside(count + 1);
    for (uint32_t i = 0; i < part.roots; ++i) inside[count].push_back(i);
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t s : succs_[part.nodes[i]])
        if (local_[s] != kNone && (part.around == kNone || local_[s] >= part.roots))
          inside[i].push_back(local_[s]);
    for (uint32_t n : part.nodes) local_[n] = kNone;
    Cycles cycles(inside, count);
    // By cycle; kNone for irreducible cycles and those within them, which are searched again.
    std::vector<uint32_t> loop(cycles.cycles.size(), kNone);
    for (uint32_t c = 0; c < loop.size(); ++c) {
      const Cycle& cycle = cycles.cycles[c];
      const auto number = static_cast<uint32_t>(tree_.loops.size());
      add_loop(part, cycle, cycle.parent == kNone ? part.around : loop[cycle.parent]);
      if (cycle.reducible()) {
        loop[c] = number;
        continue;
      }
      add_part(part, cycles.nodes(c), number);
      const uint32_t several = c;
      while (c + 1 < loop.size() && cycles.encloses(several, c + 1)) ++c;
    }
    for (uint32_t i = 0; i < count; ++i)
      if (uint32_t c = cycles.innermost[i]; c != kNone && loop[c] != kNone)
        tree_.home[part.nodes[i]] = loop[c];
  }

  void add_loop(const Subgraph& part, const Cycle& cycle, uint32_t parent) {
    LoopTree::Loop loop{.parent = parent, .entries = {}};
    for (uint32_t e : cycle.entries) loop.entries.push_back(part.nodes[e]);
    std::ranges::sort(loop.entries);
    loop.entries.erase(std::ranges::unique(loop.entries).begin(), loop.entries.end());
    tree_.loops.push_back(std::move(loop));
  }

  void add_part(const Subgraph& part, std::span<const uint32_t> nodes, uint32_t loop) {
    Subgraph inner{.around = loop, .nodes = tree_.loops[loop].entries, .roots = 0};
    inner.roots = inner.nodes.size();
    for (uint32_t n : nodes) {
      uint32_t node = part.nodes[n];
      tree_.home[node] = loop;
      if (!std::ranges::binary_search(tree_.loops[loop].entries, node)) inner.nodes.push_back(node);
    }
    parts_.push_back(std::move(inner));
  }

  const SuccessorLists& succs_;
  LoopTree& tree_;
  std::vector<uint32_t> local_;  // by node: its index in the current subgraph
  std::vector<Subgraph> parts_;
};

}  // namespace

LoopTree::LoopTree(const SuccessorLists& succs, uint32_t entry) : home(succs.size(), kNone) {
  Finder(succs, *this).run(entry);
  number();
}

void LoopTree::number() {
  // Subgraphs are searched late, so an inner loop need not follow its parent: sort by depth-first order.
  std::vector<std::vector<uint32_t>> children(loops.size());
  std::vector<uint32_t> stack;
  for (uint32_t l = 0; l < loops.size(); ++l)
    if (loops[l].parent == kNone)
      stack.push_back(l);
    else
      children[loops[l].parent].push_back(l);
  begin_.resize(loops.size());
  end_.resize(loops.size());
  std::vector<uint32_t> order;
  while (!stack.empty()) {
    uint32_t l = stack.back();
    stack.pop_back();
    begin_[l] = static_cast<uint32_t>(order.size());
    order.push_back(l);
    stack.insert(stack.end(), children[l].begin(), children[l].end());
  }
  for (uint32_t l : order) end_[l] = begin_[l] + 1;
  for (size_t i = order.size(); i-- > 0;)
    if (uint32_t p = loops[order[i]].parent; p != kNone) end_[p] = std::max(end_[p], end_[order[i]]);
}

}  // namespace kc
