// SPDX-License-Identifier: Apache-2.0
// simplify_cfg: fewer blocks and branches, the same behaviour.
//
// Three sweeps, iterated to a fixed point: fold terminators with a known target; redirect edges past blocks
// that only jump; append a block to its only predecessor if that has no other successor. An edge is not
// redirected to a block that its branch already reaches with other arguments: a backend needs a place for the
// copies of each edge, and a divergent branch needs two targets. Cases of a switch that lead there with the
// same arguments share one block for them. An empty block before a loop stays if several edges lead to it, or
// an exit of another loop.
//
// Needs nothing; kills Structured, Reconverging (the layout no longer fits the reconvergence points).
//
//   b0: br_if true -> b1, b2
//   b1: br -> b3(%1)             ==>   b0: ret
//   b2: ...
//   b3(%2: i32): ret
#include "passes/transform/simplify_cfg.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "passes/analysis/convergent_operations.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

// br_if: a constant condition, a negated one, or two equal edges.
bool fold_br_if(Function& f, Inst& inst) {
  ValueId c = inst.operands[0];
  if (f.is_const(c)) return make_jump(inst, Target(inst.targets[f.value(c).bits ? 0 : 1])), true;
  if (inst.targets[0] == inst.targets[1]) return make_jump(inst, Target(inst.targets[0])), true;
  InstId def = f.def(c);
  if (!def.valid() || f.inst(def).op != Op::xor_) return false;
  const Inst& negation = f.inst(def);
  if (!f.is_const(negation.operands[1]) || f.value(negation.operands[1]).bits != 1) return false;
  inst.operands[0] = negation.operands[0];
  std::swap(inst.targets[0], inst.targets[1]);
  return true;
}

// switch: operand 0 is the value, operand k the constant of case k; target 0 is the default.
bool fold_switch(Function& f, Inst& inst) {
  if (f.is_const(inst.operands[0])) {
    auto hit = std::find(inst.operands.begin() + 1, inst.operands.end(), inst.operands[0]);
    size_t k = hit == inst.operands.end() ? 0 : static_cast<size_t>(hit - inst.operands.begin());
    return make_jump(inst, Target(inst.targets[k])), true;
  }
  size_t kept = 1;
  for (size_t k = 1; k < inst.targets.size(); ++k) {
    if (inst.targets[k] == inst.targets[0]) continue;
    if (kept != k) {
      inst.operands[kept] = inst.operands[k];
      inst.targets[kept] = std::move(inst.targets[k]);
    }
    ++kept;
  }
  bool changed = kept != inst.targets.size();
  inst.operands.resize(kept);
  inst.targets.resize(kept);
  if (kept == 1) make_jump(inst, Target(inst.targets[0])), changed = true;
  return changed;
}

bool fold_terminators(Function& f) {
  bool changed = false;
  for (BlockId b : f.layout) {
    Inst& inst = f.inst(f.terminator(b));
    if (inst.op == Op::br_if)
      changed |= fold_br_if(f, inst);
    else if (inst.op == Op::switch_)
      changed |= fold_switch(f, inst);
  }
  return changed;
}

class EmptyBlockRemover {
 public:
  EmptyBlockRemover(Function& function, AnalysisCache& analyses, bool heads_stay)
      : f(function),
        analyses_(analyses),
        cfg_(analyses.cfg()),
        skippable_(f.block_count(), 0),
        jumps_(f.block_count(), 0),
        ends_(f.block_count()) {
    auto uses = count_uses(f);
    for (BlockId b : f.layout) {
      const Block& block = f.block(b);
      const Inst& end = f.inst(f.terminator(b));
      if (block.insts.size() != 1 || end.op != Op::br || b == f.entry()) continue;
      jumps_[b.index] = block.params.empty();
      // Its parameters may only be used by its own jump.
      for (ValueId arg : end.targets[0].args)
        if (owned(arg, b)) --uses[arg.index];
      skippable_[b.index] = std::ranges::none_of(block.params, [&](ValueId p) { return uses[p.index] > 0; });
    }
    keep_cycles();
    if (heads_stay) keep_heads();
    if (f.dialect == Dialect::Thread) keep_entries();
  }

  bool run() {
    bool changed = false;
    // Successors first: their redirections are known at their predecessors.
    for (auto it = cfg_.rpo.rbegin(); it != cfg_.rpo.rend(); ++it) {
      Inst& end = f.inst(f.terminator(*it));
      for (size_t k = 0; k < end.targets.size(); ++k)
        while (hop(end.targets, k)) changed = true;
      if (f.dialect != Dialect::Thread) continue;
      if (jumps_[it->index]) {
        const Target* further = ends_[end.targets[0].block.index];
        ends_[it->index] = further ? further : &end.targets[0];
      }
      if (end.op == Op::switch_) changed |= share_jumps(end.targets);
    }
    return changed;
  }

 private:
  bool owned(ValueId v, BlockId b) const {
    return f.value(v).kind == ValueKind::Param && f.value(v).owner == b.index;
  }

  // In a cycle of empty blocks redirection would not terminate.
  void keep_cycles() {
    std::vector<uint32_t> walk(f.block_count(), 0);
    uint32_t number = 0;
    for (BlockId start : f.layout) {
      ++number;
      BlockId b = start;
      while (skippable_[b.index] && walk[b.index] == 0) {
        walk[b.index] = number;
        b = f.successors(b)[0].block;
      }
      while (skippable_[b.index] && walk[b.index] == number) {
        skippable_[b.index] = 0;
        b = f.successors(b)[0].block;
      }
    }
  }

