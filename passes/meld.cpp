// SPDX-License-Identifier: Apache-2.0
// meld: what both sides of a branch do is done once, for all work-items together.
//
// A wave whose work-items part at a branch runs both sides, one after the other, each for a part of the
// lanes. Where the sides do alike things, to other values, one run is enough: operands that differ are chosen
// by the branch's condition in front. Sides are cut into pieces with one way in and one way out (a block, a
// branch with its sides, a loop). Pieces with the same graph are aligned, in them blocks, in these
// instructions: what has a counterpart becomes one, what has none stands in between and runs for all if it is
// cheap and does nothing but compute, else behind a branch on the condition. Nothing is stored that was not
// before. (C. Saumya, K. Sundararajah and M. Kulkarni, "DARM: Control-Flow Melding for SIMT Thread Divergence
// Reduction", 2022; costs in place of its profit, and parameters in common, are ours.)
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

constexpr uint32_t kMostRewrites = 32;  // of one function: each looks at all of it again

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
    for (const MeldStep& s : pieces.blocks[0].steps)
      if (s.both()) {
        remark.notes.push_back({f.inst(s.left).loc, "what stands here on one side"});
        remark.notes.push_back({f.inst(s.right).loc, "and here on the other"});
        break;
      }
  remarks->add(std::move(remark));
}

bool single_blocks(const MeldRegion& region) {
  return std::ranges::all_of(region.sides,
                             [](const auto& side) { return side.size() == 1 && side[0].blocks.size() == 1; });
}

std::optional<MeldPlan> best_plan(const Function& f, UniformityOptions options, const SkipCosts& costs,
                                  Meld mode) {
  const Uniformity uniformity = analyse_uniformity(f, options);
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  const PostDominatorTree post(f, cfg);
  const MeldGraph graph{f, cfg, dom, post, uniformity.cycles};
  for (BlockId b : cfg.rpo) {
    if (!uniformity.divergent_branch[b.index] || f.inst(f.terminator(b)).op != Op::br_if) continue;
    auto region = find_meld_region(graph, b);
    if (!region || (mode == Meld::Fusion && !single_blocks(*region))) continue;
    auto plan = plan_meld(f, std::move(*region), uniformity, costs);
    if (plan && (plan->saved > 0 || mode == Meld::Always)) return plan;
  }
  return std::nullopt;
}

}  // namespace

bool meld(Function& f, UniformityOptions options, const SkipCosts& costs, Meld mode, Remarks* remarks) {
  if (mode == Meld::Never || !has_any(f, {Op::br_if})) return false;
  bool changed = false, melded = false;
  for (uint32_t n = 0; n < kMostRewrites; ++n) {
    changed |= remove_unreachable_blocks(f);
    auto plan = best_plan(f, options, costs, mode);
    if (!plan) break;
    say(f, *plan, remarks);
    apply_meld(f, *plan);
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
