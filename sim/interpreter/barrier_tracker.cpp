// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/barrier_tracker.h"

#include <algorithm>
#include <bit>

namespace kc {
namespace {

template <typename Visit>
void each_lane(uint64_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1) visit(static_cast<uint32_t>(std::countr_zero(lanes)));
}

std::vector<StrandedItem> items(std::span<const WaveAtBarrier> waves, bool late_only) {
  std::vector<StrandedItem> r;
  for (const WaveAtBarrier& w : waves)
    each_lane(late_only ? w.arrived & w.history->skipped : w.arrived, [&](uint32_t l) {
      r.push_back({w.place, w.global_id(l)});
    });
  return r;
}

}  // namespace

std::vector<StrandedItem> BarrierTracker::arrive(std::span<const WaveAtBarrier> waves) {
  size_t missed = meetings_.size();  // the first barrier that a late lane missed
  bool same = true, some_missing = false;
  for (const WaveAtBarrier& w : waves) {
    same &= w.place == waves[0].place;
    some_missing |= (w.valid & ~w.arrived & ~w.history->skipped) != 0;
    each_lane(w.arrived & w.history->skipped,
              [&](uint32_t l) { missed = std::min<size_t>(missed, w.history->missed[l]); });
  }
  if (missed < meetings_.size()) {
    std::vector<StrandedItem> stranded = items(waves, true);
    stranded.insert(stranded.end(), meetings_[missed].begin(), meetings_[missed].end());
    return stranded;
  }
  if (!same) return items(waves, false);
  if (!some_missing) return {};
  for (const WaveAtBarrier& w : waves) {
    uint64_t missing = w.valid & ~w.arrived & ~w.history->skipped;
    each_lane(missing, [&](uint32_t l) { w.history->missed[l] = static_cast<uint32_t>(meetings_.size()); });
    w.history->skipped |= missing;
  }
  meetings_.push_back(items(waves, false));
  return {};
}

}  // namespace kc
