// SPDX-License-Identifier: Apache-2.0
// Which values of a thread function differ between the work-items of one wave.
//
//   %1: i64 = global_id dim=0          divergent: a source
//   %2: i1 = ult %1, %n                divergent: has a divergent operand
//   br_if %2 -> b1, b2                 divergent branch
//   b3(%3: i32):  join of both arms    divergent, unless all edges pass the same value
//
// Needs SSA form: reads of variables count as divergent.
#pragma once

#include <vector>

#include "ir/function.h"
#include "passes/analysis/cycles.h"

namespace kc {

struct UniformityOptions {
  /// Ids of these dimensions differ within a wave. In waves of one lane none does, and nothing diverges.
  bool lane_x = true, lane_y = false, lane_z = false;
  bool operator==(const UniformityOptions&) const = default;
  bool one_lane() const { return !lane_x && !lane_y && !lane_z; }
};

struct Uniformity {
  /// By value id: the value may differ between work-items that compute it together.
  std::vector<bool> divergent;
  /// By block id: work-items may leave the block by different edges.
  std::vector<bool> divergent_branch;
  Cycles cycles;
  /// By index in `cycles`: work-items may leave the cycle in different iterations or by different exits.
  std::vector<bool> divergent_exit;

  /// Whether v differs between the work-items in `user`: v is divergent, or a cycle with divergent exits
  /// defines v and does not contain `user` (temporal divergence; v is uniform in each iteration). An edge
  /// argument is used in the source block of the edge.
  bool divergent_use(const Function& f, BlockId user, ValueId v) const;
  /// By block id: the innermost cycle with divergent exits around the block, or kNone. A value
  /// defined in the block needs a copy per work-item exactly for its uses outside that cycle.
  std::vector<uint32_t> divergent_cycle;
};

/// Parameters of a join stay uniform only if all edges pass the same value, or if all edges that do not pass
/// undef pass one constant: such a parameter must be lowered to that constant, not to a selection by edge.
Uniformity analyse_uniformity(const Function& f, UniformityOptions options, const Cfg& cfg);
inline Uniformity analyse_uniformity(const Function& f, UniformityOptions options = {}) {
  return analyse_uniformity(f, options, Cfg(f));
}

}  // namespace kc
