// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/header_selection.h"

#include <algorithm>
#include <cmath>

#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostChoices = 4;                         // each costs a run of reconverge
constexpr size_t kMostSearched = 2000, kMostInsts = 5000;  // blocks and instructions of the function
// On random kernels with irreducible loops a weight of 2 predicted the cheaper header better than 4 or 8.
constexpr double kRounds = 2;
constexpr uint32_t kDeepest = 60;

}  // namespace

std::vector<BlockId> header_choices(const Function& f, const Cycles& cycles) {
  std::vector<BlockId> choices;
  if (f.layout.size() > kMostSearched || std::ranges::all_of(cycles.cycles, &Cycle::reducible))
    return choices;
  size_t insts = 0;
  for (BlockId b : f.layout) insts += f.block(b).insts.size();
  if (insts > kMostInsts) return choices;
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  for (const Cycle& c : cycles.cycles) {
    if (c.reducible() || choices.size() == kMostChoices) continue;
    BlockId b(c.header);
    for (uint32_t e : c.entries) b = dom.nearest_common(b, BlockId(e));
    const Inst& end = f.inst(f.terminator(b));
    if (end.op != Op::br_if || end.targets[0].block == end.targets[1].block) continue;
    if (std::ranges::find(choices, b) == choices.end()) choices.push_back(b);
  }
  return choices;
}

void swap_targets(Function& f, BlockId b) {
  const InstId end = f.terminator(b);
  const ValueId condition = f.inst(end).operands[0];
  const Type type = kI1;
  const InstId inverse =
      f.create(Op::xor_, {condition, f.constant(kI1, 1)}, std::span(&type, 1), f.inst(end).loc);
  f.insert(b, f.block(b).insts.size() - 1, inverse);
  f.inst(end).operands[0] = f.result(inverse);
  std::swap(f.inst(end).targets[0], f.inst(end).targets[1]);
}

double cost_of_rounds(const Function& f) {
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  double cost = 0;
  for (BlockId b : cfg.rpo) {
    const uint32_t c = cycles.innermost[b.index];
    const uint32_t depth = c == kNone ? 0 : std::min(cycles.cycles[c].depth, kDeepest);
    size_t operations = f.block(b).insts.size();
    if (b != f.entry()) operations += f.block(b).params.size();
    cost += static_cast<double>(operations) * std::pow(kRounds, depth);
  }
  return cost;
}

}  // namespace kc
