// SPDX-License-Identifier: Apache-2.0
// Headers are visited in reverse depth-first preorder, so inner cycles are found before outer ones. Each
// cycle grows backwards from its back edges; cycles found before are collapsed to one node, entered by their
// entries. (The nest of Havlak's algorithm, extended to irreducible cycles as LLVM documents them.)
#include "passes/analysis/cycles.h"

#include <algorithm>

namespace kc {
namespace {

// Depth-first preorder; the descendants of n are numbered [pre[n], end[n]).
struct Preorder {
  std::vector<uint32_t> pre, end, order;
  Preorder(const SuccessorLists& succs, uint32_t root) : pre(succs.size(), kNone), end(succs.size(), 0) {
    std::vector<std::pair<uint32_t, size_t>> stack;
    stack.reserve(succs.size());
    order.reserve(succs.size());
    auto enter = [&](uint32_t n) {
      pre[n] = static_cast<uint32_t>(order.size());
      order.push_back(n);
      stack.push_back({n, 0});
    };
    enter(root);
    while (!stack.empty()) {
      uint32_t n = stack.back().first;
      size_t& next = stack.back().second;
      if (next == succs[n].size()) {
        end[n] = static_cast<uint32_t>(order.size());
        stack.pop_back();
      } else if (uint32_t s = succs[n][next++]; pre[s] == kNone) {
        enter(s);
      }
    }
  }
  bool reached(uint32_t n) const { return pre[n] != kNone; }
  bool within(uint32_t root, uint32_t n) const {
    return reached(n) && pre[root] <= pre[n] && pre[n] < end[root];
  }
};

// Finds cycles, inner before outer, and sets their parents.
struct CycleFinder {
  const SuccessorLists& succs;
  Preorder dfs;
  Lists<uint32_t> preds;
  std::vector<Cycle> found;
  std::vector<uint32_t> innermost;
  std::vector<uint32_t> work;
  std::vector<uint32_t> top;  // next cycle towards the outermost one found so far, with path compression

  CycleFinder(const SuccessorLists& lists, uint32_t entry)
      : succs(lists),
        dfs(lists, entry),
        preds(lists.size(),
              [&](auto add) {
                for (uint32_t n : dfs.order)
                  for (uint32_t s : succs[n]) add(s, n);
              }),
        innermost(lists.size(), kNone) {
    for (size_t i = dfs.order.size(); i-- > 0;) try_header(dfs.order[i]);
  }

  uint32_t outermost(uint32_t c) {
    while (top[c] != c) c = top[c] = top[top[c]];
    return c;
  }

  void try_header(uint32_t header) {
    work.clear();
    for (uint32_t p : preds[header])
      if (dfs.within(header, p)) work.push_back(p);
    if (work.empty()) return;
    auto c = static_cast<uint32_t>(found.size());
    found.push_back({.header = header, .entries = {header}});
    top.push_back(c);
    innermost[header] = c;
    auto scan = [&](uint32_t n) {
      bool entered = false;
      for (uint32_t p : preds[n])
        if (dfs.within(header, p))
          work.push_back(p);
        else
          entered = true;
      if (entered) found[c].entries.push_back(n);
    };
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      uint32_t inner = innermost[n] == kNone ? kNone : outermost(innermost[n]);
      if (inner == c) continue;
      if (inner == kNone) {
        innermost[n] = c;
        scan(n);
      } else {
        found[inner].parent = c;
        top[inner] = c;
        for (uint32_t e : found[inner].entries) scan(e);
      }
    }
  }
};

}  // namespace

SuccessorLists successor_lists(const Function& f, const Cfg& cfg) {
  SuccessorLists succs(f.block_count());
  for (BlockId b : cfg.rpo) {
    const auto targets = f.successors(b);
    succs[b.index].reserve(targets.size());
    for (const Target& t : targets) succs[b.index].push_back(t.block.index);
  }
  return succs;
}

Cycles::Cycles(const Function& f, const Cfg& cfg) : Cycles(successor_lists(f, cfg), f.entry().index) {}

Cycles::Cycles(const SuccessorLists& succs, uint32_t entry) {
  CycleFinder finder(succs, entry);
  const auto count = static_cast<uint32_t>(finder.found.size());
  // Renumber so that a cycle is followed by its inner cycles. Cycles found later come earlier in preorder.
  std::vector<NodeList> children(count);
  std::vector<uint32_t> stack, number(count);
  for (uint32_t c = 0; c < count; ++c)
    if (uint32_t p = finder.found[c].parent; p != kNone)
      children[p].push_back(c);
    else
      stack.push_back(c);
  end_.resize(count);
  while (!stack.empty()) {
    uint32_t c = stack.back();
    stack.pop_back();
    number[c] = static_cast<uint32_t>(cycles.size());
    cycles.push_back(std::move(finder.found[c]));
    Cycle& cycle = cycles.back();
    if (cycle.parent != kNone) {
      cycle.parent = number[cycle.parent];
      cycle.depth = cycles[cycle.parent].depth + 1;
    }
    for (uint32_t child : children[c]) stack.push_back(child);
  }
  for (uint32_t c = count; c-- > 0;) {
    end_[c] = std::max(end_[c], c + 1);
    if (uint32_t p = cycles[c].parent; p != kNone) end_[p] = std::max(end_[p], end_[c]);
  }
  innermost = std::move(finder.innermost);
  for (uint32_t& c : innermost)
    if (c != kNone) c = number[c];

  // Group the nodes by innermost cycle; a cycle's range holds its own nodes and those of inner cycles.
  std::vector<uint32_t> start(count + 1, 0);
  for (uint32_t c : innermost)
    if (c != kNone) ++start[c + 1];
  for (uint32_t c = 0; c < count; ++c) start[c + 1] += start[c];
  first_.assign(start.begin(), start.end() - 1);
  for (uint32_t c = 0; c < count; ++c) count_.push_back(start[end_[c]] - start[c]);
  members_.resize(start[count]);
  for (uint32_t n : finder.dfs.order)
    if (innermost[n] != kNone) members_[start[innermost[n]]++] = n;

  for (uint32_t n : finder.dfs.order)
    for (uint32_t s : succs[n])
      for (uint32_t c = innermost[n]; c != kNone && !contains(c, s); c = cycles[c].parent)
        cycles[c].exits.push_back(s);
  for (Cycle& cycle : cycles) {
    std::sort(cycle.exits.begin(), cycle.exits.end());
    cycle.exits.erase(std::unique(cycle.exits.begin(), cycle.exits.end()), cycle.exits.end());
    std::sort(cycle.entries.begin() + 1, cycle.entries.end());
    cycle.entries.erase(std::unique(cycle.entries.begin() + 1, cycle.entries.end()), cycle.entries.end());
  }
}

uint32_t Cycles::smallest_with(uint32_t a, uint32_t b) const {
  uint32_t c = innermost[a];
  while (c != kNone && !contains(c, b)) c = cycles[c].parent;
  return c;
}

uint32_t Cycles::largest_between(uint32_t inside, uint32_t outside) const {
  uint32_t best = kNone;
  for (uint32_t c = innermost[inside]; c != kNone && !contains(c, outside); c = cycles[c].parent) best = c;
  return best;
}

bool Cycles::leads_to_header(uint32_t from, uint32_t to) const {
  if (std::max(from, to) >= innermost.size()) return false;
  const uint32_t c = innermost[to];
  return c != kNone && cycles[c].header == to && contains(c, from);
}

}  // namespace kc
