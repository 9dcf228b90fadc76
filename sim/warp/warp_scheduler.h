// SPDX-License-Identifier: Apache-2.0
// Warp scheduling: which block a warp issues next, and for which lanes, under the hardware schemes that the
// literature compares. Schedulers know blocks and sets of lanes, but no instructions.
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
  /// A stack of (block, lanes, reconvergence block). After a divergent branch the arms execute one after the
  /// other up to the immediate post-dominator of the branch. An entry that would only wait at its own
  /// reconvergence block is dropped, so a loop does not grow the stack.
  Ipdom,
  /// Thread frontiers with a sorted stack: issues the block of highest priority at which lanes wait. Lanes
  /// that arrive where others wait join them.
  TfStack,
  /// Thread frontiers with a program counter per lane and no search for waiting lanes. Unless all lanes of
  /// the warp take one path, issues the block of highest priority at which some might wait, even if none
  /// does.
  TfSandy,
  Count_
};
/// "ipdom", "tf-stack", "tf-sandy"
std::string_view to_string(WarpScheme scheme);

/// Input of the thread-frontier schemes, by block id (`Frontiers` of passes/analysis/frontiers.h).
struct BlockPriorities {
  std::vector<uint32_t> position;  // 0 is the highest priority
  std::vector<uint32_t> top;       // the first block of the frontier, or kNone
};

/// The lanes that take the edge from one block to another.
struct WarpExit {
  BlockId to;
  LaneSet lanes;
};

class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// All lanes are at `entry`.
  virtual void start(BlockId entry, LaneSet lanes) = 0;
  /// The block to issue now; invalid if all lanes have ended.
  virtual BlockId block() const = 0;
  /// The lanes it is issued for. None if it is issued only because lanes might wait there.
  virtual const LaneSet& lanes() const = 0;
  /// The block is done. Exits go to different blocks, in the order of its targets; lanes without exit have
  /// ended. Returns false if the scheme lost track of remaining lanes: the priorities belong to another
  /// function.
  virtual bool leave(std::span<WarpExit> exits) = 0;
  /// The lanes that have not ended and that the block is not issued for, by the block at which they wait.
  virtual std::vector<WarpExit> waiting() const = 0;
  /// The current stack depth; 0 for a scheme without stack.
  virtual size_t depth() const = 0;
  /// How often lanes joined waiting ones.
  uint64_t merges = 0;
};

/// `post` is for Ipdom, `priorities` for the others; both must outlive the scheduler.
std::unique_ptr<WarpScheduler> make_scheduler(WarpScheme scheme, const PostDominatorTree& post,
                                              const BlockPriorities& priorities);

}  // namespace kc
