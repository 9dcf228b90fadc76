// SPDX-License-Identifier: Apache-2.0
// unify_loop_exits: a loop that switches on a state is left only at its header.
//
// On structured targets with implicit masks each exit inside a state machine costs an instruction that
// removes items from the mask and copies of all values live after the loop. Here each exit target becomes one
// more state: an exit edge goes back to the loop header with its number, and the header branches there.
// Values live after the loop travel in the variables that the loop has already. A loop qualifies if it has
// one entry, a switch on a parameter of that entry that is a constant on all edges within the loop, and at
// least kFewestExits exits.
// Needs ThreadForm, Ssa, NoTraps; kills Reconverging, Structured.
//
//   h(%s): switch %s, 1 -> a, b            h(%s): %c = ult %s, 2; br_if %c -> g, x
//   a: ...; br_if %1 -> h(1), d      ==>   g: switch %s, 1 -> a, b
//   b: ...; br_if %2 -> h(0), e            a: ...; br_if %1 -> h(1), h(2)
//                                          b: ...; br_if %2 -> h(0), h(3)
//                                          x: switch %s, 3 -> d, e
#include "passes/restructure/unify_loop_exits.h"

#include <algorithm>
#include <optional>

#include "ir/check.h"
#include "passes/analysis/convergent_operations.h"
#include "passes/analysis/cycles.h"
#include "passes/analysis/phi_webs.h"
#include "passes/ir_util.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

constexpr size_t kFewestExits = 4;  // fewer cost less than a test in each iteration

/// A loop, the switch on its state, and the first number that is no state yet.
struct StateLoop {
  uint32_t cycle = 0;
  InstId choice;
  uint32_t next_state = 0;
};

class StateFinder {
 public:
  StateFinder(const Function& function, const Cfg& cfg, const Cycles& cycles)
      : f(function), cfg_(cfg), cycles_(cycles) {}

  std::optional<StateLoop> find() {
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c) {
      if (!cycles_.cycles[c].reducible() || count_exits(c) < kFewestExits) continue;
      for (uint32_t n : cycles_.nodes(c)) {
        const InstId end = f.terminator(BlockId(n));
        if (f.inst(end).op != Op::switch_ || !is_state(c, f.inst(end).operands[0])) continue;
        return StateLoop{c, end, largest_ + 1};
      }
    }
    return {};
  }

 private:
  size_t count_exits(uint32_t c) const {
    size_t count = 0;
    for (uint32_t n : cycles_.nodes(c))
      if (n != cycles_.cycles[c].header)
        for (const Target& t : f.successors(BlockId(n))) count += !cycles_.contains(c, t.block);
    return count;
  }

  // Whether `v` is a parameter of the loop header with only constant incoming values.
  bool is_state(uint32_t c, ValueId v) {
    if (f.value(v).kind != ValueKind::Param || f.value(v).owner != cycles_.cycles[c].header) return false;
    if (f.type(v) != kI32) return false;
    cycle_ = c;
    largest_ = 0;
    seen_.assign(f.value_count(), 0);
    return are_numbers(v);
  }
  bool are_numbers(ValueId start) {
    std::vector<ValueId> work{start};
    while (!work.empty()) {
      const ValueId v = work.back();
      work.pop_back();
      if (f.is_const(v)) {
        largest_ = std::max(largest_, static_cast<uint32_t>(f.value(v).bits));
        if (largest_ >= kLargestState) return false;
        continue;
      }
      if (f.is_undef(v) || seen_[v.index]) continue;
      seen_[v.index] = 1;
      if (const InstId d = f.def(v); d.valid()) {
        if (f.inst(d).op != Op::select) return false;
        work.insert(work.end(), {f.inst(d).operands[1], f.inst(d).operands[2]});
        continue;
      }
      const BlockId block(f.value(v).owner);
      if (block == f.entry()) return false;
      every_edge_into(f, cfg_, block, [&](BlockId, const Target& t) {
        work.push_back(t.args[f.value(v).index]);
        return true;
      });
    }
    return true;
  }

  static constexpr uint32_t kLargestState = 1u << 30;
  const Function& f;
  const Cfg& cfg_;
  const Cycles& cycles_;
  uint32_t cycle_ = 0, largest_ = 0;
  std::vector<char> seen_;
};

class StateLoopRewriter {
 public:
  explicit StateLoopRewriter(Function& function) : f(function), builder_(f) {}

  bool run(AnalysisCache& analyses) {
    const Cycles& cycles = analyses.cycles();
    auto found = StateFinder(f, analyses.cfg(), cycles).find();
    if (!found) return false;
    loop_ = *found;
    head_ = BlockId(cycles.cycles[loop_.cycle].header);
    split_exits(cycles);
    analyses.keep(NoAnalyses);
    if (!to_variables(analyses)) return false;
    const std::vector<BlockId> blocks = f.layout;
    const BlockId first = f.add_block(f.block(head_).hint);
    for (BlockId b : blocks)
      for (Target& t : f.inst(f.terminator(b)).targets)
        if (t.block == head_) t = {first, {}};
    leave(first);
    analyses.keep(NoAnalyses);
    mem2reg(f, analyses);
    simplify_cfg(f, analyses);
    return true;
  }

