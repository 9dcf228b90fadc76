// SPDX-License-Identifier: Apache-2.0
// Nodes are taken in a given order. An edge is open until both its ends are taken. The tree holds the taken
// nodes with open edges; work-items that diverge at a node wait below it, and its whole subtree can run
// before they reconverge. A divergent node is armed when one of its edges is closed and another is open.
// Before a node is taken where work-items from armed nodes arrive, all other open edges from the subtrees of
// those are redirected through a new flow node; so are those from the subtree of the target of a back edge.
//
//   A -> B, C; B -> D; C -> D   in the order A C B D     A -> C, F; C -> F; F -> B, D; B -> D
#include "passes/restructure/open_tree.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "passes/restructure/latches.h"

namespace kc {
namespace {

class OpenTree {
 public:
  OpenTree(const SuccessorLists& succs, const Cycles& cycles, std::vector<uint32_t> order,
           const std::vector<bool>& divergent)
      : divergent_(divergent), original_(static_cast<uint32_t>(succs.size())), order_(std::move(order)) {
    plan_.nodes.resize(original_);
    for (uint32_t n : order_) plan_.nodes[n].succs = succs[n];
    latches_ = add_latches(plan_, order_, cycles, LatchedEdges::ToHeaders);
    for (uint32_t n = 0; n < original_; ++n) plan_.nodes[n].goals = plan_.nodes[n].succs;
    for (const auto& node : plan_.nodes) add_edges(node.succs.size());
    for (uint32_t n = 0; n < plan_.nodes.size(); ++n)
      for (uint32_t s : plan_.nodes[n].succs) {
        preds_[s].push_back(n);
        ++open_[n], ++open_[s];
      }
  }

  std::optional<ReconvergePlan> run(uint32_t entry) {
    for (uint32_t b : order_) {
      arrive(b);
      add(b);
      return_from(b);
      if (work_ > kMostWork) return std::nullopt;
    }
    if (!finish(entry)) return std::nullopt;
    return std::move(plan_);
  }

 private:
  static constexpr uint64_t kMostWork = 200'000'000;  // nodes visited

  uint32_t add_flow(const std::vector<uint32_t>& succs) {
    const auto n = static_cast<uint32_t>(plan_.nodes.size());
    add_edges(succs.size());
    plan_.nodes.push_back({.kind = ReconvergePlan::Flow, .succs = succs, .goals = {}});
    return n;
  }
  // Per-node data of the next node.
  void add_edges(size_t successors) {
    closed_.emplace_back(successors, 0);
    preds_.emplace_back(), children_.emplace_back();
    parent_.push_back(kNone), level_.push_back(0), place_.push_back(kNone), open_.push_back(0);
    seen_.push_back(0);
  }

  bool taken(uint32_t n) const { return place_[n] != kNone; }
  bool is_flow(uint32_t n) const { return plan_.nodes[n].kind == ReconvergePlan::Flow; }
  bool parts(uint32_t n) const { return n < original_ ? divergent_[n] : is_flow(n); }
  bool armed(uint32_t n) const {
    return parts(n) && std::ranges::count(closed_[n], 1) > 0 && std::ranges::count(closed_[n], 0) > 0;
  }

  /// The nodes of these subtrees, roots included, in the order in which they were taken.
  std::vector<uint32_t> subtrees(const std::vector<uint32_t>& roots) {
    ++epoch_;
    std::vector<uint32_t> nodes;
    auto enter = [&](uint32_t n) {
      if (std::exchange(seen_[n], epoch_) != epoch_) nodes.push_back(n);
    };
    for (uint32_t n : roots) enter(n);
    for (size_t i = 0; i < nodes.size(); ++i)
      for (uint32_t c : children_[nodes[i]]) enter(c);
    work_ += nodes.size();
    std::ranges::sort(nodes, {}, [&](uint32_t n) { return place_[n]; });
    return nodes;
  }

  template <typename Visit>
  void each_open(const std::vector<uint32_t>& nodes, Visit visit) const {
    for (uint32_t u : nodes)
      for (size_t k = 0; k < closed_[u].size(); ++k)
        if (!closed_[u][k]) visit(u, plan_.nodes[u].succs[k]);
  }

  // Work-items that wait at armed nodes for b wait for all others from there.
  void arrive(uint32_t b) {
    std::vector<uint32_t> from;
    for (uint32_t p : preds_[b])
      if (taken(p) && armed(p) && leads_to(p, b)) from.push_back(p);
    const auto nodes = subtrees(from);
    bool bypass = false;
    each_open(nodes, [&](uint32_t, uint32_t to) { bypass |= to != b; });
    if (bypass) reroute(nodes);
  }
  bool leads_to(uint32_t p, uint32_t b) const {
    for (size_t k = 0; k < closed_[p].size(); ++k)
      if (!closed_[p][k] && plan_.nodes[p].succs[k] == b) return true;
    return false;
  }

