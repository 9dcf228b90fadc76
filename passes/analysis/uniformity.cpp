// SPDX-License-Identifier: Apache-2.0
// Optimistic propagation: a value is uniform until a divergence source, a divergent operand, or a divergent
// branch is found. A divergent branch b makes values divergent at the joins of disjoint paths from b (labels
// are pushed forward from b's successors; a block with two labels is a join), and outside cycles that
// work-items leave in different iterations. In irreducible cycles, where work-items may be at different
// points, all definitions diverge. After Rosemann, Moll and Hack, "An Abstract Interpretation for SPMD
// Divergence on Reducible Control Flow Graphs", extended to irreducible graphs on the cycle nest. Needs
// thread SSA; changes nothing.
#include "passes/analysis/uniformity.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr int kMostSweeps = 3;  // before use lists are built

// Numbers blocks so that, from high to low, a block comes after its predecessors, and a cycle's header after
// the rest of the cycle and before the cycle's exits.
class ModifiedPostorder {
 public:
  ModifiedPostorder(const SuccessorLists& lists, const Cycles& cycles, uint32_t entry)
      : number(lists.size(), kNone), succs_(lists), cycles_(cycles) {
    visit({entry}, kNone);
  }
  std::vector<uint32_t> number;

 private:
  void append(uint32_t n) { number[n] = next_++; }

  uint32_t cycle_within(uint32_t scope, uint32_t n) const {
    uint32_t c = cycles_.innermost[n], best = kNone;
    for (; c != scope; c = cycles_.cycles[c].parent) best = c;
    return best;
  }

  // Postorder of the blocks of cycle `scope` (kNone: of the function) reachable from those on the stack;
  // cycles directly inside are collapsed to one block.
  void visit(std::vector<uint32_t> stack, uint32_t scope) {
    while (!stack.empty()) {
      uint32_t n = stack.back();
      if (number[n] != kNone) {
        stack.pop_back();
        continue;
      }
      uint32_t inner = cycle_within(scope, n);
      size_t before = stack.size();
      for (uint32_t s : inner == kNone ? succs_[n] : cycles_.cycles[inner].exits)
        if (number[s] == kNone && (scope == kNone || cycles_.contains(scope, s))) stack.push_back(s);
      if (stack.size() != before) continue;
      stack.pop_back();
      if (inner == kNone)
        append(n);
      else
        visit_cycle(inner);
    }
  }

  void visit_cycle(uint32_t c) {
    uint32_t header = cycles_.cycles[c].header;
    append(header);
    std::vector<uint32_t> stack;
    for (uint32_t s : succs_[header])
      if (cycles_.contains(c, s)) stack.push_back(s);
    visit(std::move(stack), c);
  }

  const SuccessorLists& succs_;
  const Cycles& cycles_;
  uint32_t next_ = 0;
};

