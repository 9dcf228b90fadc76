// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/block_orders.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace kc {
namespace {

// Depth-first search that leaves a cycle only after visiting everything reachable from its exits. Cycles may
// nest deeply, so all share one explicit stack of nodes.
struct ContiguousOrder {
  const SuccessorLists& succs;
  const Cycles& cycles;
  std::vector<char> done;
  std::vector<uint32_t> order{};  // postorder
  struct Scope {
    uint32_t cycle;  // cycle being visited, or kNone
    size_t base;     // where its part of the stack begins
  };
  std::vector<Scope> scopes{};
  std::vector<uint32_t> stack{};

  void walk(uint32_t entry) {
    scopes.push_back({kNone, 0});
    stack.push_back(entry);
    while (!scopes.empty()) {
      Scope scope = scopes.back();
      if (stack.size() > scope.base) {
        step(scope.cycle);
        continue;
      }
      if (scope.cycle != kNone) order.push_back(cycles.cycles[scope.cycle].header);
      scopes.pop_back();
    }
  }

 private:
  uint32_t cycle_within(uint32_t scope, uint32_t n) const {
    uint32_t best = kNone;
    for (uint32_t c = cycles.innermost[n]; c != scope; c = cycles.cycles[c].parent) best = c;
    return best;
  }

  void step(uint32_t scope) {
    uint32_t n = stack.back();
    if (done[n]) {
      stack.pop_back();
      return;
    }
    uint32_t inner = cycle_within(scope, n);
    size_t before = stack.size();
    // The node pushed last finishes first and ends up last, so targets keep their order.
    for (uint32_t s : inner == kNone ? succs[n] : cycles.cycles[inner].exits)
      if (!done[s] && (scope == kNone || cycles.contains(scope, s))) stack.push_back(s);
    if (stack.size() != before) return;
    stack.pop_back();
    if (inner == kNone) {
      done[n] = 1;
      order.push_back(n);
      return;
    }
    scopes.push_back({inner, stack.size()});
    uint32_t header = cycles.cycles[inner].header;
    done[header] = 1;
    for (uint32_t s : succs[header])
      if (cycles.contains(inner, s)) stack.push_back(s);
  }
};

std::vector<std::vector<uint32_t>> predecessors(const SuccessorLists& succs,
                                                const std::vector<uint32_t>& reachable) {
  std::vector<std::vector<uint32_t>> preds(succs.size());
  for (uint32_t n : reachable)
    for (uint32_t s : succs[n]) preds[s].push_back(n);
  return preds;
}

// Immediate post-dominators by iterated intersection along the tree. `order` ends with the exit.
std::vector<uint32_t> immediate_post_dominators(const SuccessorLists& succs,
                                                const std::vector<uint32_t>& order) {
  std::vector<uint32_t> number(succs.size(), kNone), meets(succs.size(), kNone);
  // Post-order of the reversed graph: a node's number is smaller than those of its post-dominators.
  const auto preds = predecessors(succs, order);
  std::vector<uint32_t> finished;
  std::vector<std::pair<uint32_t, size_t>> stack{{order.back(), 0}};
  std::vector<char> seen(succs.size(), 0);
  seen[order.back()] = 1;
  while (!stack.empty()) {
    auto& [n, next] = stack.back();
    if (next == preds[n].size()) {
      number[n] = static_cast<uint32_t>(finished.size());
      finished.push_back(n);
      stack.pop_back();
    } else if (uint32_t p = preds[n][next++]; !seen[p]) {
      seen[p] = 1;
      stack.push_back({p, 0});
    }
  }
  meets[order.back()] = order.back();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = finished.size() - 1; i-- > 0;) {
      uint32_t common = kNone;
      for (uint32_t s : succs[finished[i]]) {
        if (meets[s] == kNone) continue;
        uint32_t other = s;
        if (common == kNone) common = s;
        while (common != other)
          (number[common] < number[other] ? common : other) =
              meets[number[common] < number[other] ? common : other];
      }
      changed |= std::exchange(meets[finished[i]], common) != common;
    }
  }
  return meets;
}

