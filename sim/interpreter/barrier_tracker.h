// SPDX-License-Identifier: Apache-2.0
// Whether the work-items of a group that arrive at barriers belong together, when whole waves arrive.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kc {

/// What is kept of a wave from one barrier to the next.
struct BarrierHistory {
  uint64_t skipped = 0;               // lanes that were not at a meeting
  std::array<uint32_t, 64> missed{};  // by skipped lane: the first one
};

/// A wave that stands at a barrier.
struct WaveAtBarrier {
  uint64_t place = 0;               // tells barriers apart
  uint64_t arrived = 0, valid = 0;  // lanes: those that arrive, and all that have a work-item
  std::function<std::array<uint64_t, 3>(uint32_t)> global_id;  // of a lane
  BarrierHistory* history = nullptr;
};

/// A work-item at a barrier that others of its group did not come to.
struct StrandedItem {
  uint64_t place = 0;
  std::array<uint64_t, 3> global_id{};
};

/// The barriers of one group.
class BarrierTracker {
 public:
  /// All waves of the group that have not ended stand at a barrier. Empty when they may go on: it is the same
  /// one, and no lane arrives that was elsewhere when others of its wave arrived before. Otherwise work-items
  /// stand at different barriers: those that arrive late at theirs, and those that arrived without them.
  std::vector<StrandedItem> arrive(std::span<const WaveAtBarrier> waves);

 private:
  std::vector<std::vector<StrandedItem>> meetings_;  // at which some of the work-items were missing
};

}  // namespace kc
