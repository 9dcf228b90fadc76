// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn/estimate.h"

#include <algorithm>

#include "backends/gcn/isa/table.h"

namespace kc {
namespace {

constexpr uint32_t kMaxWaves = 10, kSgprs = 800;  // of a SIMD
// Cycles until the result of an instruction, or the next instruction, is available.
constexpr double kVmemLatency = 4 * 80, kLdsLatency = 4 * 5, kSmemLatency = 4 * 5, kBranchLatency = 4 * 8;

uint32_t up(uint32_t n, uint32_t granule) { return (std::max(n, 1u) + granule - 1) / granule * granule; }

}  // namespace

GcnOccupancy occupancy(uint32_t vgprs, uint32_t sgprs, uint64_t lds_bytes, uint64_t group_items) {
  GcnOccupancy o;
  o.by_vgprs = std::min(kMaxWaves, gcn::kVgprCount / up(vgprs, 4));
  o.by_sgprs = std::min(kMaxWaves, kSgprs / up(sgprs, 16));
  uint64_t waves = (std::max<uint64_t>(group_items, 1) + gcn::kMostLanes - 1) / gcn::kMostLanes;
  uint64_t groups = lds_bytes ? gcn::kMaxLocalBytes / std::min<uint64_t>(lds_bytes, gcn::kMaxLocalBytes)
                              : uint64_t{kMaxWaves} * gcn::kSimds;
  o.by_lds = static_cast<uint32_t>(std::clamp<uint64_t>(groups * waves / gcn::kSimds, 1, kMaxWaves));
  o.waves = std::max(1u, std::min({o.by_vgprs, o.by_sgprs, o.by_lds}));
  return o;
}

double estimate_cycles(const GcnCounters& c, const GcnOccupancy& occupancy) {
  auto n = [](uint64_t count) { return static_cast<double>(count); };
  // Four SIMDs work in parallel; each takes four cycles per instruction.
  double bound = std::max({4 * n(c.valu_quads) / gcn::kSimds, n(c.insts_salu + c.insts_smem), n(c.lds_cycles),
                           n(c.vmem_lines), n(c.insts_branch)});
  double latency = kVmemLatency * n(c.insts_vmem) + kLdsLatency * n(c.insts_lds) +
                   kSmemLatency * n(c.insts_smem) + kBranchLatency * n(c.insts_branch);
  return bound + latency / (gcn::kSimds * occupancy.waves);
}

}  // namespace kc
