// SPDX-License-Identifier: Apache-2.0
// Nests the branches of an acyclic region: arms that end at several nodes get a new common branch.
#include <algorithm>

#include "passes/restructure/structure_graph.h"

namespace kc {
namespace {

class BranchNester {
 public:
  BranchNester(StructureGraph& graph, bool look_only, const SplitPlaces* split = nullptr)
      : g_(graph), look_only_(look_only), split_(split) {}

  /// False if the region is not nested and `this` only checks.
  bool nest(uint32_t from, uint32_t end) {
    std::vector<std::pair<uint32_t, uint32_t>> tasks{{from, end}};
    while (!tasks.empty()) {
      auto [n, exit] = tasks.back();
      tasks.pop_back();
      while (n != exit && n != kNone)
        n = g_.out(n).size() == 1 ? g_.to(g_.out(n)[0]) : branch(n, exit, tasks);
      if (n == kNone) return false;
    }
    return true;
  }

 private:
  // One arm of a branch: the nodes reached only through it.
  struct Walk {
    uint32_t first = 0;
    std::vector<uint32_t> open;    // edges to follow
    std::vector<uint32_t> passed;  // edges followed
  };

  // Returns the node after which the branch is done, and adds its arms to the tasks; kNone if there is none.
  uint32_t branch(uint32_t n, uint32_t exit, std::vector<std::pair<uint32_t, uint32_t>>& tasks) {
    epoch_ = g_.next_epoch();
    std::vector<Walk> walks;
    for (uint32_t e : g_.out(n)) walks.push_back({.first = e, .open = {e}, .passed = {}});
    // Arms are followed in turn, so the largest need not be followed if the others lead to the exit: then it
    // leads there, too.
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
    // The notes about arms are out of date by then.
    std::vector<size_t> empty;
    for (size_t k = 0; k < walks.size(); ++k)
      if (!within(k, g_.to(walks[k].first))) empty.push_back(k);
    if (split_ && std::ranges::any_of(ends, [&](uint32_t e) { return g_.to(e) != g_.to(ends[0]); })) {
      std::vector<std::vector<uint32_t>> by_side;
      for (size_t k = 0; k < walks.size(); ++k) {
        by_side.emplace_back();
        for (uint32_t e : walks[k].passed)
          if (!within(k, g_.to(e))) by_side.back().push_back(e);
      }
      return (*split_)(by_side, exit) ? n : kNone;
    }
    if (look_only_ && std::ranges::any_of(ends, [&](uint32_t e) { return g_.to(e) != g_.to(ends[0]); }))
      return kNone;
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
  const bool look_only_;
  const SplitPlaces* split_;
  uint32_t epoch_ = 0;
};

}  // namespace

void nest_branches(StructureGraph& g, uint32_t from, uint32_t end) { BranchNester(g, false).nest(from, end); }

bool split_branches(StructureGraph& g, uint32_t from, uint32_t end, const SplitPlaces& split) {
  return BranchNester(g, false, &split).nest(from, end);
}

bool branches_nest(StructureGraph& g, uint32_t from, uint32_t end) {
  return BranchNester(g, true).nest(from, end);
}

}  // namespace kc
