// SPDX-License-Identifier: Apache-2.0
// A lane that waits at S keeps the registers of its last pass through the code. A value that is live into
// S and whose definition lies on a path from the branch's primary side back to the branch, avoiding S,
// is overwritten while the lane waits. Those values are the hazards; all others may be used directly.
// The primary side of a branch ends at S because S post-dominates the branch, so each walk is local.
#include "passes/wave_hazards.h"

#include <algorithm>
#include <optional>

#include "ir/check.h"

namespace kc {
namespace {

class Planner {
 public:
  Planner(const Function& function, const Cfg& cfg, const Uniformity& uniformity, SkipPolicy policy)
      : f(function),
        cfg_(cfg),
        uniformity_(uniformity),
        policy_(policy),
        tree_(f, cfg),
        post_(f, cfg),
        state_(f.block_count(), 0),
        in_live_(f.block_count(), 0),
        live_(f.value_count()) {}

  WaitPlan run() {
    plan_.branch_of.assign(f.block_count(), WaitPlan::kNone);
    plan_.hazards.resize(f.value_count());
    plan_.kept_in.resize(f.value_count());
    collect_uses();
    for (BlockId b : cfg_.rpo)
      if (uniformity_.divergent_branch[b.index]) branch(b);
    for (uint32_t v = 0; v < f.value_count(); ++v)
      if (!plan_.hazards[v].empty()) kept_blocks(ValueId(v));
    return std::move(plan_);
  }

 private:
  void collect_uses() {
    uses_.resize(f.value_count());
    auto add = [&](ValueId v, BlockId b) {
      if (!f.is_inline(v) && (uses_[v.index].empty() || uses_[v.index].back() != b))
        uses_[v.index].push_back(b);
    };
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        for (ValueId v : f.inst(i).operands) add(v, b);
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) add(v, b);
      }
  }

  void branch(BlockId b) {
    auto targets = f.successors(b);
    KC_CHECK(targets.size() == 2, "divergent terminator with {} successors in @{}", targets.size(), f.name);
    DivergentBranch d{.block = b, .primary = targets[0].block, .secondary = targets[1].block};
    if (!post_.post_dominates(d.secondary, b)) std::swap(d.primary, d.secondary);
    KC_CHECK(post_.post_dominates(d.secondary, b),
             "divergent branch of @{} without a post-dominating successor", f.name);
    plan_.branch_of[b.index] = static_cast<uint32_t>(plan_.branches.size());
    if (d.primary != d.secondary) walk(d);
    plan_.branches.push_back(d);
  }

  // Depth-first over the primary side: finds cycles, counts instructions, and finds the branch itself.
  void walk(DivergentBranch& d) {
    constexpr char kOpen = 1, kDone = 2;
    std::vector<std::pair<BlockId, size_t>> stack{{d.primary, 0}};
    std::vector<BlockId> region{d.primary};
    state_[d.primary.index] = kOpen;
    bool cycle = false, needs_lanes = needs_non_empty(d.primary);
    size_t size = f.block(d.primary).insts.size();
    while (!stack.empty()) {
      auto& [b, next] = stack.back();
      auto succs = f.successors(b);
      if (next == succs.size()) {
        state_[b.index] = kDone;
        stack.pop_back();
        continue;
      }
      BlockId s = succs[next++].block;
      if (s == d.secondary) continue;
      if (state_[s.index] == kOpen) cycle = true;
      if (state_[s.index]) continue;
      state_[s.index] = kOpen;
      region.push_back(s);
      size += f.block(s).insts.size();
      needs_lanes |= needs_non_empty(s);
      stack.push_back({s, 0});
    }
    d.skip = cycle || needs_lanes || size > policy_.limit;
    // A value that is live into the secondary is defined in a dominator of the branch.
    for (BlockId r : region)
      if (tree_.dominates(r, d.block)) overwritten_in(r, d);
    for (BlockId r : region) state_[r.index] = 0;
  }

  bool needs_non_empty(BlockId b) const {
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::load && !uniformity_.divergent[inst.operands[0].index]) return true;
      if (policy_.uniform_needs_lanes && !inst.results.empty() &&
          !uniformity_.divergent[inst.results[0].index])
        return true;
    }
    return false;
  }

  void overwritten_in(BlockId def, const DivergentBranch& d) {
    auto consider = [&](ValueId v) {
      auto& list = plan_.hazards[v.index];
      if (std::find(list.begin(), list.end(), d.secondary) != list.end()) return;
      if (live_into(v, def, d.secondary)) list.push_back(d.secondary);
    };
    for (ValueId v : f.block(def).params) consider(v);
    for (InstId i : f.block(def).insts)
      for (ValueId v : f.inst(i).results) consider(v);
  }

  // Whether v, defined in `def`, is live at the start of b. Live blocks are computed once per value.
  bool live_into(ValueId v, BlockId def, BlockId b) {
    const auto& list = live_blocks(v, def);
    return std::binary_search(list.begin(), list.end(), b);
  }
  const std::vector<BlockId>& live_blocks(ValueId v, BlockId def) {
    auto& list = live_[v.index];
    if (list) return *list;
    list.emplace();
    std::vector<BlockId> work;
    for (BlockId u : uses_[v.index])
      if (u != def) work.push_back(u);
    std::vector<BlockId>& live = *list;
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      if (in_live_[b.index]) continue;
      in_live_[b.index] = 1;
      live.push_back(b);
      for (BlockId p : cfg_.preds[b.index])
        if (p != def && cfg_.reachable(p) && !in_live_[p.index]) work.push_back(p);
    }
    for (BlockId b : live) in_live_[b.index] = 0;
    std::sort(live.begin(), live.end());
    return live;
  }

  // Uses that a waiting lane can reach: everything the value is live in, from the places of waiting on.
  void kept_blocks(ValueId v) {
    const Value& value = f.value(v);
    BlockId def = value.kind == ValueKind::Param ? BlockId(value.owner) : f.inst(InstId(value.owner)).block;
    const auto& live = live_blocks(v, def);
    std::vector<BlockId> work = plan_.hazards[v.index], &kept = plan_.kept_in[v.index];
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      if (in_live_[b.index] || b == def || !std::binary_search(live.begin(), live.end(), b)) continue;
      in_live_[b.index] = 1;
      kept.push_back(b);
      for (const Target& t : f.successors(b)) work.push_back(t.block);
    }
    for (BlockId b : kept) in_live_[b.index] = 0;
    std::sort(kept.begin(), kept.end());
  }

  const Function& f;
  const Cfg& cfg_;
  const Uniformity& uniformity_;
  SkipPolicy policy_;
  DominatorTree tree_;
  PostDominatorTree post_;
  WaitPlan plan_;
  std::vector<char> state_, in_live_;
  std::vector<std::vector<BlockId>> uses_;
  std::vector<std::optional<std::vector<BlockId>>> live_;
};

}  // namespace

bool WaitPlan::uses_kept(ValueId v, BlockId user) const {
  return std::binary_search(kept_in[v.index].begin(), kept_in[v.index].end(), user);
}

WaitPlan plan_waits(const Function& f, const Cfg& cfg, const Uniformity& uniformity, SkipPolicy policy) {
  return Planner(f, cfg, uniformity, policy).run();
}

}  // namespace kc
