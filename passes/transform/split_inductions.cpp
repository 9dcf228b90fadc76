// SPDX-License-Identifier: Apache-2.0
// split_inductions: variables of loops with barriers that all work-items increase by the same amounts.
//
// A group runs such a loop part by part, each part for one wave after the other. A variable that differs from
// work-item to work-item is in memory between two parts, one vector for each wave, and addresses made of it
// are no longer known to be next to each other. What it starts with is computed again where it is needed, or
// at least does not change; what has been added to it is the same for all.
//
//     br -> b1(%start)                      br -> b1(0)
//   b1(%1: i32):                          b1(%3: i32):
//     %2: i32 = add %1, %stride    ==>      %1: i32 = add %start, %3
//     barrier                               %4: i32 = add %3, %stride
//     br_if %c -> b1(%2), b2                barrier
//                                           br_if %c -> b1(%4), b2
#include "passes/transform/split_inductions.h"

#include <algorithm>

#include "passes/ir_util.h"
#include "passes/transform/induction_splitter.h"

namespace kc {

bool split_inductions(Function& f, AnalysisCache& analyses) {
  if (!has_any(f, {Op::barrier})) return false;
  InductionSplitter splitter(f, analyses);
  const Cycles& cycles = splitter.cycles();
  Replacements replaced(f);
  auto has_barrier = [&](uint32_t n) {
    return std::ranges::any_of(f.block(BlockId(n)).insts,
                               [&](InstId i) { return f.inst(i).op == Op::barrier; });
  };
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    if (std::ranges::any_of(cycles.nodes(c), has_barrier))
      splitter.each_variable(c, [&](const InductionSplitter::Loop& loop) {
        const ValueId p = splitter.variable(loop), sum = splitter.add_sum(loop, 1);
        replaced.set(p, splitter.computed({loop.start(), sum}, loop.header, 0));
      });
  if (replaced.empty()) return false;
  apply_replacements(f, replaced);
  return splitter.finish();
}

}  // namespace kc
