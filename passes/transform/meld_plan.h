// SPDX-License-Identifier: Apache-2.0
// What of the two sides of a branch is to be done together, and what that saves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "passes/analysis/costs.h"
#include "passes/analysis/uniformity.h"
#include "passes/transform/meld_regions.h"

namespace kc {

/// One step through two blocks: instructions that become one, or one that a side has for itself.
struct MeldStep {
  InstId left, right;
  bool both() const { return left.valid() && right.valid(); }
};

struct MeldedBlocks {
  BlockId left, right;
  bool swapped = false;  // the first target of one is the counterpart of the other's second
  std::optional<size_t>
      way;  // beside a single block: the target by which its work-items go, if they come here
  std::vector<MeldStep> steps;
  bool both() const { return left.valid() && right.valid(); }
};

/// Pieces with the same graph, or a single block that goes with one block of several: the others have none
/// beside them. Blocks stand before those that they dominate, the entries first.
struct MeldedPieces {
  size_t left = 0, right = 0;    // among the region's pieces
  std::optional<size_t> single;  // the side that is a single block beside several
  std::vector<MeldedBlocks> blocks;
};

struct MeldPlan {
  MeldRegion region;
  std::vector<MeldedPieces> melded;  // in the order of both sides
  uint32_t common = 0;               // instructions that two become one of
  int saved = 0;                     // simple operations of a wave, estimated
};

/// From how many operations in a row that only one side wants these are jumped over by the others.
inline constexpr int kMeldRun = 12;

/// The plan that saves most; nothing if none saves anything. `beside`: single blocks may go with one of
/// several.
std::optional<MeldPlan> plan_meld(const Function& f, MeldRegion region, const Uniformity& uniformity,
                                  const TargetCosts& costs, bool beside = true);

/// By result of the right side: that of the left side which becomes one with it.
std::map<ValueId, ValueId> meld_partners(const Function& f, const std::vector<MeldedPieces>& melded);

/// The paper's measure of how alike two sides are: by operation, what the less frequent side has of it, over
/// what both have, in the paper's latencies. 0 to 0.5; the paper melds from 0.2 on.
double meld_profit(const Function& f, std::span<const BlockId> left, std::span<const BlockId> right);

/// What a run of instructions costs those who do not want it; kNeverSpeculate if it must be jumped over.
int meld_run_cost(const Function& f, std::span<const InstId> run);

}  // namespace kc
