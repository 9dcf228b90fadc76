// SPDX-License-Identifier: Apache-2.0
// The graph that `structurize` works on: the blocks of a function, new branches, and single nodes that stand
// for finished regions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "passes/restructure/loop_tree.h"
#include "passes/restructure/restructure_plan.h"

namespace kc {

class StructureGraph {
 public:
  /// All blocks must be reachable. Blocks without successors lead to the node `exit`, which is no block, and
  /// so does one block of each part of the graph without an exit.
  explicit StructureGraph(const Function& f);

  LoopTree tree;
  uint32_t entry = 0, exit = 0;

  /// The innermost loop with the node, or kNone.
  uint32_t home(uint32_t n) const { return nodes_[n].home; }
  std::span<const uint32_t> out(uint32_t n) const { return nodes_[n].out; }
  std::vector<uint32_t> incoming(uint32_t n) const;
  uint32_t in_degree(uint32_t n) const { return nodes_[n].in_degree; }
  uint32_t from(uint32_t e) const { return edges_[e].from; }
  uint32_t to(uint32_t e) const { return edges_[e].to; }
  size_t node_count() const { return nodes_.size(); }

  /// Redirects the edges to one node: their common target if they have one, else a new branch to the targets.
  uint32_t gather(std::span<const uint32_t> edges, uint32_t home, std::string_view hint);
  /// A new branch: items that arrive by an edge of `first` go on to `a`, those of `second` to `b`.
  uint32_t add_choice(std::span<const uint32_t> first, uint32_t a, std::span<const uint32_t> second,
                      uint32_t b, uint32_t home, std::string_view hint);
  uint32_t add_var(uint32_t values);
  /// A new branch without edges yet: the first edge is taken if low <= variable <= high, else the second.
  uint32_t add_test(uint32_t var, uint32_t low, uint32_t high, uint32_t home, std::string_view hint);
  void connect(uint32_t test, uint32_t yes, uint32_t no);
  void lead(uint32_t e, uint32_t to) { redirect(e, to); }
  void set(uint32_t e, uint32_t var, uint32_t value) { edges_[e].sets.push_back({var, value}); }
  /// A pseudo node: edges to it lead to `to`.
  uint32_t add_alias(std::span<const uint32_t> edges, uint32_t to, uint32_t home);
  /// Copies n with everything it stands for and its edges out; the given edges are redirected to the copy.
  /// Adds the number of copied blocks to `blocks`.
  uint32_t copy(uint32_t n, std::span<const uint32_t> edges, size_t& blocks);
  /// Replaces the edges by which the node is left.
  void leave_by(uint32_t n, std::vector<uint32_t> edges);
  /// The region between n and `end` is finished: n gets one edge, to `end`.
  void close_region(uint32_t n, uint32_t end);

  /// Clears the marks; one search at a time uses them.
  void begin_marks();
  bool mark(uint32_t n);  // false if n is marked already

  /// The nodes reached from `roots` by edges for which follow(edge) holds; these must be acyclic.
  template <typename Follow>
  std::vector<uint32_t> topological_order(std::span<const uint32_t> roots, Follow follow);

  /// Scratch data per node for the current search.
  struct Note {
    uint32_t epoch = 0, side = 0, count = 0;
    bool several = false;
  };
  Note& note(uint32_t n) { return nodes_[n].note; }
  const Note& note(uint32_t n) const { return nodes_[n].note; }
  uint32_t next_epoch() { return ++note_epoch_; }

  RestructurePlan finish();

 private:
  struct Edge {
    uint32_t from = 0, to = 0;
    std::vector<uint32_t> slots{};  // of a block: the targets that this edge stands for
    std::vector<RestructurePlan::Setting> sets{};
  };
  enum class Kind : uint8_t { Block, Switch, Test, Alias, Exit };
  struct Node {
    Kind kind = Kind::Block;
    uint32_t block = kNone;  // of copies: the copied block
    uint32_t home = kNone, var = 0, low = 0, high = 0, in_degree = 0;
    std::string_view hint{};
    std::vector<uint32_t> out{}, in{};  // `in` may hold edges that were redirected
    std::vector<uint32_t> made{};       // edges as they are emitted; of an alias, the one to its target
    Note note{};
  };

  StructureGraph(const Function& f, const SuccessorLists& succs);
  bool is_block(uint32_t n) const { return nodes_[n].kind == Kind::Block; }
  bool is_real(uint32_t n) const { return nodes_[n].kind != Kind::Alias && nodes_[n].kind != Kind::Exit; }
  uint32_t add_node(Kind kind, uint32_t home, std::string_view hint);
  uint32_t add_edge(uint32_t from, uint32_t to);
  void redirect(uint32_t e, uint32_t to);
  RestructurePlan::Edge resolve(uint32_t e);
  uint32_t index_of(uint32_t n, std::vector<uint32_t>& list);

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> value_counts_;
  std::vector<uint32_t> marks_, places_;
  uint32_t epoch_ = 0, note_epoch_ = 0;
};

template <typename Follow>
std::vector<uint32_t> StructureGraph::topological_order(std::span<const uint32_t> roots, Follow follow) {
  std::vector<uint32_t> order;
  std::vector<std::pair<uint32_t, size_t>> stack;
  begin_marks();
  for (size_t k = roots.size(); k-- > 0;) {
    if (mark(roots[k])) stack.push_back({roots[k], 0});
    while (!stack.empty()) {
      auto [n, next] = stack.back();
      // The last successor is visited first and ends up last: targets keep their order.
      if (next == out(n).size()) {
        order.push_back(n);
        stack.pop_back();
        continue;
      }
      ++stack.back().second;
      uint32_t e = out(n)[out(n).size() - 1 - next];
      if (follow(e) && mark(to(e))) stack.push_back({to(e), 0});
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// Nests the branches of a region of StructureWalk: where the arms of a branch end at several nodes, the
/// edges there are redirected through a new branch.
void nest_branches(StructureGraph& g, uint32_t from, uint32_t end);
/// Called for a branch whose arms end at several nodes: the edges to these, by arm. It reduces the number of
/// those nodes, or gives up.
using SplitPlaces = std::function<bool(const std::vector<std::vector<uint32_t>>& ends, uint32_t exit)>;
/// The same with `split` deciding about such branches; false if it gave up.
bool split_branches(StructureGraph& g, uint32_t from, uint32_t end, const SplitPlaces& split);
/// Whether all branches are nested already.
bool branches_nest(StructureGraph& g, uint32_t from, uint32_t end);

}  // namespace kc
