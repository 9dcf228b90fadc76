// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/phi_webs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "ir/disjoint_sets.h"

namespace kc {
namespace {

constexpr uint32_t kEnd = 0xffffffffu;
constexpr size_t kWorthSearches = 8;  // a search for a value costs as much as a look at so many

// Joins values along edges. Two webs are apart if no value of one is alive where one of the other is defined;
// only pairs of which one dominates the other can be. In the order of a walk over the dominator tree, only
// the nearest dominating value must be looked at: what is alive at a definition is alive at all definitions
// between, and the values of one web are apart already (Boissinot and others, "Revisiting Out-of-SSA
// Translation", 2009).
class WebBuilder {
 public:
  WebBuilder(const Function& function, const Cfg& cfg, const DominatorTree& tree,
             const std::vector<bool>& group, PhiWebs::Parts parts)
      : f(function),
        cfg_(cfg),
        tree_(tree),
        group_(group),
        parts_(parts),
        def_(f.value_count()),
        may_join_(f.value_count()),
        joined_(f.value_count()),
        members_(f.value_count()),
        above_(f.value_count(), kNone) {}

  void run() {
    find_definitions();
    find_uses();
    find_live_in();
    for (BlockId b : cfg_.rpo) {
      BlockId last;  // to count several edges from one block once
      for (BlockId p : cfg_.preds[b.index]) {
        if (p == last) continue;
        last = p;
        for (const Target& t : f.successors(p))
          if (t.block == b) join_arguments(t);
      }
    }
  }

  uint32_t find(uint32_t v) { return joined_.root(v); }
  /// Only values with uses join webs.
  bool used(uint32_t v) const { return !uses_[v].empty(); }
  /// By block: the values live at its start, by ascending id; of Numbers, only those that may join webs.
  Lists<ValueId> take_live_in() { return std::move(live_in_); }

 private:
  // Instructions count from 1 in their block. Parameters are defined at 0, and kEnd is the end of the block.
  struct Place {
    BlockId block;
    uint32_t position = 0;
  };

  void find_definitions() {
    for (BlockId b : cfg_.rpo) {
      uint32_t position = 0;
      for (ValueId p : f.block(b).params) def_[p.index] = {b, 0}, may_join_[p.index] = true;
      for (InstId i : f.block(b).insts) {
        ++position;
        for (ValueId r : f.inst(i).results) def_[r.index] = {b, position};
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) may_join_[v.index] = true;
      }
    }
  }

  void find_uses() {
    uses_ = Lists<Place>(f.value_count(), [&](auto add) {
      for (BlockId b : cfg_.rpo) {
        uint32_t position = 0;
        for (InstId i : f.block(b).insts) {
          ++position;
          for (ValueId v : f.inst(i).operands)
            if (!f.is_inline(v)) add(v.index, {b, position});
          for (const Target& t : f.inst(i).targets)
            for (ValueId v : t.args)
              if (!f.is_inline(v)) add(v.index, {b, kEnd});
        }
      }
    });
  }

  // Walks backward from the uses to the definitions.
  void find_live_in() {
    struct LiveIn {
      ValueId value;
      BlockId block;
    };
    std::deque<LiveIn> found;  // millions in large functions: nothing is copied when it grows
    std::vector<uint32_t> reached(f.block_count(), kNone);  // by block: the value that reached it last
    std::vector<BlockId> work;
    for (uint32_t v = 0; v < f.value_count(); ++v) {
      if (!used(v) || (parts_ == PhiWebs::Numbers && !may_join_[v])) continue;
      const BlockId def = def_[v].block;
      if (f.value(ValueId(v)).kind == ValueKind::Param) found.push_back({ValueId(v), def});
      auto reach = [&](BlockId b) {
        if (b == def || std::exchange(reached[b.index], v) == v) return;
        found.push_back({ValueId(v), b});
        work.push_back(b);
      };
      for (const Place& u : uses_[v]) reach(u.block);
      while (!work.empty()) {
        const BlockId b = work.back();
        work.pop_back();
        for (BlockId p : cfg_.preds[b.index])
          if (cfg_.reachable(p)) reach(p);
      }
    }
    live_in_ = Lists<ValueId>(f.block_count(), [&](auto add) {
      for (const LiveIn& l : found) add(l.block.index, l.value);
    });
  }

  void join_arguments(const Target& t) {
    const auto& params = f.block(t.block).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const ValueId a = t.args[i], p = params[i];
      if (!f.is_inline(a) && used(a.index) && used(p.index) && group_[a.index] == group_[p.index])
        join(p.index, a.index);
    }
  }

