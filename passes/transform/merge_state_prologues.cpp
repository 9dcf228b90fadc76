// SPDX-License-Identifier: Apache-2.0
// merge_state_prologues: executes the common prologue of a loop's states once for all lanes.
//
// A state machine written with labels loads its next character at the start of each state; a wave with items
// in different states runs all these prologues in sequence. Here a new block before all states holds what
// they have in common, and a switch on a number that each edge to a state now carries dispatches. The same
// applies to a switch in a loop, and to the two arms of a branch. Common instructions are found by opcode and
// by the phi webs of their inputs: values of one web can be one variable, which the common block can read.
// The prologues must begin with a load with a divergent address, possibly after equal tests (`if (left ==
// 0)`), and most of them must return to themselves past the others: loads in sequence within an iteration
// would not be shared. Loops with barriers stay.
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//   b1(%p): %c = load %p; ... b2(%q), b1(%r)        b1(%p): br -> b3(%p, 0)
//   b2(%q): %d = load %q; ... b1(%s), b2(%t)   ==>  b2(%q): br -> b3(%q, 1)
//                                                   b3(%x, %state): %c = load %x; switch %state -> b4, b5
//                                                   b4, b5: the rest of b1, b2, with %c for %d
#include "passes/transform/merge_state_prologues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "ir/ssa_repair.h"
#include "passes/ir_util.h"
#include "passes/transform/common_prologue.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

constexpr uint32_t kMostRewrites = 8;  // loops rewritten per function

class Sharer {
 public:
  Sharer(Function& function, const PrologueGroup& group) : f(function), group_(group), builder_(f) {}

  void run(const PhiWebs& webs, const Cycles& cycles) {
    webs_to_variables(f, webs, to_keep(webs, cycles));
    state_ = f.add_var("state", kI32);
    kept_.resize(group_.prologues.size());
    BlockId first = f.add_block("prologues"), block = first;
    for (size_t level = 0; level < group_.levels(); ++level) block = share(level, block);
    Replacements together(f);
    for (auto [from, to] : together_) together.set(from, to);
    apply_replacements(f, together);
    std::vector<BlockId> gone;
    for (const Prologue& prologue : group_.prologues)
      gone.insert(gone.end(), prologue.levels.begin(), prologue.levels.end());
    f.erase_blocks(gone);
    enter(first);
    AnalysisCache analyses(f);
    mem2reg(f, analyses);
    simplify_cfg(f, analyses);
  }

 private:
  // Values that change in the loop and are live at some prologue become variables: all prologues are reached
  // through the common block.
  std::vector<bool> to_keep(const PhiWebs& webs, const Cycles& cycles) const {
    std::vector<bool> marked(webs.count());
    for (size_t h = 0; h < group_.prologues.size(); ++h)
      for (ValueId v : webs.live_in(group_.begin(h))) {
        const uint32_t web = webs.of(v);
        if (web == kNone || marked[web]) continue;
        marked[web] = std::ranges::any_of(
            webs.members(web), [&](ValueId m) { return cycles.contains(group_.cycle, block_of(f, m)); });
      }
    return marked;
  }

  // Makes the common block of a level; returns that of the next level.
  BlockId share(size_t level, BlockId block) {
    known_.clear();
    builder_.block = block;
    if (!group_.common[level].empty()) builder_.loc = f.inst(group_.common[level][0][0]).loc;
    for (const auto& same : group_.common[level]) {
      Inst inst = f.inst(same[0]);
      for (ValueId& v : inst.operands) v = read(v);
      Type type = f.type(inst.results[0]);
      InstId copy = f.create(inst.op, std::move(inst.operands), std::span(&type, 1), inst.loc);
      f.inst(copy).attrs = inst.attrs;
      f.append(block, copy);
      for (InstId i : same) together_[f.result(i)] = f.result(copy);
    }
    if (level + 1 == group_.levels()) {
      compute_tests();
      dispatch(level, 2);
      return BlockId();
    }
    const BlockId b0 = group_.prologues[0].levels[level];
    const Inst end = f.inst(f.terminator(b0));
    size_t on = end.targets[0].block == group_.prologues[0].levels[level + 1] ? 0 : 1;
    ValueId condition = read(end.operands[0]);
    BlockId others = f.add_block("prologues"), next = f.add_block("prologues");
    builder_.loc = end.loc;
    builder_.br_if(condition, {on == 0 ? next : others, {}}, {on == 0 ? others : next, {}});
    keep(level);
    builder_.block = others;
    dispatch(level, 1 - on);
    return next;
  }

