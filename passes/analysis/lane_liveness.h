// SPDX-License-Identifier: Apache-2.0
// Which values of a reconverging thread function every lane must keep for itself when a wave runs it.
//
// Values that one variable can hold (webs.h) are one lane variable. A lane that waits needs the variables
// that are alive where it waits; what the wave writes to them meanwhile is merged under the mask of the lanes
// that run. Everywhere else a write is just a write.
#pragma once

#include "passes/analysis/phi_webs.h"
#include "passes/analysis/reconvergence_points.h"
#include "passes/analysis/uniformity.h"

namespace kc {

struct LaneVariable {
  Type type;          // of one work-item's value
  bool mask = false;  // booleans are held as a mask, whose bits are 0 in lanes that have no use for the value
  /// Layout positions [first, second) in which the wave may run while a waiting lane needs the variable;
  /// ascending, disjoint.
  std::vector<std::pair<uint32_t, uint32_t>> waits;
  bool waits_at(uint32_t position) const;
};

class LaneLiveness {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;
  LaneLiveness(const Function& f, const Cfg& cfg, const Uniformity& uniformity,
               const ReconvergencePlan& waits);

  std::vector<LaneVariable> variables;
  /// The variable that holds a divergent value; kNone for values that stay where they are computed.
  uint32_t variable(ValueId v) const { return variable_[v.index]; }
  /// The variable in which lanes keep a uniform value that the wave computes anew while they wait; or kNone.
  uint32_t kept(ValueId v) const { return kept_[v.index]; }
  /// Whether the uses of v in this block need what the lanes kept.
  bool uses_kept(ValueId v, BlockId user) const;
  /// Whether one of the divergent values that the variable holds is alive at the start of b.
  bool is_live_in(uint32_t variable, BlockId b) const;
  std::span<const ValueId> live_in(BlockId b) const { return webs_.live_in(b); }

 private:
  void add_waits(const Function& f, const Uniformity& uniformity, const ReconvergencePlan& waits);
  void keep(const Function& f, ValueId v, std::span<const BlockId> from);

  PhiWebs webs_;
  std::vector<uint32_t> variable_, kept_;      // by value id
  std::vector<uint32_t> web_of_;               // by variable: its web, or PhiWebs::kNone
  std::vector<uint32_t> seen_for_;             // by block: the variable that it was last visited for
  std::vector<std::vector<BlockId>> kept_in_;  // by variable
};

}  // namespace kc