  bool dominates(uint32_t u, uint32_t v) const {
    const Place &at_u = def_[u], &at_v = def_[v];
    if (at_u.block != at_v.block) return tree_.dominates(at_u.block, at_v.block);
    return at_u.position < at_v.position || (at_u.position == at_v.position && u <= v);
  }
  // Dominating values come before others.
  bool before(uint32_t u, uint32_t v) const {
    const uint32_t in_u = tree_.order(def_[u].block), in_v = tree_.order(def_[v].block);
    return in_u != in_v ? in_u < in_v : dominates(u, v);
  }
  // Whether u is alive after the definition of v, which it dominates.
  bool alive_at(uint32_t u, uint32_t v) const {
    const auto [block, position] = def_[v];
    const auto uses = uses_[u];
    const auto end = std::ranges::upper_bound(uses, cfg_.number[block.index], {},
                                              [&](const Place& p) { return cfg_.number[p.block.index]; });
    if (end != uses.begin() && (end - 1)->block == block && (end - 1)->position > position) return true;
    return std::ranges::any_of(f.successors(block), [&](const Target& t) {
      return t.block != def_[u].block && std::ranges::binary_search(live_in_[t.block.index], ValueId(u));
    });
  }

  // The values of a web, dominating ones before others.
  std::vector<uint32_t>& members(uint32_t leader) {
    std::vector<uint32_t>& list = members_[leader];
    if (list.empty()) list.push_back(leader);
    return list;
  }

  void join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (members(a).size() < members(b).size()) std::swap(a, b);
    std::vector<uint32_t>&into = members(a), &from = members(b);
    const bool few = from.size() * kWorthSearches < into.size();
    if (few ? !apart(into, from) : !merge(into, from)) return;
    if (few)
      for (uint32_t v : from) insert(into, v);
    joined_.join(a, b);
    from = {};
  }

  // The nearest value of the web that dominates v, or kNone. `at` is the first that does not come before v.
  uint32_t nearest(const std::vector<uint32_t>& web, std::vector<uint32_t>::const_iterator at,
                   uint32_t v) const {
    uint32_t u = at == web.begin() ? kNone : *(at - 1);
    while (u != kNone && !dominates(u, v)) u = above_[u];
    return u;
  }
  std::vector<uint32_t>::const_iterator place_in(const std::vector<uint32_t>& web, uint32_t v) const {
    return std::ranges::lower_bound(web, v, [&](uint32_t x, uint32_t y) { return before(x, y); });
  }

  // Whether a web and a few other values, themselves a web, are never alive together.
  bool apart(const std::vector<uint32_t>& web, const std::vector<uint32_t>& others) const {
    return std::ranges::all_of(others, [&](uint32_t v) {
      auto at = place_in(web, v);
      const uint32_t u = nearest(web, at, v);
      if (u != kNone && alive_at(u, v)) return false;
      for (; at != web.end() && dominates(v, *at); ++at)
        if (above_[*at] == u && alive_at(v, *at)) return false;
      return true;
    });
  }
  void insert(std::vector<uint32_t>& web, uint32_t v) {
    auto at = place_in(web, v);
    const uint32_t u = nearest(web, at, v);
    for (auto below = at; below != web.end() && dominates(v, *below); ++below)
      if (above_[*below] == u) above_[*below] = v;
    above_[v] = u;
    web.insert(at, v);
  }

  // Merges `other` into a web if they are apart.
  bool merge(std::vector<uint32_t>& web, const std::vector<uint32_t>& other) {
    merged_.clear(), path_.clear();
    for (size_t i = 0, j = 0; i < web.size() || j < other.size();) {
      const bool is_other = i == web.size() || (j < other.size() && before(other[j], web[i]));
      const uint32_t v = is_other ? other[j++] : web[i++];
      while (!path_.empty() && !dominates(path_.back().value, v)) path_.pop_back();
      const uint32_t u = path_.empty() ? kNone : path_.back().value;
      if (u != kNone && path_.back().is_other != is_other && alive_at(u, v)) return false;
      merged_.push_back({v, u});
      path_.push_back({v, is_other});
    }
    web.clear();
    for (const auto& [v, u] : merged_) web.push_back(v), above_[v] = u;
    return true;
  }

  const Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const std::vector<bool>& group_;
  const PhiWebs::Parts parts_;
  std::vector<Place> def_;      // by value
  std::vector<bool> may_join_;  // by value: parameters and arguments
  Lists<Place> uses_;           // by value, in reverse post-order
  Lists<ValueId> live_in_;      // by block
  DisjointSets joined_;
  std::vector<std::vector<uint32_t>> members_;  // by leading value; empty: it alone
  std::vector<uint32_t> above_;                 // by value: the nearest of its web that dominates it
  struct Merged {
    uint32_t value, above;
  };
  std::vector<Merged> merged_;
  struct OnPath {
    uint32_t value;
    bool is_other;
  };
  std::vector<OnPath> path_;  // down the dominator tree
};

}  // namespace