// The joins (J) and the divergent exits (X) of one divergent branch.
class JoinFinder {
 public:
  JoinFinder(const Function& f, const Cfg& cfg, const SuccessorLists& succs, const Cycles& cycles)
      : f_(f),
        cfg_(cfg),
        succs_(succs),
        cycles_(cycles),
        post_(f, cfg),
        order_(succs, cycles, f.entry().index),
        label_(succs.size(), kNone),
        header_of_(succs.size(), kNone) {
    by_number_.resize(succs.size());
    for (uint32_t n = 0; n < succs.size(); ++n)
      if (order_.number[n] != kNone) by_number_[order_.number[n]] = n;
    for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
      header_of_[cycles.cycles[c].header] = c;
      all_reducible_ &= cycles.cycles[c].reducible();
    }
    in_irreducible_.resize(succs.size());
    for (uint32_t n = 0; n < succs.size(); ++n) in_irreducible_[n] = irreducible_around(n) != kNone;
  }
  std::vector<uint32_t> joins, exits;

  /// The outermost irreducible cycle with block b, or kNone.
  uint32_t irreducible_around(uint32_t b) const {
    uint32_t irreducible = kNone;
    for (uint32_t c = cycles_.innermost[b]; c != kNone; c = cycles_.cycles[c].parent)
      if (!cycles_.cycles[c].reducible()) irreducible = c;
    return irreducible;
  }

  void find(uint32_t b) {
    start();
    const uint32_t home = cycles_.innermost[b];
    const uint32_t irreducible = irreducible_around(b);
    for (size_t i = 0; i < succs_[b].size(); ++i) {
      uint32_t s = succs_[b][i];
      if (home != kNone && !cycles_.contains(home, s)) exits.push_back(s);
      // Two edges to one block join there although they have the same label.
      if (std::find(succs_[b].begin(), succs_[b].begin() + static_cast<ptrdiff_t>(i), s) !=
          succs_[b].begin() + static_cast<ptrdiff_t>(i))
        joins.push_back(s);
      push(s, s, joins);
    }
    propagate(b, irreducible);
    for (uint32_t c = home; c != kNone; c = cycles_.cycles[c].parent)
      if (const Cycle& cycle = cycles_.cycles[c]; !cycle.reducible())
        for (uint32_t e : cycle.exits)
          if (label_[e] != label_[cycle.header]) exits.push_back(e);
    unique(joins), unique(exits);
  }

  const DominatorTree& dominators() {
    if (!dom_) dom_.emplace(f_, cfg_);
    return *dom_;
  }

  /// Treats the header of an outermost irreducible cycle as a branch to all exits of the cycle: an upper
  /// bound of what the cycle's branches do outside.
  void find_from_exits(uint32_t c) {
    start();
    for (uint32_t e : cycles_.cycles[c].exits) {
      exits.push_back(e);
      push(e, e, joins);
    }
    propagate(cycles_.cycles[c].header, kNone);
    unique(joins), unique(exits);
  }

 private:
  void start() {
    joins.clear(), exits.clear();
    for (uint32_t n : touched_) label_[n] = kNone;
    touched_.clear();
    seen_ = 0, outside_ = 0;
    fresh_.clear();
  }

  void propagate(uint32_t b, uint32_t irreducible) {
    while (!fresh_.empty()) {
      uint32_t v = by_number_[fresh_.back()];
      if (fresh_.size() == 1 &&
          (irreducible == kNone || !cycles_.contains(irreducible, v) || all_meet_at(v, b)))
        break;
      if (nothing_new(b)) break;
      fresh_.pop_back();
      if (v == b) continue;
      if (uint32_t c = header_of_[v]; c != kNone && cycles_.cycles[c].reducible())
        for (uint32_t e : cycles_.cycles[c].exits) push(e, label_[v], cycles_.contains(c, b) ? exits : joins);
      else
        for (uint32_t s : succs_[v]) push(s, label_[v], joins);
    }
  }

  void push(uint32_t s, uint32_t label, std::vector<uint32_t>& kind) {
    uint32_t old = label_[s];
    if (old == label) return;
    if (old != s) {
      auto at = std::ranges::lower_bound(fresh_, order_.number[s]);
      if (at == fresh_.end() || *at != order_.number[s]) fresh_.insert(at, order_.number[s]);
    }
    if (old == kNone) {
      label_[s] = label;
      touched_.push_back(s);
    } else {
      label_[s] = s;
      kind.push_back(s);
    }
  }

  // Whether all paths from b that have not ended come to v, and nothing but b leads into what lies between.
  // Beyond v there is one label, in an irreducible cycle, too: whoever comes to b again leaves it as before.
  bool all_meet_at(uint32_t v, uint32_t b) {
    for (; seen_ < touched_.size() && outside_ < 2; ++seen_) {
      const uint32_t n = touched_[seen_];
      if (n != b && dominators().dominates(BlockId(b), BlockId(n))) continue;
      ++outside_, last_outside_ = n;
    }
    return outside_ == 0 || (outside_ == 1 && last_outside_ == v);
  }

  // Two shortcuts that keep long chains and ladders linear. They are valid where a block is not reached again
  // after it was processed: not in irreducible cycles.
  bool nothing_new(uint32_t b) {
    if (header_of_[b] != kNone || in_irreducible_[b]) return false;
    return reaches_post_dominator(b) || followed_before(b);
  }

  // A single path is left, with the immediate post-dominator, where it joins the others.
  bool reaches_post_dominator(uint32_t b) {
    if (!all_reducible_ || fresh_.size() != 2) return false;
    uint32_t x = by_number_[fresh_[0]], y = by_number_[fresh_[1]];
    for (auto [v, e] : {std::pair{x, y}, std::pair{y, x}}) {
      if (post_.ipdom[b] != BlockId(e)) continue;
      bool leaves = cycles_.largest_between(b, e) != kNone;
      if (leaves && std::find(exits.begin(), exits.end(), e) == exits.end()) continue;
      if (label_[e] != label_[v]) joins.push_back(e);
      return true;
    }
    return false;
  }

  // The remaining propagation depends only on the ends of the paths, and another branch of the same cycle has
  // done it already.
  bool followed_before(uint32_t b) {
    constexpr size_t kMaxPaths = 24;
    if (fresh_.size() > kMaxPaths) return false;
    for (uint32_t n : fresh_)
      if (label_[by_number_[n]] != by_number_[n] || in_irreducible_[by_number_[n]]) return false;
    std::vector<uint32_t> key{cycles_.innermost[b]};
    key.insert(key.end(), fresh_.begin(), fresh_.end());
    return !followed_.insert(std::move(key)).second;
  }

  static void unique(std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  const Function& f_;
  const Cfg& cfg_;
  const SuccessorLists& succs_;
  const Cycles& cycles_;
  const PostDominatorTree post_;
  std::optional<DominatorTree> dom_;  // computed on demand: most functions have no irreducible cycle
  ModifiedPostorder order_;
  std::vector<uint32_t> label_, touched_, header_of_;
  // Of the touched blocks so many have been looked at, and so many, at most two, are reached past the branch.
  size_t seen_ = 0;
  uint32_t outside_ = 0, last_outside_ = kNone;
  std::vector<uint32_t> by_number_;
  std::vector<uint32_t> fresh_;  // numbers of unprocessed blocks, ascending; mostly few
  std::set<std::vector<uint32_t>> followed_;
  std::vector<bool> in_irreducible_;  // by node
  bool all_reducible_ = true;
};

