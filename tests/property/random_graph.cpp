// SPDX-License-Identifier: Apache-2.0
#include "tests/property/random_graph.h"

#include <algorithm>

namespace kc::test {
namespace {

class Maker {
 public:
  Maker(Random& random, const GraphStyle& style) : r_(random), style_(style), exit_(style.nodes + 1) {}

  std::vector<GraphNode> make() {
    nodes_.resize(exit_ + 1);
    nodes_[0].slots = {{1, false}};
    for (uint32_t i = 1; i < exit_; ++i) sketch(i);
    for (uint32_t i = 2; i <= exit_; ++i) reach(i);
    dominators();
    for (uint32_t i = 1; i < exit_; ++i) retreat(i);
    return std::move(nodes_);
  }

 private:
  uint32_t forward(uint32_t i) { return std::min(i + 1 + r_.below(style_.window), exit_); }

  // Forward edges, and slots for retreating edges.
  void sketch(uint32_t i) {
    GraphNode& n = nodes_[i];
    if (r_.chance(style_.heads)) {
      n.head = true;
      n.end = r_.between(i, std::min(i + 8, exit_ - 1));
      n.after = std::min(n.end + 1 + r_.below(r_.chance(70) ? 1 : 3), exit_);
      n.refills = r_.chance(50);
      counter(n);
    }
    if (r_.chance(style_.traps)) return;
    uint32_t count = r_.chance(style_.jumps) ? 1 : r_.chance(style_.switches) ? r_.between(3, 5) : 2;
    for (uint32_t k = 0; k < count; ++k) n.slots.push_back({forward(i), false});
    if (r_.chance(style_.retreat)) n.slots[0].retreats = true;
  }

  void counter(GraphNode& n) {
    n.fuel = r_.chance(style_.uniform_fuel) ? r_.pick({Fuel::Constant, Fuel::Scalar}) : Fuel::PerItem;
    n.amount = r_.between(2, 5);
  }

  // Gives every node an edge from a lower one.
  void reach(uint32_t i) {
    for (uint32_t p = 0; p < i; ++p) {
      if (nodes_[p].head && nodes_[p].after == i) return;
      for (const auto& s : nodes_[p].slots)
        if (!s.retreats && s.to == i) return;
    }
    auto& slots = nodes_[i - 1].slots;
    auto it = std::find_if(slots.begin(), slots.end(), [](const auto& s) { return !s.retreats; });
    if (it == slots.end())
      slots.insert(slots.end(), {i, false});
    else
      it->to = i;
  }

  // Of the forward edges; retreating edges to dominators do not change them.
  void dominators() {
    idom_.assign(exit_ + 1, UINT32_MAX);
    auto edge = [&](uint32_t from, uint32_t to) {
      uint32_t a = from, b = idom_[to];
      if (b == UINT32_MAX) {
        idom_[to] = from;
        return;
      }
      while (a != b) (a > b ? a : b) = idom_[a > b ? a : b];
      idom_[to] = a;
    };
    for (uint32_t i = 0; i < exit_; ++i) {
      if (nodes_[i].head) edge(i, nodes_[i].after);
      for (const auto& s : nodes_[i].slots)
        // A slot without a target for retreating goes to the next node instead.
        edge(i, s.retreats ? i + 1 : s.to);
    }
  }
  bool dominates(uint32_t a, uint32_t b) const {
    while (b > a) b = idom_[b];
    return a == b;
  }

  void retreat(uint32_t i) {
    GraphNode& n = nodes_[i];
    if (n.slots.empty() || !n.slots[0].retreats) return;
    std::vector<uint32_t> heads, any;
    for (uint32_t t = i > 10 ? i - 10 : 1; t <= i; ++t) {
      if (style_.reducible && !dominates(t, i)) continue;
      any.push_back(t);
      if (nodes_[t].head && nodes_[t].end >= i) heads.push_back(t);
    }
    if (n.slots.size() == 2 && (heads.empty() || r_.chance(30))) {
      n.guarded = true;
      n.slots[0].to = r_.pick_from(any);
      if (!n.head) counter(n);
    } else if (!heads.empty()) {
      n.slots[0].to = r_.pick_from(heads);
      // Either target of a branch may be the retreating one.
      std::swap(n.slots[0], n.slots[r_.below(static_cast<uint32_t>(n.slots.size()))]);
    } else {
      n.slots[0] = {i + 1, false};
    }
  }

  Random& r_;
  const GraphStyle& style_;
  uint32_t exit_;
  std::vector<GraphNode> nodes_;
  std::vector<uint32_t> idom_;
};

}  // namespace

std::vector<GraphNode> random_graph(Random& random, const GraphStyle& style) {
  return Maker(random, style).make();
}

}  // namespace kc::test
