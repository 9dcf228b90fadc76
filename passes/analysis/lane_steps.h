// SPDX-License-Identifier: Apache-2.0
// By how much integers and addresses of thread IR grow from one work-item to the next along a dimension, as
// far as their arithmetic tells. For estimates: wraps are not looked at (wave IR has shape.h).
//
//   %1: i32 = global_id dim=0          1
//   %2: i32 = add %1, %n               1, if %n is uniform
//   %3: ptr = ptr_add %p, %2 scale=4   4
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/uniformity.h"

namespace kc {

class LaneSteps {
 public:
  /// The uniformity is that of lanes along the dimension.
  LaneSteps(const Function& thread, const Cfg& cfg, const Uniformity& uniformity, int64_t along = 0)
      : f_(thread),
        cfg_(cfg),
        u_(uniformity),
        along_(along),
        state_(thread.value_count()),
        step_(thread.value_count()) {}
  /// Nothing if it is not known, or not the same for all neighbours.
  std::optional<int64_t> of(ValueId v) { return of(v, kDeepest); }

 private:
  static constexpr int kDeepest = 48;
  std::optional<int64_t> of(ValueId v, int depth);
  std::optional<int64_t> compute(ValueId v, int depth);

  std::optional<int64_t> of_parameter(ValueId v, int depth);

  enum State : uint8_t { Open, Running, Done };
  const Function& f_;
  const Cfg& cfg_;
  const Uniformity& u_;
  int64_t along_;
  std::vector<State> state_;
  std::vector<std::optional<int64_t>> step_;
};

}  // namespace kc
