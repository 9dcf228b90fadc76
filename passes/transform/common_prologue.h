// SPDX-License-Identifier: Apache-2.0
// The common prologues of a loop's states: the analysis of merge_state_prologues.
#pragma once

#include <optional>
#include <vector>

#include "passes/analysis/cache.h"
#include "passes/analysis/cycles.h"
#include "passes/analysis/phi_webs.h"
#include "passes/analysis/uniformity.h"
#include "passes/transform/meld_mode.h"

namespace kc {

/// The blocks from the beginning of a state to the one with the load; each dominates the next.
struct Prologue {
  std::vector<BlockId> levels;
};

/// A computation on the prologues' results that several states have: it occurs once in each of the blocks
/// `at`.
struct SharedTest {
  Inst inst;
  std::vector<InstId> at;
};

/// The matching instructions of prologues: by level, by position, per prologue.
struct PrologueGroup {
  std::vector<Prologue> prologues;
  std::vector<std::vector<std::vector<InstId>>> common;
  std::vector<SharedTest> tests;
  uint32_t cycle = 0;
  size_t levels() const { return prologues[0].levels.size(); }
  BlockId begin(size_t prologue) const { return prologues[prologue].levels.front(); }
};

/// Prologues, and the analyses with which they were found.
struct FoundPrologues {
  PrologueGroup group;
  PhiWebs webs;
  Cycles cycles;
};

/// The prologues of the outermost loop with a profitable group; with Meld::Always any group.
std::optional<FoundPrologues> find_common_prologues(const Function& f, AnalysisCache& analyses, Meld meld);

}  // namespace kc
