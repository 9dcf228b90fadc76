// SPDX-License-Identifier: Apache-2.0
// The graph that `structurize` works on: the blocks of a function, new branches among them, and single nodes
// that stand for whatever has been finished.
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
  /// All blocks must be reachable. Blocks without successors lead to a node `exit`, which is no block, and so
  /// does one block of each part of the graph that cannot be left.
  explicit StructureGraph(const Function& f);

  LoopTree tree;
  uint32_t entry = 0, exit = 0;

  /// The smallest loop with the node, or LoopTree::kNone.
  uint32_t home(uint32_t n) const { return nodes_[n].home; }
  std::span<const uint32_t> out(uint32_t n) const { return nodes_[n].out; }
  std::vector<uint32_t> incoming(uint32_t n) const;
  uint32_t in_degree(uint32_t n) const { return nodes_[n].in_degree; }
  uint32_t from(uint32_t e) const { return edges_[e].from; }
  uint32_t to(uint32_t e) const { return edges_[e].to; }
  size_t node_count() const { return nodes_.size(); }

  /// Leads the edges to one place: their target if they have one in common, else a new branch that sends them
  /// on.
  uint32_t gather(std::span<const uint32_t> edges, uint32_t home, std::string_view hint);
  /// A new branch: who comes by one of `first` goes on to `a`, who comes by one of `second` to `b`.
  uint32_t add_choice(std::span<const uint32_t> first, uint32_t a, std::span<const uint32_t> second,
                      uint32_t b, uint32_t home, std::string_view hint);
  uint32_t add_var(uint32_t ways);
  /// A new branch without edges yet: the first is for low <= variable <= high, the second for others.
  uint32_t add_test(uint32_t var, uint32_t low, uint32_t high, uint32_t home, std::string_view hint);
  void connect(uint32_t test, uint32_t yes, uint32_t no);
  void lead(uint32_t e, uint32_t to) { redirect(e, to); }
  void set(uint32_t e, uint32_t var, uint32_t value) { edges_[e].sets.push_back({var, value}); }
  /// A node that is none: who is led there comes to `to`.
  uint32_t add_alias(std::span<const uint32_t> edges, uint32_t to, uint32_t home);
  /// Another node with all that n stands for, and where n leads; the given edges lead to it from now on.
  /// Counts the blocks that it takes.
  uint32_t copy(uint32_t n, std::span<const uint32_t> edges, size_t& blocks);
  /// From now on the node is left by these edges.
  void leave_by(uint32_t n, std::vector<uint32_t> edges);
  /// What lies between n and `end` is finished: n is left by one edge, to `end`.
  void close_region(uint32_t n, uint32_t end);

  /// Marks for one search at a time.
  void begin_marks();
  bool mark(uint32_t n);  // false if n has a mark already

  /// The nodes reached from `roots` by edges for which follow(edge) holds; these must not make a cycle.
  template <typename Follow>
  std::vector<uint32_t> topological_order(std::span<const uint32_t> roots, Follow follow);

  /// Room at each node for the search that uses it.
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
    std::vector<uint32_t> slots{};  // of a block: the targets that it stands for
    std::vector<RestructurePlan::Setting> sets{};
  };
  enum class Kind : uint8_t { Block, Switch, Test, Alias, Exit };
  struct Node {
    Kind kind = Kind::Block;
    uint32_t block = LoopTree::kNone;  // of copies: the block
    uint32_t home = LoopTree::kNone, var = 0, low = 0, high = 0, in_degree = 0;
    std::string_view hint{};
    std::vector<uint32_t> out{}, in{};  // `in` may hold edges that have been led elsewhere
    std::vector<uint32_t> made{};  // edges as they will be written; of an alias the one to what it stands for
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
  std::vector<uint32_t> ways_;
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
      // The last successor is finished first and comes last: targets keep their order.
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

/// The branches of a region of StructureWalk: where the sides of one end at several places, a new branch
/// gathers them.
void nest_branches(StructureGraph& g, uint32_t from, uint32_t end);
/// Told of a branch whose sides end at several places: the edges there, side by side. It makes fewer places
/// of them, or gives up.
using SplitPlaces = std::function<bool(const std::vector<std::vector<uint32_t>>& ends, uint32_t exit)>;
/// The same by asking what is to become of such branches; false if that gave up.
bool split_branches(StructureGraph& g, uint32_t from, uint32_t end, const SplitPlaces& split);
/// Whether there is nothing to be gathered.
bool branches_nest(StructureGraph& g, uint32_t from, uint32_t end);

}  // namespace kc
