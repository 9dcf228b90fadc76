// SPDX-License-Identifier: Apache-2.0
// meld: executes what both arms of a divergent branch have in common once, for all work-items together.
//
// A wave whose items diverge runs both arms in sequence, each with some lanes. Where the arms are alike
// except for their operands, one execution suffices, with operands selected by the condition. Arms are split
// into single-entry single-exit pieces (a block, a branch with its arms, a loop). Pieces with equal graphs
// are aligned, or a block with a block of a larger piece; within them blocks, and within those instructions.
// Instructions with a counterpart are merged; others run for all items if cheap and pure, else under a branch
// on the condition. No store is added. (C. Saumya, K. Sundararajah and M. Kulkarni, "DARM: Control-Flow
// Melding for SIMT Thread Divergence Reduction", 2022; the cost model and shared parameters are new here.)
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b0: br_if %c -> b1, b2                          b0: %q = select %c, %a, %b
//   b1: %x = load %a; %y = add %x, 1; store %a, %y      %x = load %q
//   b2: %z = load %b; %w = add %z, 2; store %b, %w  ==> %k = select %c, 1, 2
//   b3:                                                 %y = add %x, %k; store %q, %y
#include "passes/transform/meld.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>
#include <vector>

#include "passes/ir_util.h"
#include "passes/transform/dce.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/meld_plan.h"
#include "passes/transform/meld_regions.h"
#include "passes/transform/meld_rewrite.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

constexpr uint32_t kMostMelds = 32;       // each visits the whole function
constexpr size_t kMostVisited = 200'000;  // instructions, by all after the first; ends the melding of giants
constexpr int kBranchOfCpu = 4;           // with its mask

const MeldStep* first_pair(const MeldedPieces& pieces) {
  for (const MeldedBlocks& blocks : pieces.blocks)
    for (const MeldStep& s : blocks.steps)
      if (s.both()) return &s;
  return nullptr;
}

void say(const Function& f, const MeldPlan& plan, Remarks* remarks) {
  if (!remarks || !remarks->wants("meld")) return;
  std::array<std::vector<BlockId>, 2> sides;
  for (size_t k : {0, 1})
    for (const MeldPiece& piece : plan.region.sides[k])
      sides[k].insert(sides[k].end(), piece.blocks.begin(), piece.blocks.end());
  Remark remark{
      "meld", f.inst(f.terminator(plan.region.branch)).loc,
      fmt::format("{} have {} operations in common (profit {:.3f}): done once for both, that saves a "
                  "wave about {}",
                  plan.region.of_switch() ? "two arms of this switch" : "the arms of this branch",
                  plan.common, meld_profit(f, sides[0], sides[1]), plan.saved)};
  for (const MeldedPieces& pieces : plan.melded)
    if (const MeldStep* s = first_pair(pieces)) {
      remark.notes.push_back({f.inst(s->left).loc, "what one arm does here"});
      remark.notes.push_back({f.inst(s->right).loc, "and here on the other"});
    }
  remarks->add(std::move(remark));
}

bool single_blocks(const MeldRegion& region) {
  return std::ranges::all_of(region.sides,
                             [](const auto& side) { return side.size() == 1 && side[0].blocks.size() == 1; });
}

// Whether a single block could be aligned with a larger piece of the other arm: otherwise a plan that allows
// this is the same as one that does not.
bool has_single_beside_several(const MeldRegion& region) {
  auto has = [&](size_t side, bool single) {
    return std::ranges::any_of(region.sides[side],
                               [&](const MeldPiece& p) { return (p.blocks.size() == 1) == single; });
  };
  return (has(0, true) && has(1, false)) || (has(0, false) && has(1, true));
}

template <typename Visit>
void for_each_block(const MeldRegion& region, Visit visit) {
  if (!region.of_switch()) visit(region.branch);
  for (const auto& side : region.sides)
    for (const MeldPiece& piece : side)
      for (BlockId b : piece.blocks) visit(b);
}

// What a plan for a region depends on, as far as it lies inside: the instructions, and which of them differ
// between work-items.
uint64_t fingerprint(const Function& f, const MeldRegion& region, const Uniformity& uniformity, bool beside) {
  uint64_t sum = beside;
  auto mix = [&](uint64_t x) { sum = (sum ^ x) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29; };
  auto mix_all = [&](const auto& values) {
    for (ValueId v : values) mix(v.index);
  };
  mix(region.branch.index), mix(region.end.index), mix_all(region.cases);
  mix_all(f.inst(f.terminator(region.branch)).operands);
  for (const auto& side : region.sides)
    for (const MeldPiece& piece : side)
      for (BlockId b : piece.blocks) {
        mix(b.index);
        for (InstId i : f.block(b).insts) {
          const Inst& inst = f.inst(i);
          mix(i.index), mix(static_cast<uint64_t>(inst.op)), mix_all(inst.operands);
          for (int64_t attr : inst.attrs) mix(static_cast<uint64_t>(attr));
          for (const Target& t : inst.targets) mix(t.block.index), mix_all(t.args);
          for (ValueId v : inst.results) mix(uniformity.divergent[v.index]);
        }
      }
  return sum;
}

// What earlier iterations found.
struct MeldFailures {
  std::set<InstId> hopeless;             // branches whose arms have other entries or exits
  std::unordered_set<uint64_t> no_gain;  // regions, by fingerprint, that nobody gains from
};