  // Edges from b to nodes taken earlier.
  void return_from(uint32_t b) {
    std::vector<uint32_t> to;
    for (uint32_t s : plan_.nodes[b].succs)
      if (taken(s) && std::ranges::find(to, s) == to.end()) to.push_back(s);
    if (to.empty()) return;
    const auto nodes = subtrees(to);
    for (size_t k = 0; k < closed_[b].size(); ++k)
      if (taken(plan_.nodes[b].succs[k])) close(b, k);
    uint32_t target = kNone, roots = 0;
    bool several = false;
    each_open(nodes, [&](uint32_t, uint32_t t) {
      several |= target != kNone && target != t;
      target = t;
    });
    for (uint32_t s : to) roots += has_open_below(s) && is_root(s, to);
    if (several || roots > 1) reroute(nodes);
    to.push_back(b);
    drop_closed(to);
  }
  bool has_open_below(uint32_t root) {
    bool any = false;
    each_open(subtrees({root}), [&](uint32_t, uint32_t) { any = true; });
    return any;
  }
  bool is_root(uint32_t n, const std::vector<uint32_t>& among) const {
    for (uint32_t p = parent_[n]; p != kNone; p = parent_[p])
      if (std::ranges::find(among, p) != among.end()) return false;
    return true;
  }

  void close(uint32_t n, size_t k) {
    if (closed_[n][k]) return;
    closed_[n][k] = 1;
    uint32_t to = plan_.nodes[n].succs[k];
    --open_[n], --open_[to];
    // The first edge of a flow node is the one that was closed first.
    if (is_flow(n) && k > 0 &&
        !std::ranges::count(closed_[n].begin(), closed_[n].begin() + static_cast<ptrdiff_t>(k), 1)) {
      std::swap(plan_.nodes[n].succs[0], plan_.nodes[n].succs[k]);
      std::swap(closed_[n][0], closed_[n][k]);
    }
  }

  void attach(uint32_t n, uint32_t parent) {
    if (parent_[n] != kNone) std::erase(children_[parent_[n]], n);
    parent_[n] = parent;
    if (parent != kNone) children_[parent].push_back(n);
  }

  // Adds b below all its predecessors, which become one path for that.
  void add(uint32_t b) {
    place_[b] = static_cast<uint32_t>(plan_.order.size());
    plan_.order.push_back(b);
    std::vector<uint32_t> from;
    for (uint32_t p : preds_[b])
      if (taken(p) && p != b && leads_to(p, b) && std::ranges::find(from, p) == from.end()) from.push_back(p);
    attach(b, from.empty() ? kNone : row_of(from));
    for (uint32_t p : from)
      for (size_t k = 0; k < closed_[p].size(); ++k)
        if (plan_.nodes[p].succs[k] == b) close(p, k);
    drop_closed(from);
  }

  // Merges the paths from the nearest common ancestor to these nodes into one; returns its last node.
  uint32_t row_of(const std::vector<uint32_t>& from) {
    std::vector<uint32_t> row;
    ++epoch_;
    const uint32_t top = common_ancestor(from);
    for (uint32_t p : from) {
      const size_t first = row.size();
      uint32_t n = p;
      for (; n != top && std::exchange(seen_[n], epoch_) != epoch_; n = parent_[n]) row.push_back(n);
      uint32_t level = n == top ? 0 : level_[n];
      for (size_t i = row.size(); i-- > first;) level_[row[i]] = ++level;
    }
    work_ += row.size();
    if (row.empty()) return top;
    auto leaf = [&](uint32_t n) {
      return std::ranges::none_of(children_[n], [&](uint32_t c) { return seen_[c] == epoch_; });
    };
    std::vector<std::tuple<bool, uint32_t, uint32_t, uint32_t>> keys;
    for (uint32_t n : row) keys.push_back({leaf(n), level_[n], place_[n], n});
    std::ranges::sort(keys);
    uint32_t above = top;
    for (const auto& key : keys) {
      attach(std::get<3>(key), above);
      above = std::get<3>(key);
    }
    return above;
  }
  uint32_t depth(uint32_t n) {
    uint32_t d = 0;
    for (; parent_[n] != kNone; n = parent_[n]) ++d;
    work_ += d;
    return d;
  }
  uint32_t common_ancestor(const std::vector<uint32_t>& from) {
    uint32_t a = from[0];
    for (uint32_t b : from) {
      uint32_t da = depth(a), db = depth(b);
      for (; da > db; --da) a = parent_[a];
      for (; db > da; --db) b = parent_[b];
      while (a != b) a = parent_[a], b = parent_[b];
      if (a == kNone) break;
    }
    return a;
  }

