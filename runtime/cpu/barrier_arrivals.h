// SPDX-License-Identifier: Apache-2.0
// Records which work-items of a work-group have reached its barriers. A barrier is passed when all waves that
// have not ended are at the same one, without work-items that missed an earlier arrival of their wave.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/cpu/cpu.h"
#include "runtime/image.h"

namespace kc {

class BarrierArrivals {
 public:
  /// Starts another group, of `waves` waves. `rows_along`: as in CpuLaunch.
  void start(size_t waves, uint8_t rows_along);
  /// Whether no wave has ended, all lanes of all waves are at one barrier, and none has missed one: the usual
  /// case, in which there is nothing to record.
  bool all_arrived(std::span<const CpuWaveContext> waves) const {
    if (!sites_.empty()) return false;
    const uint64_t place = waves.front().resume;
    uint64_t differs = 0;
    for (const CpuWaveContext& w : waves) differs |= (w.resume ^ place) | (w.arrived ^ w.mask);
    return place && !differs;
  }
  /// Called when all waves of the group that have not ended are at a barrier. If they may not continue, adds
  /// the offending work-items to the trap: those that arrive late and those that arrived without them, or all
  /// if they are at different barriers. `packed`: the lanes per wave of packed waves, whose `steps` are
  /// valid; otherwise 0.
  bool arrive(std::span<const CpuWaveContext> waves, uint32_t packed, std::optional<CpuBarrierTrap>& trap);

 private:
  void report(std::span<const CpuWaveContext> waves, uint32_t packed,
              std::optional<CpuBarrierTrap>& trap) const;

  size_t waves_ = 0;
  uint8_t rows_along_ = 0;
  std::vector<uint64_t> missed_;  // by wave: lanes that missed an arrival
  // Barriers at which a work-item was missing for the first time: the site, and by wave the lanes present.
  std::vector<uint64_t> sites_, present_;
};

/// Keeps the trap with the lowest global id, and adds up the counts.
void add_trap(std::optional<CpuBarrierTrap>& all, const CpuBarrierTrap& more);

}  // namespace kc
