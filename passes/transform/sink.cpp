// SPDX-License-Identifier: Apache-2.0
// sink: code sinking into conditional blocks.
//
// `sphere other = s[j]; if (near(me, other)) push(me, other);` loads all members in every iteration, and uses
// most of them in the branch alone. From the last instruction to the first, each moves down the dominator
// tree to the nearest common dominator of its uses, as far as blocks have one predecessor: past no merge of
// paths, and into no loop. It is then executed less often, never more.
//
// What it must not cost:
// - Loads pass no write that may overlap. Those of lanes stay: a wave nearly always has a lane that takes the
//   branch, and with a mask they would be slower.
// - Uniform arithmetic stays: scalar units are mostly idle, and after a misprediction it would start later.
// - Arithmetic stays where it is the last use of several operands: sunk, it would end one live range and
//   extend several.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   %1 = load %p                            br.if %c -> b1, b2
//   br.if %c -> b1, b2              ==>   b1: %1 = load %p
//   b1: store %q, %1                          store %q, %1
#include "passes/transform/sink.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/analysis/alias.h"

namespace kc {
namespace {

class CodeSinker {
 public:
  CodeSinker(Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        divergent_(analyses.uniformity().divergent),
        uses_in_(f.value_count()),
        sunk_(f.block_count()) {}

  bool run() {
    bool changed = false;
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b) changed |= sink_from(*b);
    if (!changed) return false;
    for (BlockId b : cfg_.rpo) {
      const std::vector<InstId>& last_first = sunk_[b.index];
      auto& insts = f.block(b).insts;
      insts.insert(insts.begin(), last_first.rbegin(), last_first.rend());
    }
    return true;
  }

 private:
  // Whether any instruction leaves the block.
  bool sink_from(BlockId b) {
    writes_.clear();
    auto& insts = f.block(b).insts;
    const size_t before = insts.size();
    for (size_t n = before; n-- > 0;) {
      const InstId i = insts[n];
      const BlockId to = place_of(f.inst(i), b);
      note_uses(f.inst(i), to);
      if (to != b) {
        f.inst(i).block = to;
        sunk_[to.index].push_back(i);
        insts[n] = InstId();
      } else if (info(f.inst(i).op).effects == Effects::Write) {
        writes_.push_back(i);
      }
    }
    std::erase(insts, InstId());
    return insts.size() != before;
  }

  // The last block that the instruction can move to, on the way from `b` down to the nearest common dominator
  // of its uses.
  BlockId place_of(const Inst& inst, BlockId b) const {
    if (inst.results.size() != 1 || inst.operands.empty()) return b;
    BlockId place = uses_in_[inst.results[0].index];
    if (!place.valid() || place == b || !worth_sinking(inst)) return b;
    for (BlockId at = place; at != b;) {
      const BlockId above = tree_.idom[at.index];
      if (cfg_.preds[at.index].size() != 1 || cycles_.innermost[at.index] != cycles_.innermost[b.index] ||
          (inst.op == Op::load && may_change_in(above, b, inst)))
        place = above;
      at = above;
    }
    return place;
  }

  bool worth_sinking(const Inst& inst) const {
    if (inst.op == Op::ptr_add) return true;  // a part of the access
    if (inst.op == Op::load) return !divergent_[inst.operands[0].index];
    if (info(inst.op).effects != Effects::None || !divergent_[inst.results[0].index]) return false;
    const auto ends = [&](ValueId v) { return !f.is_inline(v) && !uses_in_[v.index].valid(); };
    return std::ranges::count_if(inst.operands, ends) <= 1;
  }

  // Whether what the load in `b` reads may change behind it, up to the end of `block`.
  bool may_change_in(BlockId block, BlockId b, const Inst& load) const {
    const Access read = access_of(f, load.operands[0], f.type(load.results[0]).bytes());
    const std::vector<InstId>& all = block == b ? writes_ : f.block(block).insts;
    return all.size() > kMostLookedAt ||
           std::ranges::any_of(all, [&](InstId i) { return may_change(f, f.inst(i), read); });
  }

  void note_uses(const Inst& inst, BlockId at) {
    const auto note = [&](ValueId v) {
      BlockId& all = uses_in_[v.index];
      all = all.valid() ? tree_.nearest_common(all, at) : at;
    };
    for (ValueId v : inst.operands) note(v);
    for (const Target& t : inst.targets)
      for (ValueId v : t.args) note(v);
  }

  static constexpr size_t kMostLookedAt = 64;
  Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  const std::vector<bool>& divergent_;
  std::vector<BlockId> uses_in_;           // by value: the nearest common dominator of the uses met so far
  std::vector<InstId> writes_;             // of the block at hand, behind the present instruction
  std::vector<std::vector<InstId>> sunk_;  // by block, the last one first
};

}  // namespace

bool sink(Function& f, AnalysisCache& analyses) { return CodeSinker(f, analyses).run(); }

}  // namespace kc
