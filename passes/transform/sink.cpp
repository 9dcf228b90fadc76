// SPDX-License-Identifier: Apache-2.0
// sink: code sinking into conditional blocks.
//
// `sphere other = s[j]; if (near(me, other)) push(me, other);` loads all members in every iteration, and most
// are used in the branch alone. From the last instruction to the first, each moves along the dominator tree
// to the block that dominates all of its uses, as long as the way leads through blocks with one predecessor:
// past no merge of paths, and into no loop. Then it is executed less often, never more.
//
// What it must not cost:
// - Loads pass no write that may overlap. Those of lanes stay: a wave nearly always has a lane that takes the
//   branch, and with a mask they would be slower.
// - Uniform arithmetic stays: it takes a free unit, and would come later after a wrong guess of the branch.
// - An instruction whose operands are not used any more would prolong several live ranges to end one.
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
        users_(f.value_count()),
        sunk_(f.block_count()) {}

  bool run() {
    bool changed = false;
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b) changed |= leave(*b);
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
  bool leave(BlockId b) {
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

  // The last block on the way from `b` to the nearest common dominator of the uses that it can move to.
  BlockId place_of(const Inst& inst, BlockId b) const {
    if (inst.results.size() != 1 || inst.operands.empty()) return b;
    const BlockId users = users_[inst.results[0].index];
    if (!users.valid() || users == b || !worth_sinking(inst)) return b;
    std::vector<BlockId> way;  // up to b
    for (BlockId at = users; at != b; at = tree_.idom[at.index]) way.push_back(at);
    BlockId place = b;
    for (auto next = way.rbegin(); next != way.rend(); place = *next++)
      if (cfg_.preds[next->index].size() != 1 ||
          cycles_.innermost[next->index] != cycles_.innermost[b.index] ||
          (inst.op == Op::load && changes_in(place, b, inst)))
        break;
    return place;
  }

  bool worth_sinking(const Inst& inst) const {
    if (inst.op == Op::ptr_add) return true;  // a part of the access
    if (inst.op == Op::load) return !divergent_[inst.operands[0].index];
    if (info(inst.op).effects != Effects::None || !divergent_[inst.results[0].index]) return false;
    const auto ends = [&](ValueId v) { return !f.is_inline(v) && !users_[v.index].valid(); };
    return std::ranges::count_if(inst.operands, ends) <= 1;
  }

  // Whether a write between the load in `b` and the end of `block` may change what it reads.
  bool changes_in(BlockId block, BlockId b, const Inst& load) const {
    const Access read = access_of(f, load.operands[0], f.type(load.results[0]).bytes());
    const auto changes = [&](InstId i) {
      const Inst& w = f.inst(i);
      return info(w.op).effects == Effects::Write &&
             (w.op != Op::store ||
              may_overlap(f, read, access_of(f, w.operands[0], f.type(w.operands[1]).bytes())));
    };
    const std::vector<InstId>& all = block == b ? writes_ : f.block(block).insts;
    return all.size() > kMostLookedAt || std::ranges::any_of(all, changes);
  }

  void note_uses(const Inst& inst, BlockId at) {
    const auto note = [&](ValueId v) {
      BlockId& users = users_[v.index];
      if (!users.valid()) users = at;
      while (!tree_.dominates(users, at)) users = tree_.idom[users.index];
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
  std::vector<BlockId> users_;             // by value: the nearest common dominator of the uses met so far
  std::vector<InstId> writes_;             // of the block that is left, behind the present instruction
  std::vector<std::vector<InstId>> sunk_;  // by block, the last one first
};

}  // namespace

bool sink(Function& f, AnalysisCache& analyses) { return CodeSinker(f, analyses).run(); }

}  // namespace kc
