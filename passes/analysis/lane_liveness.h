// SPDX-License-Identifier: Apache-2.0
// The values of a reconverging thread function that need a copy per lane when a wave runs it.
//
// The values of a phi web (phi_webs.h) share one lane variable. A waiting lane needs the variables that are
// live at its reconvergence point; meanwhile the wave's writes to them are blended under the mask of active
// lanes. All other writes are unmasked.
#pragma once

#include <optional>

#include "passes/analysis/phi_webs.h"
#include "passes/analysis/reconvergence_points.h"
#include "passes/analysis/uniformity.h"

namespace kc {

struct LaneVariable {
  Type type;          // of one work-item's value
  bool mask = false;  // booleans are held as a mask, with 0 bits for lanes where the value is dead
  /// Layout positions [first, second) that the wave may run while a waiting lane needs the variable;
  /// ascending, disjoint.
  std::vector<std::pair<uint32_t, uint32_t>> waits;
  bool waits_at(uint32_t position) const;
};

class LaneLiveness {
 public:
  LaneLiveness(const Function& f, const Cfg& cfg, const Uniformity& uniformity,
               const ReconvergencePlan& waits);

  std::vector<LaneVariable> variables;
  /// The variable of a divergent value; kNone for values that stay in SSA form.
  uint32_t variable(ValueId v) const { return variable_[v.index]; }
  /// The variable with the lanes' copies of a uniform value that is recomputed while lanes wait; or kNone.
  uint32_t kept(ValueId v) const { return kept_[v.index]; }
  /// Whether the uses of v in this block need the lanes' copies.
  bool uses_kept(ValueId v, BlockId user) const;
  /// Whether a divergent value of the variable is live at the start of b.
  bool is_live_in(uint32_t variable, BlockId b) const;
  /// The values live at the start of b; none if no value of the function is divergent.
  std::span<const ValueId> live_in(BlockId b) const {
    return webs_ ? webs_->live_in(b) : std::span<const ValueId>();
  }

 private:
  void add_waits(const Function& f, const Uniformity& uniformity, const ReconvergencePlan& waits);
  void keep(const Function& f, ValueId v, std::span<const BlockId> from);

  std::optional<PhiWebs> webs_;                // if a value is divergent
  std::vector<uint32_t> variable_, kept_;      // by value id
  std::vector<uint32_t> web_of_;               // by variable: its web, or kNone
  std::vector<uint32_t> seen_for_;             // by block: the variable of its last visit
  std::vector<std::vector<BlockId>> kept_in_;  // by variable
};

}  // namespace kc
