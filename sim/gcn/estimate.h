// SPDX-License-Identifier: Apache-2.0
// An estimate of how long a launch would keep a compute unit busy, from the counters of the emulator. It is
// a lower bound of throughput plus what latency the waves at hand do not hide; no machine was measured.
#pragma once

#include <cstdint>

#include "sim/gcn/emulator.h"

namespace kc {

/// Waves that a unit of gfx9 holds at once, by what limits them.
struct GcnOccupancy {
  uint32_t waves = 0;  // of at most 10
  uint32_t by_vgprs = 0, by_sgprs = 0, by_lds = 0;
};
/// `lds_bytes` are those of a group of `group_items` work-items.
GcnOccupancy occupancy(uint32_t vgprs, uint32_t sgprs, uint64_t lds_bytes, uint64_t group_items);

/// Cycles of one compute unit for the whole launch.
double estimate_cycles(const GcnCounters& counters, const GcnOccupancy& occupancy);

}  // namespace kc
