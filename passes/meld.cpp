// SPDX-License-Identifier: Apache-2.0
// meld: what both sides of a branch do is done once, for all work-items together.
//
// A wave whose work-items part at a branch runs both sides, one after the other, each for a part of the
// lanes. Where the sides do alike things, to other values, one run is enough: operands that differ are chosen
// by the branch's condition in front. Sides are cut into pieces with one way in and one way out (a block, a
// branch with its sides, a loop). Pieces with the same graph are aligned, or a block with one block of
// several; in pieces blocks, in these instructions: what has a counterpart becomes one, what has none stands
// in between and runs for all if it is cheap and does nothing but compute, else behind a branch on the
// condition. Nothing is stored that was not before. (C. Saumya, K. Sundararajah and M. Kulkarni, "DARM:
// Control-Flow Melding for SIMT Thread Divergence Reduction", 2022; costs in place of its profit, and
// parameters in common, are ours.)
//
// Needs: ThreadForm, Ssa. Kills: Reconverging, Structured.
//
//   b0: br_if %c -> b1, b2                          b0: %q = select %c, %a, %b
//   b1: %x = load %a; %y = add %x, 1; store %a, %y      %x = load %q
//   b2: %z = load %b; %w = add %z, 2; store %b, %w  ==> %k = select %c, 1, 2
//   b3:                                                 %y = add %x, %k; store %q, %y
#include "passes/meld.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "passes/dce.h"
#include "passes/meld_plan.h"
#include "passes/meld_regions.h"
#include "passes/meld_rewrite.h"
#include "passes/rewrite.h"
#include "passes/simplify.h"
#include "passes/simplify_cfg.h"

namespace kc {
namespace {

constexpr uint32_t kMostRounds = 32;  // each looks at the whole function

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
      fmt::format("the sides of this branch have {} operations in common (profit {:.3f}): done once "
                  "for both, that saves a wave about {}",
                  plan.common, meld_profit(f, sides[0], sides[1]), plan.saved)};
  for (const MeldedPieces& pieces : plan.melded)
    if (const MeldStep* s = first_pair(pieces)) {
      remark.notes.push_back({f.inst(s->left).loc, "what stands here on one side"});
      remark.notes.push_back({f.inst(s->right).loc, "and here on the other"});
    }
  remarks->add(std::move(remark));
}

bool single_blocks(const MeldRegion& region) {
  return std::ranges::all_of(region.sides,
                             [](const auto& side) { return side.size() == 1 && side[0].blocks.size() == 1; });
}

template <typename Visit>
void for_each_block(const MeldRegion& region, Visit visit) {
  visit(region.branch);
  for (const auto& side : region.sides)
    for (const MeldPiece& piece : side)
      for (BlockId b : piece.blocks) visit(b);
}

bool overlaps(const MeldRegion& region, const std::vector<bool>& taken) {
  bool any = false;
  for_each_block(region, [&](BlockId b) { any |= taken[b.index]; });
  return any;
}

// What one plan concerns no other one does. Outer branches come before inner ones; where single blocks go
// beside several, inner ones before outer ones, so that chains of `else if` become one from the last on.
std::vector<MeldPlan> find_plans(const Function& f, UniformityOptions options, const SkipCosts& costs,
                                 Meld mode, std::set<InstId>& hopeless) {
  const Uniformity uniformity = analyse_uniformity(f, options);
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  const PostDominatorTree post(f, cfg);
  const MeldGraph graph{f, cfg, dom, post, uniformity.cycles};
  MeldRegions regions(graph);
  std::vector<MeldPlan> plans;
  std::vector<bool> taken(f.block_count());
  std::vector<MeldRegion> left;  // nothing of them pays block by block
  auto plan = [&](MeldRegion& region, bool beside) {
    if (overlaps(region, taken)) return true;
    auto made = plan_meld(f, region, uniformity, costs, beside);
    if (!made || (made->saved <= 0 && mode != Meld::Always)) return false;
    for_each_block(region, [&](BlockId b) { taken[b.index] = true; });
    plans.push_back(std::move(*made));
    return true;
  };
  for (BlockId b : cfg.rpo) {
    const InstId end = f.terminator(b);
    if (taken[b.index] || !uniformity.divergent_branch[b.index] || f.inst(end).op != Op::br_if) continue;
    if (hopeless.contains(end)) continue;
    auto region = regions.find(b);
    if (!region)
      hopeless.insert(end);
    else if ((mode != Meld::Fusion || single_blocks(*region)) && !plan(*region, false))
      left.push_back(std::move(*region));
  }
  if (mode == Meld::Fusion) return plans;
  for (size_t k = left.size(); k-- > 0;) plan(left[k], true);
  return plans;
}

}  // namespace

bool meld(Function& f, UniformityOptions options, const SkipCosts& costs, Meld mode, Remarks* remarks) {
  if (mode == Meld::Never || !has_any(f, {Op::br_if})) return false;
  bool changed = false, melded = false;
  std::set<InstId> hopeless;  // branches whose sides have other ways in or out
  for (uint32_t n = 0; n < kMostRounds; ++n) {
    changed |= remove_unreachable_blocks(f);
    const std::vector<MeldPlan> plans = find_plans(f, options, costs, mode, hopeless);
    if (plans.empty()) break;
    for (const MeldPlan& plan : plans) say(f, plan, remarks);
    apply_melds(f, plans);
    changed = melded = true;
  }
  if (melded) {
    simplify(f);
    simplify_cfg(f);
    dce(f);
  }
  return changed;
}

}  // namespace kc
