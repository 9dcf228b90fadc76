// SPDX-License-Identifier: Apache-2.0
// Estimates how long a launch occupies a compute unit, from the counters of the emulator: a lower bound by
// throughput plus the latency that the resident waves do not hide. Not calibrated against hardware.
#pragma once

#include <cstdint>

#include "sim/gcn/emulator.h"

namespace kc {

/// Waves resident on a SIMD of gfx9, with the limit by each resource.
struct GcnOccupancy {
  uint32_t waves = 0;  // of at most 10
  uint32_t by_vgprs = 0, by_sgprs = 0, by_lds = 0;
};
/// `lds_bytes` is the size for a group of `group_items` work-items.
GcnOccupancy occupancy(uint32_t vgprs, uint32_t sgprs, uint64_t lds_bytes, uint64_t group_items);

/// Cycles of one compute unit for the whole launch.
double estimate_cycles(const GcnCounters& counters, const GcnOccupancy& occupancy);

}  // namespace kc
