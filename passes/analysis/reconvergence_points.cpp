// SPDX-License-Identifier: Apache-2.0
// Waiting is described by intervals of the layout. Lanes that take the edge from b to its secondary S wait
// there while the wave runs the blocks reachable from the primary without S. All of these come before S;
// edges against the layout determine how far before b they may begin.
#include "passes/analysis/reconvergence_points.h"

#include <algorithm>
#include <bit>

#include "ir/check.h"

namespace kc {
namespace {

// The lowest and highest targets (as layout positions) of edges out of an interval, in constant time: level k
// holds the results for intervals of 2^k blocks.
class Reach {
 public:
  struct Range {
    uint32_t low, high;
  };
  Reach(const Function& f, const std::vector<uint32_t>& position) {
    std::vector<Range> first;
    for (BlockId b : f.layout) {
      Range r{position[b.index], position[b.index]};
      for (const Target& t : f.successors(b)) widen(r, {position[t.block.index], position[t.block.index]});
      first.push_back(r);
    }
    const size_t count = first.size();
    levels_.push_back(std::move(first));
    for (size_t step = 1; 2 * step <= count; step *= 2) {
      const auto& below = levels_.back();
      std::vector<Range> level;
      for (size_t i = 0; i + 2 * step <= count; ++i) {
        level.push_back(below[i]);
        widen(level.back(), below[i + step]);
      }
      levels_.push_back(std::move(level));
    }
  }
  /// For the blocks at positions [from, to), not empty; their own positions count as targets.
  Range of(uint32_t from, uint32_t to) const {
    auto level = static_cast<size_t>(std::bit_width(to - from) - 1);
    Range r = levels_[level][from];
    widen(r, levels_[level][to - (1u << level)]);
    return r;
  }

 private:
  static void widen(Range& r, const Range& by) {
    r.low = std::min(r.low, by.low), r.high = std::max(r.high, by.high);
  }
  std::vector<std::vector<Range>> levels_;
};

class ReconvergenceFinder {
 public:
  ReconvergenceFinder(const Function& function, const Cfg& cfg, const DominatorTree& dominators,
                      const Uniformity& uniformity, BranchPolicy policy, ReconvergencePlan& plan)
      : f(function),
        cfg_(cfg),
        tree_(dominators),
        uniformity_(uniformity),
        policy_(policy),
        plan_(plan),
        reach_(f, plan_.position),
        state_(f.block_count(), 0) {}

  void run() {
    PostDominatorTree post(f, cfg_);
    for (BlockId b : f.layout)
      if (uniformity_.divergent_branch[b.index]) branch(b, post);
    for (BlockId b : f.layout)
      if (plan_.waited_for(b)) plan_.same_lanes[b.index] = same_lanes(b);
  }

 private:
  uint32_t position(BlockId b) const { return plan_.position[b.index]; }

  void branch(BlockId b, const PostDominatorTree& post) {
    auto targets = f.successors(b);
    KC_CHECK(targets.size() == 2, "divergent terminator with {} successors in @{}", targets.size(), f.name);
    int k = secondary_target(f, post, b);
    KC_CHECK(k >= 0, "divergent branch of @{} without a post-dominating successor", f.name);
    DivergentBranch d{.block = b, .primary = targets[1 - k].block, .secondary = targets[k].block};
    if (d.primary != d.secondary) {
      d.skip = needs_skip(d);
      uint32_t& from = plan_.waits_from[d.secondary.index];
      from = std::min(from, first_run(d));
    }
    plan_.branch_of[b.index] = static_cast<uint32_t>(plan_.branches.size());
    plan_.branches.push_back(d);
  }

  // The lowest position that the wave can reach while lanes wait.
  uint32_t first_run(const DivergentBranch& d) const {
    const uint32_t to = position(d.secondary);
    uint32_t low = position(d.primary);
    KC_CHECK(low < to, "a primary successor of @{} lies behind the secondary", f.name);
    for (uint32_t next = low;; low = next) {
      next = reach_.of(low, to).low;
      if (next == low) return low;
    }
  }