PhiWebs::PhiWebs(const Function& f, const Cfg& cfg, const DominatorTree& tree, const std::vector<bool>& group,
                 Parts parts)
    : web_(f.value_count(), kNone) {
  WebBuilder build(f, cfg, tree, group, parts);
  build.run();
  std::vector<uint32_t> number(f.value_count(), kNone);
  for (uint32_t v = 0; v < f.value_count(); ++v) {
    if (!build.used(v)) continue;
    uint32_t& n = number[build.find(v)];
    if (n == kNone) n = count_++;
    web_[v] = n;
  }
  if (parts == Numbers) return;
  members_ = Lists<ValueId>(count_, [&](auto add) {
    for (uint32_t v = 0; v < f.value_count(); ++v)
      if (web_[v] != kNone) add(web_[v], ValueId(v));
  });
  live_in_ = build.take_live_in();
}

bool PhiWebs::is_live_in(ValueId v, BlockId b) const {
  return std::ranges::binary_search(live_in_[b.index], v);
}

bool PhiWebs::is_live_in(uint32_t web, BlockId b) const {
  if (members(web).size() < live_in_[b.index].size() / kWorthSearches)
    return std::ranges::any_of(members(web), [&](ValueId v) { return is_live_in(v, b); });
  return std::ranges::any_of(live_in_[b.index], [&](ValueId v) { return of(v) == web; });
}

namespace {

class WebVariables {
 public:
  WebVariables(Function& function, const PhiWebs& webs, const std::vector<bool>& marked)
      : f(function), webs_(webs), marked_(marked), var_(webs.count()), params_(f.block_count()) {}

  void run() {
    const std::vector<BlockId> blocks = f.layout;
    for (BlockId b : blocks) params_[b.index] = f.block(b).params;
    for (BlockId b : blocks) rewrite(b);
    for (BlockId b : blocks)
      for (size_t k = b == f.entry() ? 0 : f.block(b).params.size(); k-- > 0;)
        if (is_marked(f.block(b).params[k])) f.remove_param(b, k);
  }

 private:
  bool is_marked(ValueId v) const { return webs_.of(v) != kNone && marked_[webs_.of(v)]; }
  VarId var(ValueId member) {
    VarId& var = var_[webs_.of(member)];
    if (!var.valid()) var = f.add_var("web", f.type(member));
    return var;
  }
  // An assignment to the variable that replaces a parameter.
  struct Write {
    VarId var;
    ValueId value;
  };

  void rewrite(BlockId b) {
    const auto old = std::move(f.block(b).insts);
    f.block(b).insts.clear();
    known_.clear();
    builder_.block = b;
    if (b == f.entry())
      for (ValueId p : params_[b.index])
        if (is_marked(p)) builder_.set(var(p), p), known_[p.index] = p;
    for (InstId i : old) {
      Inst& inst = f.inst(i);
      builder_.loc = inst.loc;
      for (ValueId& v : inst.operands) v = read(v);
      for (Target& t : inst.targets) pass(t, inst.targets.size() > 1);
      f.append(builder_.block, i);
      for (ValueId v : inst.results)
        if (is_marked(v)) builder_.set(var(v), v), known_[v.index] = v;
    }
  }

  ValueId read(ValueId v) {
    if (f.is_inline(v) || !is_marked(v)) return v;
    auto [it, fresh] = known_.try_emplace(v.index);
    if (fresh) it->second = builder_.get(var(v));
    return it->second;
  }

  // Turns arguments into writes; on an edge of a branch, in a block of its own.
  void pass(Target& t, bool branches) {
    const BlockId from = builder_.block;
    const auto& params = params_[t.block.index];
    auto writes_one = [&](size_t k) {
      return is_marked(params[k]) && (f.is_inline(t.args[k]) || webs_.of(t.args[k]) != webs_.of(params[k]));
    };
    bool writes = false;
    for (size_t k = 0; k < params.size(); ++k) writes |= writes_one(k);
    const bool split = writes && branches;
    std::map<uint32_t, ValueId> before;
    // The edge block has its own reads: it stays valid if its source is removed.
    if (split) known_.swap(before), builder_.block = f.add_block("edge");
    std::vector<ValueId> rest;
    std::vector<Write> list;
    for (size_t k = 0; k < params.size(); ++k) {
      if (writes_one(k)) list.push_back({var(params[k]), read(t.args[k])});
      if (!is_marked(params[k])) rest.push_back(read(t.args[k]));
    }
    for (const Write& w : list) builder_.set(w.var, w.value);
    t.args = std::move(rest);
    if (!split) return;
    known_ = std::move(before);
    builder_.br(t.block, std::move(t.args));
    t = {builder_.block, {}};
    builder_.block = from;
  }

  Function& f;
  const PhiWebs& webs_;
  const std::vector<bool>& marked_;
  Builder builder_{f};
  std::vector<VarId> var_;                    // by web
  std::vector<std::vector<ValueId>> params_;  // by block, before the change
  std::map<uint32_t, ValueId> known_;         // by value: its copy in the current block
};

}  // namespace

void webs_to_variables(Function& f, const PhiWebs& webs, const std::vector<bool>& marked) {
  WebVariables(f, webs, marked).run();
}

}  // namespace kc
