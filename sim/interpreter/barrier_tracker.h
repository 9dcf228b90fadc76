// SPDX-License-Identifier: Apache-2.0
// Checks convergence at barriers: whether the arriving work-items of a group match, when whole waves arrive.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kc {

/// State of a wave between barriers.
struct BarrierHistory {
  uint64_t skipped = 0;               // lanes that missed a barrier
  std::array<uint32_t, 64> missed{};  // by skipped lane: the first barrier it missed
};

/// A wave that waits at a barrier.
struct WaveAtBarrier {
  uint64_t place = 0;               // identifies the barrier
  uint64_t arrived = 0, valid = 0;  // lanes: those that arrive, and all that have a work-item
  std::function<std::array<uint64_t, 3>(uint32_t)> global_id;  // of a lane
  BarrierHistory* history = nullptr;
};

/// A work-item at a barrier that others of its group did not reach.
struct StrandedItem {
  uint64_t place = 0;
  std::array<uint64_t, 3> global_id{};
};

/// The barriers of one group.
class BarrierTracker {
 public:
  /// All waves of the group that have not ended wait at a barrier. Returns nothing if they may continue: it
  /// is the same barrier, and no arriving lane missed an earlier arrival of its wave. Otherwise returns the
  /// work-items at different barriers: late arrivals, and those that arrived without them.
  std::vector<StrandedItem> arrive(std::span<const WaveAtBarrier> waves);

 private:
  std::vector<std::vector<StrandedItem>> meetings_;  // barriers at which some work-items were missing
};

}  // namespace kc