  // An outer loop without its header would merge with the inner loop at its start. Work-items that enter a
  // loop elsewhere are in other iterations than those that come by its header.
  void keep_heads() {
    for (const Cycle& c : analyses_.cycles().cycles) {
      skippable_[c.header] = 0;
      for (uint32_t entry : c.entries) jumps_[entry] = 0;
    }
  }

  // Work-items that diverged, or left a loop in different iterations, reconverge before the next loop. At its
  // header instead, the loop's counters would become divergent as far as analysis can tell.
  void keep_entries() {
    if (std::ranges::none_of(f.layout, [&](BlockId b) { return skippable_[b.index]; })) return;
    const Cycles& cycles = analyses_.cycles();
    auto leads_in = [&](BlockId from, BlockId to) {
      return cycles.largest_between(to.index, from.index) != kNone;
    };
    for (BlockId b : f.layout) {
      if (!skippable_[b.index]) continue;
      auto preds = cfg_.preds[b.index];
      if (preds.size() == 1 && !leads_in(b, preds[0])) continue;
      BlockId to = f.successors(b)[0].block;
      while (skippable_[to.index]) to = f.successors(to)[0].block;
      if (leads_in(b, to)) skippable_[b.index] = 0;
    }
  }

  bool hop(TargetList& targets, size_t k) {
    BlockId empty = targets[k].block;
    if (!skippable_[empty.index]) return false;
    Target next = f.successors(empty)[0];
    for (ValueId& arg : next.args)
      if (owned(arg, empty)) arg = targets[k].args[f.value(arg).index];
    for (size_t other = 0; other < targets.size(); ++other)
      if (other != k && targets[other].block == next.block && targets[other].args != next.args) return false;
    targets[k] = std::move(next);
    return true;
  }

  // Edges of a switch that lead to one place past blocks that only jump take the first of these blocks.
  bool share_jumps(TargetList& targets) {
    std::map<std::pair<BlockId, std::vector<ValueId>>, Target> first;  // by where they lead
    bool changed = false;
    for (Target& t : targets) {
      const Target* end = ends_[t.block.index];
      if (!end) continue;
      const std::vector<ValueId> args(end->args.begin(), end->args.end());
      const Target& shared = first.try_emplace({end->block, args}, t).first->second;
      if (t == shared) continue;
      t = shared;
      changed = true;
    }
    return changed;
  }

  Function& f;
  AnalysisCache& analyses_;
  const Cfg& cfg_;
  std::vector<char> skippable_;
  std::vector<char> jumps_;          // whether a block has no parameters and only jumps
  std::vector<const Target*> ends_;  // of such blocks: the first place behind them that is none
};

class BlockMerger {
 public:
  BlockMerger(Function& function, const Cfg& cfg) : f(function), cfg_(cfg), replaced_(f) {}

  bool run() {
    std::vector<BlockId> emptied;
    for (BlockId b : cfg_.rpo) {
      if (f.block(b).insts.empty()) continue;  // already appended to another
      for (BlockId next = follower(b); next.valid(); next = follower(b)) {
        append(b, next);
        emptied.push_back(next);
      }
    }
    apply_replacements(f, replaced_);
    f.erase_blocks(emptied);
    return !emptied.empty();
  }

 private:
  // The block that can be appended to b.
  BlockId follower(BlockId b) {
    const Inst& end = f.inst(f.terminator(b));
    if (end.op != Op::br) return BlockId();
    BlockId next = end.targets[0].block;
    if (next == b || cfg_.preds[next.index].size() != 1) return BlockId();
    // A block without a mask has no lane operations, so it can run under any mask.
    ValueId mask = f.block(b).mask, other = f.block(next).mask;
    if (!mask.valid() || !other.valid()) return next;
    for (size_t k = 0; k < f.block(next).params.size(); ++k)
      if (f.block(next).params[k] == other) other = end.targets[0].args[k];
    return replaced_.resolve(mask) == replaced_.resolve(other) ? next : BlockId();
  }

  void append(BlockId b, BlockId next) {
    Block &block = f.block(b), &tail = f.block(next);
    InstId jump = f.terminator(b);
    const auto& args = f.inst(jump).targets[0].args;
    for (size_t k = 0; k < tail.params.size(); ++k) replaced_.set(tail.params[k], replaced_.resolve(args[k]));
    block.insts.pop_back();
    f.inst(jump).erased = true;
    f.inst(jump).block = BlockId();
    for (InstId i : tail.insts) f.inst(i).block = b;
    block.insts.insert(block.insts.end(), tail.insts.begin(), tail.insts.end());
    if (!block.mask.valid()) block.mask = tail.mask;
    tail.insts.clear();
  }

  Function& f;
  const Cfg& cfg_;
  Replacements replaced_;
};

}  // namespace

bool fold_branches(Function& f, AnalysisCache& analyses) {
  const bool folded = fold_terminators(f);
  if (folded) analyses.keep(NoAnalyses);
  return remove_unreachable_blocks(f, analyses) || folded;
}

bool simplify_cfg(Function& f, AnalysisCache& analyses) {
  const bool heads_stay = f.dialect == Dialect::Thread && has_convergent_operations(f);
  bool changed = remove_unreachable_blocks(f, analyses);
  for (bool again = true; again;) {
    again = false;
    auto after = [&](bool redirected) {
      if (!redirected) return;
      again = true;
      remove_unreachable_blocks(f);
      analyses.keep(NoAnalyses);
    };
    after(fold_terminators(f));
    after(EmptyBlockRemover(f, analyses, heads_stay).run());
    after(BlockMerger(f, analyses.cfg()).run());
    changed |= again;
  }
  return changed;
}

}  // namespace kc
