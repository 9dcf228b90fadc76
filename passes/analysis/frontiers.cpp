// SPDX-License-Identifier: Apache-2.0
// Let lo(u) be the first position whose frontier contains u. By positions, the rule of frontiers.h says
//   1. for an edge b -> u: lo(u) <= the first position in S(b) + succ(b), if that is before u;
//   2. for a back edge b -> h: lo(u) <= h for every u in S(b).
// Where work-items leave b together, only S(b) counts in 1. (Two members of S(b) add nothing: lo(u) <= b is
// before both.) Both use only positions before u, so one walk in order finds all. For 2, the positions from h
// to b become one range as soon as b is passed; lo(u) is the start of the range that contains the position
// from 1.
#include "passes/analysis/frontiers.h"

#include <algorithm>
#include <bit>

#include "passes/analysis/block_orders.h"

namespace kc {
namespace {

// A number per position, initially infinite; finds the first position after another with a small number.
class FirstSmall {
 public:
  explicit FirstSmall(uint32_t n) : leaves_(std::bit_ceil(std::max(n, 1u))), least_(2 * leaves_, kNone) {}
  void set(uint32_t place, uint32_t number) {
    uint32_t i = leaves_ + place;
    for (least_[i] = number; i > 1; i /= 2) least_[i / 2] = std::min(least_[i], least_[i ^ 1]);
  }
  /// The first position after `after` whose number is at most `limit`, or kNone.
  uint32_t find(uint32_t after, uint32_t limit) const {
    uint32_t i = leaves_ + after;
    // Up until a subtree to the right contains one, then down to its first.
    for (;; i /= 2) {
      if (i == 1) return kNone;
      if (i % 2 == 0 && least_[i + 1] <= limit) break;
    }
    for (++i; i < leaves_;) i = least_[2 * i] <= limit ? 2 * i : 2 * i + 1;
    return i - leaves_;
  }

 private:
  uint32_t leaves_;
  std::vector<uint32_t> least_;
};

// Ranges of positions merged by back edges.
class Ranges {
 public:
  explicit Ranges(uint32_t n) : down_(n) {
    for (uint32_t i = 0; i < n; ++i) down_[i] = i;
  }
  uint32_t begin_of(uint32_t place) {
    while (down_[place] != place) place = down_[place] = down_[down_[place]];
    return place;
  }
  void join(uint32_t first, uint32_t last) {
    for (uint32_t at = begin_of(last); at > first; at = begin_of(at)) down_[at] = at - 1;
  }

 private:
  std::vector<uint32_t> down_;
};

// The graph without the exits from barriers in cycles; it orders blocks. Additional nodes: one root, and for
// each outermost cycle with a barrier a node before its exits.
struct BarrierGraph {
  SuccessorLists succs;
  uint32_t root = 0;

  BarrierGraph(const SuccessorLists& original, const Cycles& cycles, const std::vector<uint32_t>& plain,
               const std::vector<bool>& barrier)
      : succs(original), root(static_cast<uint32_t>(original.size())) {
    succs.emplace_back();
    succs[root].push_back(plain[0]);
    std::vector<uint32_t> end_of(cycles.cycles.size(), kNone);
    std::vector<bool> starts(original.size(), false);
    for (uint32_t b : plain) {
      if (!barrier[b] || cycles.innermost[b] == kNone) continue;
      uint32_t outer = cycles.innermost[b];
      while (cycles.cycles[outer].parent != kNone) outer = cycles.cycles[outer].parent;
      if (end_of[outer] == kNone) {
        end_of[outer] = static_cast<uint32_t>(succs.size());
        succs.push_back(cycles.cycles[outer].exits);
      }
      for (uint32_t s : original[b])
        if (cycles.contains(outer, s)) starts[s] = true;
      succs[b] = {end_of[outer]};
    }
    for (uint32_t b : plain)
      if (starts[b]) succs[root].push_back(b);
  }
};

std::vector<bool> barrier_blocks(const Function& f) {
  std::vector<bool> barrier(f.block_count(), false);
  for (BlockId b : f.layout)
    barrier[b.index] =
        std::ranges::any_of(f.block(b).insts, [&](InstId i) { return f.inst(i).op == Op::barrier; });
  return barrier;
}

}  // namespace

std::vector<uint32_t> priority_order(const SuccessorLists& succs, uint32_t entry,
                                     const std::vector<bool>& barrier) {
  Cycles cycles(succs, entry);
  std::vector<uint32_t> plain = cycle_contiguous_order(succs, entry, cycles);
  bool in_cycle =
      std::ranges::any_of(plain, [&](uint32_t b) { return barrier[b] && cycles.innermost[b] != kNone; });
  if (!in_cycle) return plain;
  BarrierGraph graph(succs, cycles, plain, barrier);
  std::vector<uint32_t> order =
      cycle_contiguous_order(graph.succs, graph.root, Cycles(graph.succs, graph.root));
  std::erase_if(order, [&](uint32_t n) { return n >= succs.size(); });
  return order;
}

Frontiers::Frontiers(const SuccessorLists& succs, std::vector<uint32_t> priority,
                     const std::vector<bool>& divergent)
    : order(std::move(priority)),
      position(succs.size(), kNone),
      since(succs.size(), kNone),
      top(succs.size(), kNone) {
  const auto n = static_cast<uint32_t>(order.size());
  for (uint32_t i = 0; i < n; ++i) position[order[i]] = i;
  std::vector<uint32_t> first_succ(n, kNone);  // by position
  std::vector<std::vector<uint32_t>> preds(n);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t s : succs[order[i]]) {
      first_succ[i] = std::min(first_succ[i], position[s]);
      preds[position[s]].push_back(i);
    }
  FirstSmall waiting(n);
  Ranges ranges(n);
  for (uint32_t u = 0; u < n; ++u) {
    if (u > 0 && first_succ[u - 1] < u) ranges.join(first_succ[u - 1], u - 1);
    uint32_t lo = u;
    for (uint32_t b : preds[u]) {
      if (divergent.empty() || divergent[order[b]]) lo = std::min(lo, first_succ[b]);
      if (b < u) lo = std::min(lo, waiting.find(b, b));
    }
    if (lo < u) {
      lo = ranges.begin_of(lo);
      waiting.set(u, lo);
    }
    since[order[u]] = lo;
  }
  for (uint32_t i = 0; i < n; ++i)
    if (uint32_t w = waiting.find(i, i); w != kNone) top[order[i]] = order[w];
}

Frontiers::Frontiers(const Function& f)
    : Frontiers(successor_lists(f, Cfg(f)),
                priority_order(successor_lists(f, Cfg(f)), f.entry().index, barrier_blocks(f))) {}

std::vector<uint32_t> Frontiers::frontier(uint32_t b) const {
  std::vector<uint32_t> nodes;
  for (uint32_t i = position[b] + 1; i < order.size(); ++i)
    if (since[order[i]] <= position[b]) nodes.push_back(order[i]);
  return nodes;
}

}  // namespace kc