  void compute_tests() {
    for (const SharedTest& test : group_.tests) {
      ValueList operands = test.inst.operands;
      for (ValueId& v : operands)
        if (auto it = together_.find(v); it != together_.end()) v = it->second;
      Type type = f.type(test.inst.results[0]);
      InstId copy = f.create(test.inst.op, std::move(operands), std::span(&type, 1), test.inst.loc);
      f.inst(copy).attrs = test.inst.attrs;
      f.append(builder_.block, copy);
      for (InstId i : test.at) together_[f.result(i)] = f.result(copy);
    }
  }

  // The value of prologue 0 in the current block: a common computation, or the content of a variable.
  ValueId read(ValueId v) {
    if (auto it = together_.find(v); it != together_.end()) return it->second;
    InstId d = f.def(v);
    if (!d.valid() || f.inst(d).op != Op::var_get) return v;
    VarId var(static_cast<uint32_t>(f.inst(d).attrs[0]));
    if (auto it = written_.find(var); it != written_.end()) return it->second;
    auto [it, fresh] = known_.try_emplace(v);
    if (fresh) it->second = builder_.get(var);
    return it->second;
  }

  // Sends the work-items to the rests of the blocks (side 2), or to one of the targets of their branches.
  void dispatch(size_t level, size_t side) {
    const BlockId from = builder_.block;
    std::vector<BlockId> to;
    for (size_t h = 0; h < group_.prologues.size(); ++h) to.push_back(rest(level, h, side));
    builder_.block = from;
    std::vector<ValueId> operands{builder_.get(state_)};
    for (size_t h = 1; h < to.size(); ++h) operands.push_back(builder_.i32(static_cast<int32_t>(h)));
    InstId end = builder_.emit(Op::switch_, std::move(operands));
    for (BlockId b : to) f.inst(end).targets.push_back({b, {}});
  }
  BlockId rest(size_t level, size_t h, size_t side) {
    const BlockId old = group_.prologues[h].levels[level];
    const BlockId block = f.add_block(f.block(old).hint);
    for (InstId i : kept_[h]) append_copy(block, i);
    if (side == 2) {
      auto all = std::move(f.block(old).insts);
      f.block(old).insts.clear();
      for (InstId i : all) {
        if (!is_common(level, h, i))
          f.append(block, i);
        else
          f.inst(i).block = BlockId();
      }
    } else {
      // Variable writes are interleaved with the common instructions; the exit edge repeats them all.
      for (InstId i : writes(level, h)) append_copy(block, i);
      builder_.block = block;
      Target t = f.inst(f.terminator(old)).targets[side];
      for (ValueId& v : t.args)
        if (InstId d = f.def(v); d.valid() && f.inst(d).op == Op::var_get)
          v = builder_.get(VarId(static_cast<uint32_t>(f.inst(d).attrs[0])));
      builder_.br(t.block, std::move(t.args));
    }
    return block;
  }
  bool is_common(size_t level, size_t h, InstId i) const {
    return std::ranges::any_of(group_.common[level], [&](const auto& same) { return same[h] == i; });
  }
  std::vector<InstId> writes(size_t level, size_t h) const {
    std::vector<InstId> list;
    for (InstId i : f.block(group_.prologues[h].levels[level]).insts)
      if (f.inst(i).op == Op::var_set) list.push_back(i);
    return list;
  }
  // Writes of this level remain to be done after the next levels.
  void keep(size_t level) {
    for (size_t h = 0; h < group_.prologues.size(); ++h)
      for (InstId i : writes(level, h)) kept_[h].push_back(i);
    for (InstId i : writes(level, 0))
      written_[VarId(static_cast<uint32_t>(f.inst(i).attrs[0]))] = together_.at(f.inst(i).operands[0]);
  }
  void append_copy(BlockId block, InstId i) {
    InstId copy = f.create(f.inst(i).op, f.inst(i).operands, {}, f.inst(i).loc);
    f.inst(copy).attrs = f.inst(i).attrs;
    f.append(block, copy);
  }