class UniformityAnalysis {
 public:
  UniformityAnalysis(const Function& function, UniformityOptions options, const Cfg& cfg)
      : f(function), options_(options), cfg_(cfg), succs_(successor_lists(function, cfg_)) {
    u.cycles = Cycles(succs_, f.entry().index);
    u.divergent.assign(f.value_count(), false);
    u.divergent_branch.assign(f.block_count(), false);
    u.divergent_exit.assign(u.cycles.cycles.size(), false);
    u.divergent_cycle.assign(f.block_count(), kNone);
    tainted_.assign(u.cycles.cycles.size(), 0);
    met_at_.assign(f.block_count(), false);
    swept_.assign(f.block_count(), false);
  }

  // Sweeps in reverse post-order, so most operands are visited before their users. Divergence found after its
  // users were visited, around loops and at joins, takes another sweep; use lists are built only if sweeps
  // continue.
  Uniformity run() {
    if (options_.one_lane()) return std::move(u);
    if (!f.is_kernel)
      for (ValueId p : f.block(f.entry()).params) taint(p);
    for (int n = 0; n < kMostSweeps; ++n) {
      sweep();
      if (!std::exchange(again_, false)) return std::move(u);
    }
    users_ = users_of(f, cfg_.rpo);
    sweep();
    while (!work_.empty()) {
      InstId i = work_.back();
      work_.pop_back();
      visit(i);
    }
    return std::move(u);
  }

 private:
  void sweep() {
    swept_.assign(f.block_count(), false);
    for (BlockId b : cfg_.rpo) {
      const auto& insts = f.block(b).insts;
      for (size_t k = 0; k < insts.size(); ++k) {
        if (k + 1 == insts.size()) swept_[b.index] = true;
        if (is_source(f.inst(insts[k])))
          taint_results(insts[k]);
        else
          visit(insts[k]);
      }
    }
  }

