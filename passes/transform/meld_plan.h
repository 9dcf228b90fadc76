// SPDX-License-Identifier: Apache-2.0
// Selects the parts of a branch's two arms that are merged, and estimates the saving.
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

/// One step in the alignment of two blocks: instructions that are merged, or one of a single arm.
struct MeldStep {
  InstId left, right;
  bool both() const { return left.valid() && right.valid(); }
};

struct MeldedBlocks {
  BlockId left, right;
  bool swapped = false;       // the first target of one is the counterpart of the other's second
  std::optional<size_t> way;  // aligned with a single block: the target for its work-items at this block
  std::vector<MeldStep> steps;
  bool both() const { return left.valid() && right.valid(); }
};

/// Pieces with equal graphs, or a single block aligned with one block of a larger piece: the other blocks
/// have no counterpart. Blocks come before those that they dominate, the entries first.
struct MeldedPieces {
  size_t left = 0, right = 0;    // among the region's pieces
  std::optional<size_t> single;  // the arm with a single block, if the other piece has several
  std::vector<MeldedBlocks> blocks;
};

struct MeldPlan {
  MeldRegion region;
  std::vector<MeldedPieces> melded;  // in the order of both arms
  uint32_t common = 0;               // merged pairs of instructions
  int saved = 0;                     // simple operations of a wave, estimated
};

/// A run of this many operations of one arm is jumped over by the other arm's work-items.
inline constexpr int kMeldRun = 12;

/// The plan that saves most; nothing if none saves anything. `beside`: single blocks may be aligned with one
/// block of a larger piece.
std::optional<MeldPlan> plan_meld(const Function& f, MeldRegion region, const Uniformity& uniformity,
                                  const TargetCosts& costs, bool beside = true);

/// Whether lanes agree about a condition in most waves: it compares ids with uniform numbers, as at the
/// borders of a grid or in the first half of a group; or it asks whether floats are equal, which they hardly
/// ever are. They do about uniform conditions.
bool agree_in_most_waves(const Function& f, const Uniformity& uniformity, ValueId condition, int depth = 4);

/// By result of the right arm: the left result that it is merged with.
std::map<ValueId, ValueId> meld_partners(const Function& f, const std::vector<MeldedPieces>& melded);

/// The paper's measure of the similarity of two arms: by opcode, the smaller count of the two arms over the
/// sum of both, weighted by the paper's latencies. 0 to 0.5; the paper melds from 0.2 on.
double meld_profit(const Function& f, std::span<const BlockId> left, std::span<const BlockId> right);

/// The cost of a run of instructions for work-items of the other arm; kNeverSpeculate if it must be jumped
/// over.
int meld_run_cost(const Function& f, std::span<const InstId> run);

}  // namespace kc