  // Depth-first search of the primary arm until something justifies the skip: a cycle (also back to the
  // branch), an operation that needs active lanes, or too much work.
  bool needs_skip(const DivergentBranch& d) {
    constexpr char kOpen = 1, kDone = 2;
    std::vector<std::pair<BlockId, size_t>> stack;
    std::vector<BlockId> seen;
    uint64_t cost = 0;
    bool skip = false;
    auto enter = [&](BlockId b) {
      state_[b.index] = kOpen;
      seen.push_back(b);
      stack.push_back({b, 0});
      for (InstId i : f.block(b).insts) cost += masked_cost(f, f.inst(i), policy_.costs);
      skip |= cost > policy_.costs.jump || needs_non_empty(b);
    };
    enter(d.primary);
    while (!stack.empty() && !skip) {
      auto& [b, next] = stack.back();
      auto succs = f.successors(b);
      if (next == succs.size()) {
        state_[b.index] = kDone;
        stack.pop_back();
        continue;
      }
      BlockId s = succs[next++].block;
      if (s == d.secondary) continue;
      skip |= state_[s.index] == kOpen;
      if (!state_[s.index]) enter(s);
    }
    for (BlockId b : seen) state_[b.index] = 0;
    return skip;
  }

  bool needs_non_empty(BlockId b) const {
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::load && !uniformity_.divergent[inst.operands[0].index]) return true;
      if (info(inst.op).has(Convergent)) return true;
      if (policy_.uniform_needs_lanes && !inst.results.empty() && done_by_wave(inst)) return true;
    }
    return false;
  }
  // In a cycle with divergent entries the result may diverge although all operands are uniform.
  bool done_by_wave(const Inst& inst) const {
    if (!uniformity_.divergent[inst.results[0].index]) return true;
    return !info(inst.op).has(LaneSource) &&
           std::ranges::none_of(inst.operands, [&](ValueId v) { return uniformity_.divergent[v.index]; });
  }

  // Finds a dominator d of b, in the same cycles, such that the blocks from d up to b have no exit edge
  // except to b: every lane at d reaches b before it reaches d again. Or a cycle before b entered by one
  // edge, all of whose lanes reach b.
  SameLanes same_lanes(BlockId b) const {
    const Cycles& cycles = uniformity_.cycles;
    constexpr int kMaxSteps = 32;
    BlockId d = tree_.idom[b.index];
    for (int step = 0; step < kMaxSteps && d.valid(); ++step) {
      if (position(d) >= position(b)) return {};
      if (uint32_t c = cycles.largest_between(d.index, b.index); c != kNone) {
        d = BlockId(cycles.cycles[c].header);
        const Cycle& cycle = cycles.cycles[c];
        bool same_cycle = cycle.reducible() && cycle.parent == cycles.innermost[b.index];
        if (same_cycle && enters_once(d, c) && stays_between(position(d), position(b), true))
          return {SameLanes::Entry, d};
      } else if (cycles.innermost[d.index] == cycles.innermost[b.index] &&
                 stays_between(position(d), position(b), false)) {
        return {SameLanes::Block, d};
      }
      d = tree_.idom[d.index];
    }
    return {};
  }
  // Whether all edges from positions [from, to) stay inside or lead to `to`; an edge to `from` is allowed
  // only with `again`.
  bool stays_between(uint32_t from, uint32_t to, bool again) const {
    Reach::Range all = reach_.of(from, to);
    if (all.low < from || all.high > to) return false;
    if (again) return true;
    if (from + 1 < to && reach_.of(from + 1, to).low <= from) return false;
    return std::ranges::none_of(f.successors(f.layout[from]),
                                [&](const Target& t) { return position(t.block) == from; });
  }
  // By an edge on which no lane waits.
  bool enters_once(BlockId header, uint32_t cycle) const {
    if (plan_.waited_for(header)) return false;
    int entries = 0;
    for (BlockId p : cfg_.preds[header.index]) entries += !uniformity_.cycles.contains(cycle, p);
    return entries == 1;
  }

  const Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Uniformity& uniformity_;
  BranchPolicy policy_;
  ReconvergencePlan& plan_;
  Reach reach_;
  std::vector<char> state_;
};

}  // namespace

ReconvergencePlan plan_reconvergence_points(const Function& f, const Cfg& cfg,
                                            const DominatorTree& dominators, const Uniformity& uniformity,
                                            BranchPolicy policy) {
  ReconvergencePlan plan;
  plan.branch_of.assign(f.block_count(), kNone);
  plan.position.assign(f.block_count(), kNone);
  plan.waits_from.assign(f.block_count(), kNone);
  plan.same_lanes.resize(f.block_count());
  for (uint32_t n = 0; n < f.layout.size(); ++n) plan.position[f.layout[n].index] = n;
  ReconvergenceFinder(f, cfg, dominators, uniformity, policy, plan).run();
  return plan;
}

int secondary_target(const Function& f, const PostDominatorTree& post, BlockId b) {
  auto targets = f.successors(b);
  if (targets.size() != 2) return -1;
  for (int k : {0, 1})
    if (targets[static_cast<size_t>(k)].block != b &&
        post.post_dominates(targets[static_cast<size_t>(k)].block, b))
      return k;
  return -1;
}

}  // namespace kc