// With `meets`, a node where the arms of a branch join is delayed until the stack is back at the branch: it
// is on the stack below the arms.
std::vector<uint32_t> depth_first(const SuccessorLists& succs, uint32_t entry,
                                  const std::vector<uint32_t>& meets) {
  struct Item {
    uint32_t node;
    bool holds;  // this item delays the node
  };
  std::vector<uint32_t> order, held(succs.size(), 0);
  std::vector<char> taken(succs.size(), 0);
  std::vector<Item> stack{{entry, false}};
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    const uint32_t n = item.node;
    if (item.holds) --held[n];
    if (taken[n] || held[n] > 0) continue;
    taken[n] = 1;
    order.push_back(n);
    const size_t first = stack.size();
    for (uint32_t s : std::views::reverse(succs[n]))
      if (!taken[s]) stack.push_back({s, false});
    if (meets.empty() || succs[n].size() < 2) continue;
    for (size_t i = first; i < stack.size(); ++i) {
      const uint32_t s = stack[i].node;
      bool post_dominates = meets[n] == s;
      if (!post_dominates) continue;
      stack[i].holds = true;
      ++held[s];
      std::rotate(stack.begin() + static_cast<ptrdiff_t>(first), stack.begin() + static_cast<ptrdiff_t>(i),
                  stack.begin() + static_cast<ptrdiff_t>(i) + 1);
      break;
    }
  }
  return order;
}

std::vector<uint32_t> breadth_first(const SuccessorLists& succs, uint32_t entry,
                                    const std::vector<uint32_t>& reachable) {
  std::vector<uint32_t> order, missing(succs.size(), 0), found{entry};
  std::vector<char> known(succs.size(), 0), taken(succs.size(), 0);
  for (uint32_t n : reachable)
    for (uint32_t s : succs[n]) ++missing[s];
  known[entry] = 1;
  while (!found.empty()) {
    auto ready = [&](uint32_t n) { return missing[n] == 0 && !succs[n].empty(); };
    auto next = std::ranges::find_if(found, ready);
    if (next == found.end())
      next = std::ranges::find_if(found, [&](uint32_t n) { return !succs[n].empty(); });
    if (next == found.end()) next = found.begin();
    const uint32_t n = *next;
    found.erase(next);
    taken[n] = 1;
    order.push_back(n);
    for (uint32_t s : succs[n]) {
      --missing[s];
      if (!std::exchange(known[s], 1)) found.push_back(s);
    }
  }
  return order;
}

}  // namespace

std::vector<uint32_t> cycle_contiguous_order(const SuccessorLists& succs, uint32_t entry,
                                             const Cycles& cycles) {
  ContiguousOrder search{succs, cycles, std::vector<char>(succs.size(), 0)};
  search.walk(entry);
  std::reverse(search.order.begin(), search.order.end());
  return std::move(search.order);
}

std::vector<uint32_t> block_order(const SuccessorLists& succs, uint32_t entry, const Cycles& cycles,
                                  BlockOrder order) {
  std::vector<uint32_t> list = cycle_contiguous_order(succs, entry, cycles);
  // The exit may be found after a cycle's other exits; then it is not the last.
  auto exit = std::ranges::find_if(list, [&](uint32_t n) { return succs[n].empty(); });
  std::rotate(exit, exit + 1, list.end());
  if (order == BlockOrder::CycleContiguous) return list;
  if (order == BlockOrder::BreadthFirst) return breadth_first(succs, entry, list);
  std::vector<uint32_t> meets;
  if (order == BlockOrder::DepthFirstPostDominance) meets = immediate_post_dominators(succs, list);
  const uint32_t last = list.back();
  list = depth_first(succs, entry, meets);
  std::erase(list, last);
  list.push_back(last);
  return list;
}

}  // namespace kc
