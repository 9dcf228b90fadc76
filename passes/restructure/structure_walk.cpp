// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/structure_walk.h"

#include <algorithm>
#include <map>

namespace kc {

// A loop that can stay: one exit edge leaves it from `last`; the other edge leads back, or to nodes from
// which all paths lead back.
struct StructureWalk::Round {
  uint32_t last = 0, leaves = kNone, stays = kNone;
  std::vector<uint32_t> repeat;
};

RestructurePlan StructureWalk::run() {
  // Inner loops before outer loops.
  for (uint32_t l = g_.tree.loops.size(); l-- > 0;) loop(l);
  regions(g_.entry, g_.exit);
  return g_.finish();
}

void StructureWalk::regions(uint32_t entry, uint32_t exit) {
  if (entry == exit) return;
  regions_among(std::span(&entry, 1), [&](uint32_t e) { return g_.from(e) != exit; });
}

void StructureWalk::regions_among(std::span<const uint32_t> entries,
                                  const std::function<bool(uint32_t)>& follow) {
  const std::vector<uint32_t> order = g_.topological_order(entries, follow);
  const auto count = static_cast<uint32_t>(order.size());
  // Node 0 is the predecessor of the entries; the last node is the target of all edges not followed.
  for (uint32_t i = 0; i < count; ++i) g_.note(order[i]).count = i + 1;
  SuccessorLists succs(count + 2);
  for (uint32_t n : entries) succs[0].push_back(g_.note(n).count);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t e : g_.out(order[i]))
      succs[i + 1].push_back(follow(e) ? g_.note(g_.to(e)).count : count + 1);
  for (uint32_t i = 1; i <= count; ++i)
    if (succs[i].empty()) succs[i].push_back(count + 1);
  AcyclicDominance dominance(succs);
  const std::vector<uint32_t> depth = depths(dominance, order);
  bool left_open = false;
  for (uint32_t i = count; i > 0; --i) {
    if (depth[i] == 0) continue;
    if (depth[i] > deepest_) {
      left_open = true;
      continue;
    }
    const uint32_t end = dominance.region_end(i);
    if (left_open && depth[i] == deepest_)
      flatten(order[i - 1], order[end - 1]);
    else
      nest(order[i - 1], order[end - 1]);
    g_.close_region(order[i - 1], order[end - 1]);
    left_open &= depth[i] != deepest_;
  }
}

// By position in the order, from 1: nesting depth of the regions and loops around the region that begins
// there, itself included; 0 if none begins there. The nodes of a region are contiguous.
std::vector<uint32_t> StructureWalk::depths(const AcyclicDominance& dominance,
                                            const std::vector<uint32_t>& order) const {
  const auto count = static_cast<uint32_t>(order.size());
  std::vector<uint32_t> depth(count + 1, 0), open;  // ends of open regions
  for (uint32_t i = 1; i <= count; ++i) {
    while (!open.empty() && open.back() <= i) open.pop_back();
    const uint32_t end = dominance.region_end(i);
    if (g_.out(order[i - 1]).size() < 2 || end == i || end == count + 1) continue;
    // A loop's first region is visited at any depth.
    uint32_t loops = 0;
    if (deepest_ != kNone)
      for (uint32_t l = g_.home(order[i - 1]); l != kNone && loops < deepest_; l = around(l)) ++loops;
    open.push_back(end);
    const auto within = static_cast<uint32_t>(open.size());
    depth[i] = within == 1 ? std::min(1 + loops, deepest_) : std::min(loops, deepest_ - 1) + within;
  }
  return depth;
}

StructureWalk::LoopEdges StructureWalk::edges_of(uint32_t l) {
  LoopEdges edges;
  for (uint32_t e : g_.tree.loops[l].entries)
    for (uint32_t in : g_.incoming(e)) {
      bool inside = g_.tree.encloses(l, g_.home(g_.from(in)));
      (inside ? edges.repeat : edges.entry).push_back(in);
    }
  for (uint32_t n : body(l))
    for (uint32_t out : g_.out(n))
      if (!g_.tree.encloses(l, g_.home(g_.to(out)))) edges.exit.push_back(out);
  return edges;
}