  // Nodes without open edges leave the tree; their children move up.
  void drop_closed(const std::vector<uint32_t>& nodes) {
    for (uint32_t n : nodes) {
      if (open_[n] > 0) continue;
      const std::vector<uint32_t> below = children_[n];
      for (uint32_t c : below) attach(c, parent_[n]);
      attach(n, kNone);
    }
  }

  // Redirects all open edges of the nodes through one new flow node.
  void reroute(const std::vector<uint32_t>& nodes) {
    std::vector<uint32_t> targets;
    each_open(nodes, [&](uint32_t, uint32_t to) {
      if (std::ranges::find(targets, to) == targets.end()) targets.push_back(to);
    });
    const uint32_t flow = add_flow(targets);
    for (uint32_t t : targets) preds_[t].push_back(flow), ++open_[flow], ++open_[t];
    for (uint32_t u : nodes) {
      auto& succs = plan_.nodes[u].succs;
      bool any = false;
      for (size_t k = 0; k < succs.size(); ++k) {
        if (closed_[u][k]) continue;
        --open_[succs[k]], ++open_[flow];
        succs[k] = flow;
        any = true;
      }
      if (any) preds_[flow].push_back(u);
      if (any && is_flow(u)) forward_rest(u, flow);
    }
    add(flow);
  }
  // A flow node keeps its first edge; one edge stands for the others.
  void forward_rest(uint32_t u, uint32_t flow) {
    auto& succs = plan_.nodes[u].succs;
    const auto extra = static_cast<uint32_t>(std::ranges::count(succs, flow)) - 1;
    open_[u] -= extra, open_[flow] -= extra;
    succs.erase(std::ranges::remove(succs, flow).begin(), succs.end());
    succs.push_back(flow);
    closed_[u].assign(succs.size(), 1);
    closed_[u].back() = 0;
  }

  // Removes flow nodes with one successor: they only merge edges, which the target can do as well. False if a
  // flow node has more than two successors.
  bool finish(uint32_t entry) {
    std::vector<uint32_t> instead(plan_.nodes.size(), kNone);
    for (auto n = static_cast<uint32_t>(plan_.nodes.size()); n-- > original_;) {
      if (!is_flow(n)) continue;
      auto& succs = plan_.nodes[n].succs;
      for (uint32_t& s : succs)
        if (instead[s] != kNone) s = instead[s];
      if (std::ranges::count(succs, succs[0]) == static_cast<ptrdiff_t>(succs.size())) instead[n] = succs[0];
    }
    for (uint32_t n = 0; n < original_; ++n)
      for (uint32_t& s : plan_.nodes[n].succs)
        if (instead[s] != kNone) s = instead[s];
    std::erase_if(plan_.order, [&](uint32_t n) { return instead[n] != kNone; });
    drop_latches(plan_, latches_, divergent_);
    auto first = std::ranges::find(plan_.order, entry);
    std::rotate(plan_.order.begin(), first, first + 1);
    auto flow = [&](uint32_t n) { return is_flow(n); };
    plan_.flow_nodes = static_cast<uint32_t>(std::ranges::count_if(plan_.order, flow));
    return std::ranges::all_of(plan_.order,
                               [&](uint32_t n) { return !is_flow(n) || plan_.nodes[n].succs.size() == 2; });
  }

  const std::vector<bool>& divergent_;
  const uint32_t original_;
  ReconvergePlan plan_;
  std::vector<uint32_t> order_, latches_;
  std::vector<std::vector<char>> closed_;                // by node and index of its successor
  std::vector<std::vector<uint32_t>> preds_, children_;  // present or former predecessors of a node; the tree
  std::vector<uint32_t> parent_, place_, open_;          // open_: edges, by source and target
  std::vector<uint32_t> level_;                          // depth below the nearest common ancestor
  std::vector<uint32_t> seen_;
  uint32_t epoch_ = 0;
  uint64_t work_ = 0;
};

}  // namespace

std::vector<uint32_t> branches_backward(const SuccessorLists& succs, const Cycles& cycles,
                                        const std::vector<uint32_t>& order,
                                        const std::vector<bool>& divergent) {
  std::vector<uint32_t> position(succs.size(), 0), list;
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  for (uint32_t n : order) {
    auto backward = [&](uint32_t s) { return position[s] <= position[n] && !cycles.leads_to_header(n, s); };
    if (divergent[n] && succs[n].size() > 1 && std::ranges::all_of(succs[n], backward)) list.push_back(n);
  }
  return list;
}

std::optional<ReconvergePlan> plan_by_open_tree(const SuccessorLists& succs, uint32_t entry,
                                                const Cycles& cycles, std::vector<uint32_t> order,
                                                const std::vector<bool>& divergent) {
  return OpenTree(succs, cycles, std::move(order), divergent).run(entry);
}

}  // namespace kc
