// SPDX-License-Identifier: Apache-2.0
// Who of a work-group came to its barriers. A barrier is passed when all waves that have not ended stand at
// the same one, with none of the work-items that were elsewhere when others of their wave arrived before.
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
  /// Another group, of `waves` waves.
  void start(size_t waves);
  /// All waves of the group that have not ended stand at a barrier. When they may not go on, adds the
  /// work-items that are not together to the trap: those that arrive late and those that arrived without
  /// them, or all that stand at different barriers. `packed`: so many lanes are in each wave, whose steps
  /// count; or 0.
  bool arrive(std::span<const CpuWaveContext> waves, uint32_t packed, std::optional<CpuBarrierTrap>& trap);

 private:
  void report(std::span<const CpuWaveContext> waves, uint32_t packed,
              std::optional<CpuBarrierTrap>& trap) const;

  size_t waves_ = 0;
  std::vector<uint64_t> missed_;  // by wave: lanes that were not at a meeting
  // Barriers at which somebody was missing for the first time: the site, and by wave who was there.
  std::vector<uint64_t> sites_, present_;
};

/// The trap of the lowest global id, and how many in all.
void add_trap(std::optional<CpuBarrierTrap>& all, const CpuBarrierTrap& more);

}  // namespace kc
