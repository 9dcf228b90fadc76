// SPDX-License-Identifier: Apache-2.0
// The checker of structured graphs. It reduces the graph step by step and uses nothing of the passes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/cfg.h"
#include "passes/restructure/structurize.h"

namespace kc {
namespace {

class GraphReducer {
 public:
  /// Node 0 is the entry, all are reachable from it; nodes without successors lead to a virtual exit.
  explicit GraphReducer(const SuccessorLists& succs) : exit_(static_cast<uint32_t>(succs.size())) {
    succs_.resize(exit_ + 1);
    preds_.resize(exit_ + 1);
    for (uint32_t n = 0; n < exit_; ++n) {
      for (uint32_t s : succs[n]) connect(n, s);
      if (succs[n].empty()) connect(n, exit_);
    }
  }

  /// A node that blocks the reduction, or kNone.
  uint32_t run() {
    std::vector<uint32_t> work;
    for (uint32_t n = 0; n < exit_; ++n) work.push_back(n);
    std::vector<char> queued(exit_ + 1, 1);
    gone_.assign(exit_ + 1, 0);
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      queued[n] = 0;
      if (gone_[n] || n == exit_ || !step(n)) continue;
      auto again = [&](uint32_t m) {
        if (!queued[m] && !gone_[m]) queued[m] = 1, work.push_back(m);
      };
      // Only a single predecessor is affected.
      if (preds_[n].size() == 1) again(*preds_[n].begin());
      again(n);
    }
    for (uint32_t n = exit_; n-- > 1;)
      if (!gone_[n]) return n;
    return succs_[0].size() == 1 && succs_[0].contains(exit_) ? kNone : 0;
  }

 private:
  void connect(uint32_t from, uint32_t to) {
    succs_[from].insert(to);
    preds_[to].insert(from);
  }
  void disconnect(uint32_t from, uint32_t to) {
    succs_[from].erase(to);
    preds_[to].erase(from);
  }
  bool private_to(uint32_t m, uint32_t n) const { return m != n && preds_[m].size() == 1; }

  bool step(uint32_t n) { return tail_loop(n) || head_loop(n) || sequence(n) || branch(n); }

  bool tail_loop(uint32_t n) {
    if (!succs_[n].contains(n) || succs_[n].size() > 2) return false;
    disconnect(n, n);
    if (succs_[n].empty()) connect(n, exit_);  // endless loop
    return true;
  }

  bool head_loop(uint32_t n) {
    if (succs_[n].size() != 2) return false;
    for (uint32_t m : succs_[n])
      if (private_to(m, n) && succs_[m].size() == 1 && succs_[m].contains(n)) {
        remove(n, m);
        return true;
      }
    return false;
  }

  bool sequence(uint32_t n) {
    if (succs_[n].size() != 1) return false;
    uint32_t m = *succs_[n].begin();
    // The exit stays: endless loops may still be connected to it.
    if (m == exit_ || !private_to(m, n)) return false;
    const std::set<uint32_t> after = succs_[m];
    remove(n, m);
    for (uint32_t s : after) connect(n, s == m ? n : s);
    return true;
  }

  bool branch(uint32_t n) {
    if (succs_[n].size() < 2) return false;
    std::vector<uint32_t> sides, ends;
    for (uint32_t m : succs_[n]) {
      bool side = private_to(m, n) && succs_[m].size() == 1;
      if (side) sides.push_back(m);
      ends.push_back(side ? *succs_[m].begin() : m);
      if (ends.back() != ends.front() || ends.back() == n || (side && ends.back() == m)) return false;
    }
    for (uint32_t m : sides) remove(n, m);
    connect(n, ends.front());
    return true;
  }

  // Removes m, whose only predecessor is n, from the graph.
  void remove(uint32_t n, uint32_t m) {
    disconnect(n, m);
    for (uint32_t s : std::vector<uint32_t>(succs_[m].begin(), succs_[m].end())) disconnect(m, s);
    gone_[m] = 1;
  }

  const uint32_t exit_;
  std::vector<std::set<uint32_t>> succs_, preds_;
  std::vector<char> gone_;
};

}  // namespace

bool check_structured(const SuccessorLists& succs) {
  std::vector<uint32_t> order{0}, number(succs.size(), kNone);
  number[0] = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t s : succs[order[i]])
      if (number[s] == kNone) number[s] = static_cast<uint32_t>(order.size()), order.push_back(s);
  SuccessorLists reached(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t s : succs[order[i]]) reached[i].push_back(number[s]);
  return GraphReducer(reached).run() == kNone;
}

std::string check_structured(const Function& f) {
  Cfg cfg(f);
  SuccessorLists succs(cfg.rpo.size());
  for (uint32_t n = 0; n < succs.size(); ++n)
    for (const Target& t : f.successors(cfg.rpo[n])) succs[n].push_back(cfg.number[t.block.index]);
  uint32_t n = GraphReducer(succs).run();
  if (n == kNone) return {};
  return fmt::format("the graph is not structured at block {} of the reverse post-order", n);
}

}  // namespace kc