  // The state numbers of a branch that leads to two prologues.
  std::optional<std::array<ValueId, 2>> two_heads(const Inst& end,
                                                  const std::map<BlockId, uint32_t>& prologues) {
    if (end.op != Op::br_if) return std::nullopt;
    auto yes = prologues.find(end.targets[0].block), no = prologues.find(end.targets[1].block);
    if (yes == prologues.end() || no == prologues.end()) return std::nullopt;
    return std::array{builder_.i32(static_cast<int32_t>(yes->second)),
                      builder_.i32(static_cast<int32_t>(no->second))};
  }

  // Redirects each edge to a prologue to the common block, with the prologue's number. An edge of a branch
  // gets a block of its own, so that the common block is the loop's single entry.
  void enter(BlockId first) {
    std::map<BlockId, uint32_t> prologues;
    for (uint32_t h = 0; h < group_.prologues.size(); ++h) prologues[group_.begin(h)] = h;
    for (BlockId b : std::vector<BlockId>(f.layout)) {
      const InstId end = f.terminator(b);
      builder_.loc = f.inst(end).loc;
      if (auto states = two_heads(f.inst(end), prologues)) {
        f.erase(end);
        builder_.block = b;
        builder_.set(state_,
                     builder_.make(Op::select, kI32, {f.inst(end).operands[0], (*states)[0], (*states)[1]}));
        builder_.br(first);
        continue;
      }
      for (size_t k = 0; k < f.inst(end).targets.size(); ++k) {
        auto prologue = prologues.find(f.inst(end).targets[k].block);
        if (prologue == prologues.end()) continue;
        ValueId state = builder_.i32(static_cast<int32_t>(prologue->second));
        if (f.inst(end).targets.size() == 1) {
          insert_write(f, b, f.block(b).insts.size() - 1, state_, state);
          f.inst(end).targets[k] = {first, {}};
        } else {
          builder_.block = f.add_block(f.block(prologue->first).hint);
          builder_.set(state_, state);
          builder_.br(first);
          f.inst(end).targets[k] = {builder_.block, {}};
        }
      }
    }
  }

  Function& f;
  const PrologueGroup& group_;
  Builder builder_;
  VarId state_;
  std::map<ValueId, ValueId> together_;    // from values of the prologues to that of the common block
  std::map<ValueId, ValueId> known_;       // from such values to reads of variables, in the current block
  std::map<VarId, ValueId> written_;       // written in prologue 0 by the levels so far
  std::vector<std::vector<InstId>> kept_;  // by prologue: writes of the levels so far
};

void say(const Function& f, const PrologueGroup& group, Remarks* remarks) {
  if (!remarks || !remarks->wants("merge_state_prologues")) return;
  InstId load = group.common.back()[0][0];
  Remark remark{"merge_state_prologues", f.inst(load).loc,
                fmt::format("{} places of this loop begin alike: the loop does it once for all of them",
                            group.prologues.size())};
  for (size_t h = 1; h < group.prologues.size(); ++h)
    remark.notes.push_back({f.inst(group.common.back()[0][h]).loc, "and here"});
  remarks->add(std::move(remark));
}

}  // namespace

bool merge_state_prologues(Function& f, AnalysisCache& analyses, Meld meld, Remarks* remarks) {
  if (meld != Meld::ByCost && meld != Meld::Always) return false;
  bool changed = remove_unreachable_blocks(f, analyses);
  for (uint32_t n = 0; n < kMostRewrites; ++n) {
    auto found = find_common_prologues(f, analyses, meld);
    if (!found) break;
    say(f, found->group, remarks);
    Sharer(f, found->group).run(found->webs, found->cycles);
    analyses.keep(NoAnalyses);
    changed = true;
  }
  return changed;
}

}  // namespace kc