  bool is_source(const Inst& inst) const {
    const OpInfo& row = info(inst.op);
    if (row.has(LaneSource)) {
      if (row.attrs[0].name != "dim") return true;
      int64_t dim = inst.attrs[0];
      return dim == 0 ? options_.lane_x : dim == 1 ? options_.lane_y : options_.lane_z;
    }
    // A variable's content and an atomic operation's result are specific to a work-item, and so is the prefix
    // of a scan.
    if (row.has(VarAccess) || row.effects == Effects::Write || inst.op == Op::scan) return true;
    // So is private memory, even at equal offsets.
    return row.effects == Effects::Read && !inst.operands.empty() &&
           f.type(inst.operands[0]).elem == Elem::PtrPrivate;
  }

  // Whether the result is the same for all items that execute this together, even with divergent operands.
  bool same_for_all(const Inst& inst) const {
    if (info(inst.op).effects != Effects::CrossLane || inst.op == Op::scan) return false;
    return inst.op != Op::shuffle || !u.divergent_use(f, inst.block, inst.operands[1]);
  }

  void taint(ValueId v) {
    if (f.is_inline(v) || u.divergent[v.index]) return;
    u.divergent[v.index] = true;
    if (BlockId def = block_of(f, v); def.valid() && !swept_[def.index]) return;
    if (users_)
      revisit_users(v, kNone);
    else
      again_ = true;
  }
  // Only users outside of cycle c that the sweep has passed.
  void revisit_users(ValueId v, uint32_t c) {
    for (InstId i : (*users_)[v.index])
      if (BlockId b = f.inst(i).block; swept_[b.index] && (c == kNone || !u.cycles.contains(c, b)))
        work_.push_back(i);
  }
  void taint_results(InstId i) {
    for (ValueId v : f.inst(i).results) taint(v);
  }

  void visit(InstId i) {
    const Inst& inst = f.inst(i);
    if (!inst.results.empty() && u.divergent[inst.results[0].index]) return;  // all results diverge together
    bool any = false;
    for (ValueId v : inst.operands) any |= u.divergent_use(f, inst.block, v);
    if (any && !same_for_all(inst)) taint_results(i);
    for (const Target& t : inst.targets)
      for (size_t k = 0; k < t.args.size(); ++k)
        if (u.divergent_use(f, inst.block, t.args[k])) taint(f.block(t.block).params[k]);
    if (any && inst.targets.size() > 1) diverge(inst.block);
  }

  void diverge(BlockId b) {
    if (u.divergent_branch[b.index]) return;
    u.divergent_branch[b.index] = true;
    if (!joins_) joins_.emplace(f, cfg_, succs_, u.cycles);
    // In a cycle whose definitions all diverge nothing changes, except that the branch may leave inner
    // cycles; outside, the branches of the cycle count as one branch.
    if (uint32_t c = joins_->irreducible_around(b.index); c != kNone && tainted_[c]) {
      for (uint32_t s : succs_[b.index])
        if (uint32_t left = u.cycles.largest_between(b.index, s); left != kNone) leave(left);
      if (tainted_[c] == kSummed) return;
      tainted_[c] = kSummed;
      leave(c);
      joins_->find_from_exits(c);
      b = BlockId(u.cycles.cycles[c].header);
    } else {
      joins_->find(b.index);
    }
    for (uint32_t j : joins_->joins) join(b.index, j);
    for (uint32_t x : joins_->exits)
      if (uint32_t c = u.cycles.largest_between(b.index, x); c != kNone) leave(c);
  }

  void join(uint32_t b, uint32_t j) {
    const auto& cycles = u.cycles.cycles;
    uint32_t c = u.cycles.largest_between(j, b);
    if (c != kNone && !cycles[c].reducible()) return taint_cycle(c);
    auto strictly = [&](uint32_t a, uint32_t n) {
      return a != n && joins_->dominators().dominates(BlockId(a), BlockId(n));
    };
    c = u.cycles.smallest_with(b, j);
    if (c != kNone && !cycles[c].reducible() && !strictly(b, j) && !strictly(cycles[c].header, j)) {
      for (uint32_t p = cycles[c].parent;
           p != kNone && !cycles[p].reducible() && !strictly(cycles[p].header, j); p = cycles[p].parent)
        c = p;
      return taint_cycle(c);
    }
    // Many branches have the same join: its processing is the same for all.
    if (met_at_[j]) return;
    met_at_[j] = true;
    for (size_t k = 0; k < f.block(BlockId(j)).params.size(); ++k)
      if (!same_on_all_edges(BlockId(j), k, kNone)) taint(f.block(BlockId(j)).params[k]);
  }