 private:
  // Gives each exit edge a block.
  void split_exits(const Cycles& cycles) {
    for (uint32_t n : cycles.nodes(loop_.cycle)) {
      if (n == head_.index) continue;
      const InstId end = f.terminator(BlockId(n));
      for (size_t k = 0; k < f.inst(end).targets.size(); ++k) {
        const Target target = f.inst(end).targets[k];
        if (cycles.contains(loop_.cycle, target.block)) continue;
        builder_.block = f.add_block("leave");
        builder_.loc = f.inst(end).loc;
        builder_.br(target.block, target.args);
        f.inst(end).targets[k] = {builder_.block, {}};
        exits_.push_back(builder_.block);
        if (std::ranges::find(targets_, target.block) == targets_.end()) targets_.push_back(target.block);
      }
    }
  }

  // Turns the header's parameters and values that change in the loop and are live after it into variables.
  bool to_variables(AnalysisCache& analyses) {
    const Cycles& cycles = analyses.cycles();
    PhiWebs webs(f, analyses.cfg(), analyses.dominators(), std::vector<bool>(f.value_count()));
    const uint32_t cycle = cycles.innermost[head_.index];
    std::vector<bool> marked(webs.count());
    auto mark = [&](ValueId v) {
      if (webs.of(v) != kNone) marked[webs.of(v)] = true;
    };
    for (ValueId p : f.block(head_).params) mark(p);
    const uint32_t state = webs.of(f.inst(loop_.choice).operands[0]);
    for (BlockId t : targets_) {
      if (webs.is_live_in(state, t)) return false;  // the state is live after the loop
      for (ValueId p : f.block(t).params) mark(p);
      for (ValueId v : webs.live_in(t)) {
        const uint32_t web = webs.of(v);
        if (web != kNone && std::ranges::any_of(webs.members(web), [&](ValueId m) {
              const BlockId at = block_of(f, m);
              return at.valid() && cycles.contains(cycle, at);
            }))
          marked[web] = true;
      }
    }
    webs_to_variables(f, webs, marked);
    const InstId read = f.def(f.inst(loop_.choice).operands[0]);
    KC_CHECK(f.inst(read).op == Op::var_get, "unify_loop_exits: the state is no variable");
    state_ = VarId(static_cast<uint32_t>(f.inst(read).attrs[0]));
    return true;
  }

  // Only dead parameters are left.
  Target to(BlockId block) {
    Target target{block, {}};
    for (ValueId p : f.block(block).params) target.args.push_back(f.undef(f.type(p)));
    return target;
  }
  ValueId number_of(BlockId target) {
    const auto at = std::ranges::find(targets_, target) - targets_.begin();
    return builder_.i32(static_cast<int32_t>(loop_.next_state + static_cast<uint32_t>(at)));
  }

  void leave(BlockId first) {
    for (BlockId exit : exits_) {
      const InstId end = f.terminator(exit);
      const BlockId target = f.inst(end).targets[0].block;
      builder_.block = exit;
      builder_.loc = f.inst(end).loc;
      f.erase(end);
      builder_.set(state_, number_of(target));
      builder_.br(first);
    }
    builder_.loc = f.inst(loop_.choice).loc;
    builder_.block = first;
    const BlockId out = f.add_block("leave");
    ValueId stays = builder_.make(Op::ult, kI1, {builder_.get(state_), number_of(targets_.front())});
    builder_.br_if(stays, to(head_), {out, {}});
    builder_.block = out;
    std::vector<ValueId> operands{builder_.get(state_)};
    for (size_t k = 1; k < targets_.size(); ++k) operands.push_back(number_of(targets_[k]));
    if (targets_.size() == 1) {
      f.inst(builder_.br(targets_[0])).targets[0] = to(targets_[0]);
      return;
    }
    const InstId end = builder_.emit(Op::switch_, std::move(operands));
    for (BlockId t : targets_) f.inst(end).targets.push_back(to(t));
  }

  Function& f;
  Builder builder_;
  StateLoop loop_;
  BlockId head_;
  std::vector<BlockId> exits_, targets_;  // blocks on the exit edges; their targets
  VarId state_;
};

}  // namespace

bool unify_loop_exits(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  if (has_convergent_operations(f))
    return changed;  // convergent operations on an exit path execute with the items that leave together
  constexpr int kMostRewrites = 8;  // loops rewritten per function
  for (int n = 0; n < kMostRewrites && StateLoopRewriter(f).run(analyses); ++n) changed = true;
  return changed;
}

}  // namespace kc
