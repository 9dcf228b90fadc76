// SPDX-License-Identifier: Apache-2.0
// mem2reg: turns variables into SSA values and block parameters.
//
// Parameters are placed on iterated dominance frontiers (Sreedhar and Gao's walk over the dominator tree,
// deepest definitions first, so each variable visits a block once); one walk over the dominator tree then
// renames. Subtrees without an edge that leaves high enough are skipped, so blocks that dominate all the rest
// cost nothing. Variables whose reads all follow a write in the same block get no parameters; unused and
// trivial parameters are removed at the end.
//
// Needs nothing; gives Ssa, and no unreachable blocks.
//
//   var_set 0:i32, var=$n                     br -> b1(0:i32)
//   br -> b1                          ==>   b1(%1: i32):
// b1:                                         %2: i32 = add %1, 1:i32
//   %1: i32 = var_get var=$n                  ...
#include "passes/transform/mem2reg.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

bool is_get(const Inst& inst) { return inst.op == Op::var_get; }
bool is_set(const Inst& inst) { return inst.op == Op::var_set; }
size_t var_of(const Inst& inst) { return static_cast<size_t>(inst.attrs[0]); }

class SsaBuilder {
 public:
  SsaBuilder(Function& function, AnalysisCache& analyses)
      : f(function), cfg_(analyses.cfg()), tree_(analyses.dominators()), replaced_(f) {}

  void run() {
    collect();
    measure_tree();
    placed_.resize(f.block_count());
    seen_.assign(f.block_count(), UINT32_MAX);
    has_param_.assign(f.block_count(), UINT32_MAX);
    live_.assign(f.block_count(), UINT32_MAX);
    written_.assign(f.block_count(), UINT32_MAX);
    for (uint32_t v = 0; v < f.vars.size(); ++v)
      if (!read_in_[v].empty()) find_live(v), place(v);
    first_param_ = f.value_count();
    for (BlockId b : f.layout)
      for (Placed& p : placed_[b.index]) p.param = f.add_param(b, f.vars[p.var].type);
    live_params_.resize(f.value_count() - first_param_);
    rename();
    for (BlockId b : f.layout)
      if (f.block(b).mask.valid()) use(f.block(b).mask);
    f.vars.clear();
    remove_unused();
    remove_trivial_params(f);
  }

 private:
  struct Placed {
    uint32_t var;
    ValueId param;
  };