  void taint_cycle(uint32_t c) {
    if (tainted_[c]) return;
    tainted_[c] = kTainted;
    for (uint32_t n : u.cycles.nodes(c)) {
      for (ValueId p : f.block(BlockId(n)).params) taint(p);
      for (InstId i : f.block(BlockId(n)).insts) taint_results(i);
    }
  }

  // Whether all edges pass one value, not defined within cycle c, to parameter k of b, or all edges that do
  // not pass undef pass one constant.
  bool same_on_all_edges(BlockId b, size_t k, uint32_t c) const {
    ValueId self = f.block(b).params[k], one;
    bool undef = false;
    const bool same = every_edge_into(f, cfg_, b, [&](BlockId p, const Target& t) {
      const ValueId passed = t.args[k];
      if (!cfg_.reachable(p) || passed == self) return true;
      if (f.is_undef(passed)) return undef = true;
      if (one.valid() && one != passed) return false;
      one = passed;
      return true;
    });
    if (!same) return false;
    if (!one.valid() || f.is_const(one)) return true;
    BlockId def = block_of(f, one);
    return !undef && (c == kNone || !u.cycles.contains(c, def));
  }

  // Work-items leave cycle c in different iterations or by different exits.
  void leave(uint32_t c) {
    if (u.divergent_exit[c]) return;
    u.divergent_exit[c] = true;
    auto nodes = u.cycles.nodes(c);
    for (uint32_t n : nodes) {
      uint32_t& smallest = u.divergent_cycle[n];
      if (smallest == kNone || u.cycles.encloses(smallest, c)) smallest = c;
    }
    tell_outside(c);
    for (uint32_t e : u.cycles.cycles[c].exits)
      for (size_t k = 0; k < f.block(BlockId(e)).params.size(); ++k)
        if (!same_on_all_edges(BlockId(e), k, c)) taint(f.block(BlockId(e)).params[k]);
  }

  // Revisits the users outside of cycle c of its definitions: those after an exit that precedes them in the
  // order.
  void tell_outside(uint32_t c) {
    if (!users_) {
      for (uint32_t e : u.cycles.cycles[c].exits) again_ |= swept_[e];
      return;
    }
    // The users of divergent values have been revisited already.
    auto tell = [&](ValueId v) {
      if (!u.divergent[v.index]) revisit_users(v, c);
    };
    for (uint32_t n : u.cycles.nodes(c)) {
      for (ValueId p : f.block(BlockId(n)).params) tell(p);
      for (InstId i : f.block(BlockId(n)).insts)
        for (ValueId v : f.inst(i).results) tell(v);
    }
  }

  const Function& f;
  UniformityOptions options_;
  const Cfg& cfg_;
  SuccessorLists succs_;
  Uniformity u;
  std::optional<JoinFinder> joins_;     // computed on demand: many functions have no divergent branch
  std::optional<Lists<InstId>> users_;  // by value id; built on demand
  std::vector<bool> swept_;             // by block: this sweep has finished it
  bool again_ = false;                  // divergence was found after users were visited
  std::vector<InstId> work_;            // worklist
  std::vector<bool> met_at_;            // by block: join of a divergent branch
  // By cycle: all its definitions diverge; the effect outside is done, too.
  static constexpr char kTainted = 1, kSummed = 2;
  std::vector<char> tainted_;
};

}  // namespace

bool Uniformity::divergent_use(const Function& f, BlockId user, ValueId v) const {
  if (divergent[v.index]) return true;
  BlockId def = block_of(f, v);
  if (!def.valid()) return false;
  uint32_t c = divergent_cycle[def.index];
  return c != kNone && !cycles.contains(c, user);
}

Uniformity analyse_uniformity(const Function& f, UniformityOptions options, const Cfg& cfg) {
  return UniformityAnalysis(f, options, cfg).run();
}

}  // namespace kc
