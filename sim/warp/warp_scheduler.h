// SPDX-License-Identifier: Apache-2.0
// Which block a warp issues next, and for which of its work-items: the hardware schemes that the literature
// compares. They know places and sets of lanes, nothing of instructions.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ir/cfg.h"

namespace kc {

/// Lanes of a warp, ascending.
using LaneSet = std::vector<uint32_t>;

enum class WarpScheme : uint8_t {
  /// A stack of (place, lanes, where they meet): at a branch that parts them the sides run one after the
  /// other up to the block that post-dominates the branch. An entry that would only wait at its own meeting
  /// place is dropped, so a loop does not grow the stack.
  Ipdom,
  /// Thread frontiers with a sorted stack: of all blocks at which lanes wait, the one of highest priority;
  /// lanes that arrive where others wait join them.
  TfStack,
  /// Thread frontiers with a program counter for each lane and no way to find the lanes: unless all lanes of
  /// the warp go one way, on to the block of highest priority where some might wait, even if nobody does.
  TfSandy,
  Count_
};
/// "ipdom", "tf-stack", "tf-sandy"
std::string_view to_string(WarpScheme scheme);

/// What the thread-frontier schemes know of a function, by block id (`Frontiers` of
/// passes/analysis/frontiers.h).
struct BlockPriorities {
  std::vector<uint32_t> position;  // 0 is the highest priority
  std::vector<uint32_t> top;       // the first block of the frontier, or kNone
  static constexpr uint32_t kNone = 0xffffffffu;
};

/// The lanes that leave a block for one other block.
struct WarpExit {
  BlockId to;
  LaneSet lanes;
};

class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// All lanes are at `entry`.
  virtual void start(BlockId entry, LaneSet lanes) = 0;
  /// The block to issue now; invalid when all lanes have ended.
  virtual BlockId block() const = 0;
  /// The lanes it runs for: none when it is issued because some might have waited there.
  virtual const LaneSet& lanes() const = 0;
  /// The block is done. Exits go to different blocks, in the order of its targets; lanes that are in none of
  /// them have ended. False when lanes are left of which the scheme has lost sight: the priorities belong to
  /// another function.
  virtual bool leave(std::span<WarpExit> exits) = 0;
  /// Entries of the stack now; 0 for a scheme without one.
  virtual size_t depth() const = 0;
  /// How often lanes joined others that waited.
  uint64_t merges = 0;
};

/// `post` is for Ipdom, `priorities` for the others; both must outlive the scheduler.
std::unique_ptr<WarpScheduler> make_scheduler(WarpScheme scheme, const PostDominatorTree& post,
                                              const BlockPriorities& priorities);

}  // namespace kc