  // The blocks that write each variable, and the variables read before any write of the same block.
  void collect() {
    set_in_.resize(f.vars.size());
    read_in_.resize(f.vars.size());
    std::vector<BlockId> last_set(f.vars.size()), last_read(f.vars.size());
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (is_get(inst) && last_set[var_of(inst)] != b && last_read[var_of(inst)] != b) {
          last_read[var_of(inst)] = b;
          read_in_[var_of(inst)].push_back(b);
        }
        if (!is_set(inst) || last_set[var_of(inst)] == b) continue;
        last_set[var_of(inst)] = b;
        set_in_[var_of(inst)].push_back(b);
      }
  }

  // Levels in the dominator tree, and for every block the highest level that an edge out of its subtree
  // reaches. Children are sorted by the latter: a walk stops at the first that is too deep.
  void measure_tree() {
    level_.assign(f.block_count(), 0);
    reach_.assign(f.block_count(), UINT32_MAX);
    for (BlockId b : cfg_.rpo)
      if (b != f.entry()) level_[b.index] = level_[tree_.idom[b.index].index] + 1;
    for (auto it = cfg_.rpo.rbegin(); it != cfg_.rpo.rend(); ++it) {
      uint32_t& reach = reach_[it->index];
      for (const Target& t : f.successors(*it))
        if (tree_.idom[t.block.index] != *it) reach = std::min(reach, level_[t.block.index]);
      // In reverse post-order a block comes after its immediate dominator.
      if (*it != f.entry()) {
        uint32_t& up = reach_[tree_.idom[it->index].index];
        up = std::min(up, reach);
      }
    }
    children_ = tree_.children;
    for (size_t n = 0; n < children_.size(); ++n)
      std::ranges::sort(children_[n], {}, [&](BlockId b) { return std::pair(reach_[b.index], b.index); });
  }

  // The blocks where the variable is live-in. Only they get parameters, and a walk may stop where the
  // variable is dead: later reads follow a later write.
  void find_live(uint32_t var) {
    for (BlockId b : set_in_[var]) written_[b.index] = var;
    auto enter = [&](BlockId b) {
      if (live_[b.index] != var) live_[b.index] = var, work_.push_back(b);
    };
    for (BlockId b : read_in_[var]) enter(b);
    while (!work_.empty()) {
      BlockId b = work_.back();
      work_.pop_back();
      for (BlockId p : cfg_.preds[b.index])
        if (written_[p.index] != var) enter(p);
    }
  }

  void place(uint32_t var) {
    auto shallower = [&](BlockId a, BlockId b) {
      return std::pair(level_[a.index], b.index) < std::pair(level_[b.index], a.index);
    };
    roots_.assign(set_in_[var].begin(), set_in_[var].end());
    std::ranges::make_heap(roots_, shallower);
    while (!roots_.empty()) {
      std::ranges::pop_heap(roots_, shallower);
      BlockId root = roots_.back();
      roots_.pop_back();
      const uint32_t level = level_[root.index];
      if (reach_[root.index] > level || seen_[root.index] == var) continue;
      seen_[root.index] = var;
      work_.push_back(root);
      while (!work_.empty()) {
        BlockId b = work_.back();
        work_.pop_back();
        for (const Target& t : f.successors(b)) {
          BlockId s = t.block;
          if (tree_.idom[s.index] == b || level_[s.index] > level || has_param_[s.index] == var ||
              live_[s.index] != var)
            continue;
          has_param_[s.index] = var;
          placed_[s.index].push_back({var, ValueId()});
          roots_.push_back(s);
          std::ranges::push_heap(roots_, shallower);
        }
        for (BlockId child : children_[b.index]) {
          if (reach_[child.index] > level) break;
          if (seen_[child.index] == var || live_[child.index] != var) continue;
          seen_[child.index] = var;
          work_.push_back(child);
        }
      }
    }
  }

  ValueId current(size_t var) {
    ValueId& v = current_[var];
    return v.valid() ? v : f.undef(f.vars[var].type);
  }
  void assign(size_t var, ValueId v) {
    undo_.push_back({var, current_[var]});
    current_[var] = v;
  }

  // Renames the uses of the variables' values, and removes the variables' instructions.
  void rename_block(BlockId b) {
    for (const Placed& p : placed_[b.index]) assign(p.var, p.param);
    // Operands have been read before, here or in a dominator.
    auto& insts = f.block(b).insts;
    size_t kept = 0;
    for (InstId i : insts) {
      Inst& inst = f.inst(i);
      if (is_get(inst)) {
        replaced_.set(inst.results[0], current(var_of(inst)));
      } else if (is_set(inst)) {
        assign(var_of(inst), replaced_.resolve(inst.operands[0]));
      } else {
        for (ValueId& v : inst.operands) use(v);
        insts[kept++] = i;
        continue;
      }
      inst.erased = true;
      inst.block = BlockId();
    }
    insts.resize(kept);
    for (Target& t : f.inst(f.terminator(b)).targets) {
      for (ValueId& v : t.args) use(v);
      for (const Placed& p : placed_[t.block.index]) t.args.push_back(current(p.var));
    }
  }

  void rename() {
    current_.assign(f.vars.size(), ValueId());
    struct Frame {
      BlockId block;
      size_t next, undo;
    };
    std::vector<Frame> stack;
    auto enter = [&](BlockId b) {
      size_t undo = undo_.size();
      rename_block(b);
      stack.push_back({b, 0, undo});
    };
    enter(f.entry());
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto& children = tree_.children[top.block.index];
      if (top.next < children.size()) {
        enter(children[top.next++]);
        continue;
      }
      for (; undo_.size() > top.undo; undo_.pop_back()) current_[undo_.back().first] = undo_.back().second;
      stack.pop_back();
    }
  }

  // Replaces v by its value. Its user is not a parameter made here.
  void use(ValueId& v) {
    v = replaced_.resolve(v);
    mark_live(v);
  }
  void mark_live(ValueId v) {
    const size_t k = v.index - first_param_;
    if (k < live_params_.size() && !live_params_[k]) live_params_[k] = 1, to_follow_.push_back(v);
  }

  // Removes parameters made here that are used only by such parameters.
  void remove_unused() {
    while (!to_follow_.empty()) {
      const Value& p = f.value(to_follow_.back());
      to_follow_.pop_back();
      every_edge_into(f, cfg_, BlockId(p.owner), [&](BlockId, const Target& t) {
        mark_live(t.args[p.index]);
        return true;
      });
    }
    if (std::ranges::find(live_params_, 0) == live_params_.end()) return;
    std::vector<bool> doomed(first_param_ + live_params_.size());
    for (size_t k = 0; k < live_params_.size(); ++k) doomed[first_param_ + k] = !live_params_[k];
    remove_params(f, doomed);
  }

  Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  Replacements replaced_;
  std::vector<ShortList<BlockId, 4>> set_in_;   // by variable
  std::vector<ShortList<BlockId, 4>> read_in_;  // by variable: blocks that read it before any write of theirs
  std::vector<BlockId> work_, roots_;           // empty between two variables
  std::vector<uint32_t> level_, reach_;         // by block
  Lists<BlockId> children_;
  std::vector<ShortList<Placed, 2>> placed_;
  size_t first_param_ = 0;          // id of the first parameter made here; the others follow it
  std::vector<char> live_params_;   // from that id on: whether it is used
  std::vector<ValueId> to_follow_;  // live parameters whose arguments are not visited yet
  // By block: the variable of its last visit, parameter, live-in, and write.
  std::vector<uint32_t> seen_, has_param_, live_, written_;
  std::vector<ValueId> current_;
  std::vector<std::pair<size_t, ValueId>> undo_;
};

}  // namespace

bool mem2reg(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  if (f.vars.empty()) return changed;
  SsaBuilder(f, analyses).run();
  return true;
}

}  // namespace kc
