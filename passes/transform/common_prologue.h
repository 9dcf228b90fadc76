// SPDX-License-Identifier: Apache-2.0
// What states of a loop have in common: the question that merge_state_prologues asks.
#pragma once

#include <optional>
#include <vector>

#include "passes/analysis/cycles.h"
#include "passes/analysis/phi_webs.h"
#include "passes/analysis/uniformity.h"
#include "passes/transform/meld_mode.h"

namespace kc {

/// The blocks from where a state begins up to the one with the load, each the only way to the next.
struct Prologue {
  std::vector<BlockId> levels;
};

/// What several states compute from what the prologues compute: once in each of the blocks `at`.
struct SharedTest {
  Inst inst;
  std::vector<InstId> at;
};

/// What prologues have in common: by level, by place, the instructions of the prologues.
struct PrologueGroup {
  std::vector<Prologue> prologues;
  std::vector<std::vector<std::vector<InstId>>> common;
  std::vector<SharedTest> tests;
  uint32_t cycle = 0;
  size_t levels() const { return prologues[0].levels.size(); }
  BlockId begin(size_t prologue) const { return prologues[prologue].levels.front(); }
};

/// Prologues, and what was known of the function when they were found.
struct FoundPrologues {
  PrologueGroup group;
  PhiWebs webs;
  Cycles cycles;
};

/// Prologues that should do together what they have in common, of the outermost loop that has some. With
/// Meld::Always it need not pay.
std::optional<FoundPrologues> find_common_prologues(const Function& f, UniformityOptions options, Meld meld);

}  // namespace kc