// The plans of one iteration; their regions are disjoint.
class MeldIteration {
 public:
  MeldIteration(const Function& function, AnalysisCache& analyses, const TargetCosts& costs, Meld mode,
                MeldFailures& failures)
      : f(function),
        costs_(costs),
        mode_(mode),
        uniformity_(analyses.uniformity()),
        cfg_(analyses.cfg()),
        dom_(analyses.dominators()),
        post_(f, cfg_),
        regions_(MeldGraph{f, cfg_, dom_, post_, uniformity_.cycles}),
        failures_(failures),
        taken_(f.block_count()) {}

  // Outer branches come before inner ones; where single blocks are aligned with larger pieces, inner ones
  // come first, so that chains of `else if` are merged from the last on.
  std::vector<MeldPlan> find() {
    for (BlockId b : cfg_.rpo) {
      const InstId end = f.terminator(b);
      if (taken_[b.index] || !uniformity_.divergent_branch[b.index] || failures_.hopeless.contains(end))
        continue;
      if (f.inst(end).op == Op::switch_) {
        look_at_arms(b);
        continue;
      }
      auto region = regions_.find(b);
      if (!region)
        failures_.hopeless.insert(end);
      else if ((mode_ != Meld::Fusion || single_blocks(*region)) && !add(plan(*region, false)) &&
               has_single_beside_several(*region))
        left_.push_back(std::move(*region));
    }
    for (size_t k = left_.size(); mode_ != Meld::Fusion && k-- > 0;) add(plan(left_[k], true));
    return std::move(plans_);
  }

 private:
  // Whether another plan uses a block of it.
  bool is_taken(const MeldRegion& region) const {
    bool taken = false;
    for_each_block(region, [&](BlockId b) { taken |= taken_[b.index]; });
    return taken;
  }

  std::optional<MeldPlan> plan(const MeldRegion& region, bool beside) {
    if (is_taken(region)) return std::nullopt;
    const uint64_t known_as = fingerprint(f, region, uniformity_, beside);
    if (failures_.no_gain.contains(known_as)) return std::nullopt;
    auto made = plan_meld(f, region, uniformity_, costs_, beside);
    if (made && (pays(*made) || mode_ == Meld::Always)) return made;
    failures_.no_gain.insert(known_as);
    return std::nullopt;
  }

  // Work-items that pass blocks of the other arm cost CPUs more than is estimated: jumps that are taken less
  // often are predicted worse, and masks are computed with vectors. They also gain nothing where most waves
  // take one arm.
  bool pays(const MeldPlan& plan) const {
    const Inst& end = f.inst(f.terminator(plan.region.branch));
    if (costs_.rows && end.op == Op::br_if && agree_in_most_waves(f, uniformity_, end.operands[0]))
      return false;
    const bool by_others =
        std::ranges::any_of(plan.melded, [](const auto& p) { return p.single.has_value(); });
    return plan.saved > (by_others && costs_.rows ? kBranchOfCpu : 0);
  }

  bool add(std::optional<MeldPlan> plan) {
    if (!plan) return false;
    for_each_block(plan->region, [&](BlockId b) { taken_[b.index] = true; });
    plans_.push_back(std::move(*plan));
    return true;
  }

  // Examines the two arms of a switch that save most, then two of the others.
  void look_at_arms(BlockId branch) {
    if (mode_ == Meld::Fusion) return;
    std::vector<MeldPlan> plans;
    for (const MeldRegion& region : regions_.find_arms(branch))
      if (auto made = plan(region, true)) plans.push_back(std::move(*made));
    std::ranges::stable_sort(plans, std::ranges::greater(), &MeldPlan::saved);
    for (MeldPlan& made : plans)
      if (!is_taken(made.region)) add(std::move(made));
  }

  const Function& f;
  const TargetCosts& costs_;
  const Meld mode_;
  const Uniformity& uniformity_;
  const Cfg& cfg_;
  const DominatorTree& dom_;
  const PostDominatorTree post_;
  MeldRegions regions_;
  MeldFailures& failures_;
  std::vector<bool> taken_;       // blocks of plans
  std::vector<MeldRegion> left_;  // regions without a profitable plan by blocks, to be tried otherwise
  std::vector<MeldPlan> plans_;
};

}  // namespace

bool meld(Function& f, AnalysisCache& analyses, const TargetCosts& costs, Meld mode, Remarks* remarks) {
  if (mode == Meld::Never || !has_any(f, {Op::br_if, Op::switch_})) return false;
  bool changed = false, melded = false;
  MeldFailures failures;
  for (size_t n = 0, visited = 0; n < kMostMelds && visited <= kMostVisited; ++n) {
    changed |= remove_unreachable_blocks(f, analyses);
    const std::vector<MeldPlan> plans = MeldIteration(f, analyses, costs, mode, failures).find();
    if (plans.empty()) break;
    for (const MeldPlan& plan : plans) say(f, plan, remarks);
    apply_melds(f, plans);
    analyses.keep(NoAnalyses);
    changed = melded = true;
    for (BlockId b : f.layout) visited += f.block(b).insts.size();
  }
  if (melded) {
    instcombine(f, analyses);
    simplify_cfg(f, analyses);
    dce(f, analyses);
  }
  return changed;
}

}  // namespace kc
