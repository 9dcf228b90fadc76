// SPDX-License-Identifier: Apache-2.0
// The branches of an acyclic region: where the sides of one end at several places, a new branch gathers them.
#include <algorithm>

#include "passes/regions.h"
#include "passes/structure_graph.h"

namespace kc {
namespace {

class BranchNester {
 public:
  explicit BranchNester(StructureGraph& graph) : g_(graph) {}

  void run(uint32_t entry, uint32_t exit) {
    if (entry == exit) return;
    std::vector<uint32_t> order = g_.topological_order(entry, [&](uint32_t e) { return g_.to(e) != exit; });
    order.push_back(exit);
    AcyclicDominance dominance(local_successors(order));
    for (size_t i = order.size() - 1; i-- > 0;) {
      if (g_.out(order[i]).size() < 2) continue;
      uint32_t end = dominance.region_end(static_cast<uint32_t>(i));
      if (end == i) continue;
      nest(order[i], order[end]);
      g_.close_region(order[i], order[end]);
    }
  }

 private:
  SuccessorLists local_successors(const std::vector<uint32_t>& order) {
    for (uint32_t i = 0; i < order.size(); ++i) g_.note(order[i]).count = i;
    SuccessorLists succs(order.size());
    for (uint32_t i = 0; i + 1 < order.size(); ++i)
      for (uint32_t e : g_.out(order[i])) succs[i].push_back(g_.note(g_.to(e)).count);
    return succs;
  }

  // One side of a branch: the nodes that are reached through it only.
  struct Walk {
    uint32_t first = 0;
    std::vector<uint32_t> open;    // edges to follow
    std::vector<uint32_t> passed;  // edges followed
  };

  void nest(uint32_t from, uint32_t end) {
    std::vector<std::pair<uint32_t, uint32_t>> tasks{{from, end}};
    while (!tasks.empty()) {
      auto [n, exit] = tasks.back();
      tasks.pop_back();
      while (n != exit) n = g_.out(n).size() == 1 ? g_.to(g_.out(n)[0]) : branch(n, exit, tasks);
    }
  }

  // Gives the node behind which the branch is done, and adds its sides to the tasks.
  uint32_t branch(uint32_t n, uint32_t exit, std::vector<std::pair<uint32_t, uint32_t>>& tasks) {
    epoch_ = g_.next_epoch();
    std::vector<Walk> walks;
    for (uint32_t e : g_.out(n)) walks.push_back({.first = e, .open = {e}, .passed = {}});
    // The sides take turns, so that the largest need not be followed when the others lead to the exit: then
    // it leads nowhere else.
    size_t largest = follow_all_but_one(walks, exit);
    bool to_exit = true;
    for (size_t k = 0; k < walks.size() && to_exit; ++k)
      if (k != largest)
        for (uint32_t e : walks[k].passed) to_exit &= g_.to(e) == exit || within(k, g_.to(e));
    if (to_exit) {
      add_tasks(walks, exit, tasks, largest);
      return g_.to(walks[largest].first);
    }
    while (!walks[largest].open.empty()) follow(walks[largest], largest, exit);
    std::vector<uint32_t> ends;
    for (size_t k = 0; k < walks.size(); ++k)
      for (uint32_t e : walks[k].passed)
        if (!within(k, g_.to(e))) ends.push_back(e);
    // Which nodes belong to a side is forgotten by then.
    std::vector<size_t> empty;
    for (size_t k = 0; k < walks.size(); ++k)
      if (!within(k, g_.to(walks[k].first))) empty.push_back(k);
    uint32_t join = g_.gather(ends, g_.home(n), "join");
    for (size_t k : empty) walks[k].passed.clear();
    for (const Walk& w : walks)
      if (!w.passed.empty()) tasks.push_back({g_.to(w.first), join});
    return join;
  }

  size_t follow_all_but_one(std::vector<Walk>& walks, uint32_t exit) {
    for (;;) {
      size_t unfinished = 0, last = walks.size() - 1;
      for (size_t k = 0; k < walks.size(); ++k)
        if (!walks[k].open.empty()) ++unfinished, last = k;
      if (unfinished <= 1) return last;
      for (size_t k = 0; k < walks.size(); ++k)
        if (!walks[k].open.empty()) follow(walks[k], k, exit);
    }
  }

  void follow(Walk& w, size_t k, uint32_t exit) {
    uint32_t e = w.open.back(), to = g_.to(e);
    w.open.pop_back();
    w.passed.push_back(e);
    if (to == exit) return;
    StructureGraph::Note& s = g_.note(to);
    if (s.epoch != epoch_) s = {.epoch = epoch_, .side = static_cast<uint32_t>(k), .count = 0};
    s.several |= s.side != k;
    if (++s.count == g_.in_degree(to) && !s.several)
      for (uint32_t out : g_.out(to)) w.open.push_back(out);
  }

  bool within(size_t k, uint32_t n) const {
    const StructureGraph::Note& s = g_.note(n);
    return s.epoch == epoch_ && s.side == k && !s.several && s.count == g_.in_degree(n);
  }

  void add_tasks(const std::vector<Walk>& walks, uint32_t exit,
                 std::vector<std::pair<uint32_t, uint32_t>>& tasks, size_t but) {
    for (size_t k = 0; k < walks.size(); ++k)
      if (k != but && within(k, g_.to(walks[k].first))) tasks.push_back({g_.to(walks[k].first), exit});
  }

  StructureGraph& g_;
  uint32_t epoch_ = 0;
};

}  // namespace

void restructure_region(StructureGraph& g, uint32_t entry, uint32_t exit) {
  BranchNester(g).run(entry, exit);
}

}  // namespace kc
