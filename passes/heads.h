// SPDX-License-Identifier: Apache-2.0
// What states of a loop have in common: the question that share_heads asks.
#pragma once

#include <optional>
#include <vector>

#include "passes/cycles.h"
#include "passes/meld_mode.h"
#include "passes/uniformity.h"
#include "passes/webs.h"

namespace kc {

/// The blocks from where a state begins up to the one with the load, each the only way to the next.
struct Head {
  std::vector<BlockId> levels;
};

/// What several states compute from what the heads compute: once in each of the blocks `at`.
struct SharedTest {
  Inst inst;
  std::vector<InstId> at;
};

/// What heads have in common: by level, by place, the instructions of the heads.
struct HeadGroup {
  std::vector<Head> heads;
  std::vector<std::vector<std::vector<InstId>>> common;
  std::vector<SharedTest> tests;
  uint32_t cycle = 0;
  size_t levels() const { return heads[0].levels.size(); }
  BlockId begin(size_t head) const { return heads[head].levels.front(); }
};

/// Heads, and what was known of the function when they were found.
struct FoundHeads {
  HeadGroup group;
  Webs webs;
  Cycles cycles;
};

/// Heads that should do together what they have in common, of the outermost loop that has some. With
/// Meld::Always it need not pay.
std::optional<FoundHeads> find_heads(const Function& f, UniformityOptions options, Meld meld);

}  // namespace kc