std::vector<uint32_t> StructureWalk::body(uint32_t l) {
  std::vector<uint32_t> nodes = g_.tree.loops[l].entries;
  g_.begin_marks();
  for (uint32_t n : nodes) g_.mark(n);
  for (size_t i = 0; i < nodes.size(); ++i)
    for (uint32_t out : g_.out(nodes[i])) {
      uint32_t to = g_.to(out);
      if (g_.tree.encloses(l, g_.home(to)) && g_.mark(to)) nodes.push_back(to);
    }
  return nodes;
}

// The loops with this header, if all can stay, from the innermost outwards: a loop with one exit block may
// contain others with the same header. Each ends at a node on all paths to the exit from which some paths
// turn back.
std::vector<StructureWalk::Round> StructureWalk::rounds(uint32_t l, uint32_t head, const LoopEdges& edges) {
  if (edges.exit.size() != 1) return {};
  auto inside = [&](uint32_t e) { return g_.to(e) != head && g_.tree.encloses(l, g_.home(g_.to(e))); };
  const std::vector<uint32_t> order = g_.topological_order(std::span(&head, 1), inside);
  const auto count = static_cast<uint32_t>(order.size());
  for (uint32_t i = 0; i < count; ++i) g_.note(order[i]).count = i;
  SuccessorLists succs(count + 1);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t e : g_.out(order[i])) succs[i].push_back(inside(e) ? g_.note(g_.to(e)).count : count);
  AcyclicDominance dominance(succs);
  const uint32_t last = g_.note(g_.from(edges.exit[0])).count;
  // By the position at or before `last` from which a back path branches off.
  std::map<uint32_t, Round> found;
  found[last].leaves = edges.exit[0];
  for (uint32_t e : edges.repeat)
    found[dominance.dominators.nearest_common(g_.note(g_.from(e)).count, last)].repeat.push_back(e);
  for (uint32_t below = last; below != 0; below = dominance.dominators.parent(below))
    if (auto it = found.find(dominance.dominators.parent(below)); it != found.end())
      for (uint32_t e : g_.out(order[it->first]))
        if (g_.to(e) == order[below] && g_.in_degree(order[below]) == 1) it->second.leaves = e;
  std::vector<Round> list;
  for (auto& [place, round] : found) {
    round.last = order[place];
    if (!complete(round, head, dominance.dominators)) return {};
    list.push_back(std::move(round));
  }
  return list;
}

// Finds the edge that stays in the loop; false if it does not lead exclusively to the sources of back edges.
bool StructureWalk::complete(Round& r, uint32_t head, const AncestorTree& dominators) {
  auto out = g_.out(r.last);
  if (out.size() != 2 || r.repeat.empty() || (r.leaves != out[0] && r.leaves != out[1])) return false;
  r.stays = r.leaves == out[0] ? out[1] : out[0];
  const uint32_t middle = g_.to(r.stays);
  if (middle == head) return r.repeat.size() == 1;
  return !tails_only_ && g_.in_degree(middle) == 1 && std::ranges::all_of(r.repeat, [&](uint32_t e) {
    return dominators.is_ancestor(g_.note(middle).count, g_.note(g_.from(e)).count);
  });
}

// Structures the parts before and after `last`; `first` is the header or the inner loop.
void StructureWalk::keep(const Round& r, uint32_t first, uint32_t head) {
  regions(first, r.last);
  const uint32_t middle = g_.to(r.stays);
  if (middle != head) regions(middle, g_.add_alias(r.repeat, head, g_.home(head)));
}

// From now on the loop is one node with one exit edge.
uint32_t StructureWalk::close(uint32_t around, uint32_t head, const std::vector<uint32_t>& entry,
                              uint32_t exit) {
  uint32_t node = g_.add_alias(entry, head, around);
  g_.leave_by(node, {exit});
  return node;
}

void StructureWalk::loop(uint32_t l) {
  LoopEdges edges = edges_of(l);
  join_entries(l, edges);
  const uint32_t head = g_.to(edges.entry[0]);
  std::vector<Round> parts;
  if (std::ranges::all_of(edges.entry, [&](uint32_t e) { return g_.to(e) == head; }))
    parts = rounds(l, head, edges);
  if (parts.empty()) {
    ClosedLoop closed = close_loop(l, edges);
    close(around(l), closed.head, edges.entry, closed.exit);
    return;
  }
  uint32_t first = head;
  for (const Round& r : parts) {
    keep(r, first, head);
    bool outermost = &r == &parts.back();
    first =
        close(outermost ? around(l) : l, head, outermost ? edges.entry : std::vector<uint32_t>(), r.leaves);
  }
}

}  // namespace kc
