// SPDX-License-Identifier: Apache-2.0
// By how much integers and addresses of thread IR grow from one iteration of a loop to the next.
//
//   %i: i32 = phi [0], [%next]           1
//   %next: i32 = add %i, 1               1
//   %p: ptr = ptr_add %a, %i scale=4     4
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/cycles.h"

namespace kc {

class LoopSteps {
 public:
  /// For `of`, the cycle has no other one inside; `cfg` and `cycles` are those of the function.
  LoopSteps(const Function& thread, const Cfg& cfg, const Cycles& cycles, uint32_t cycle)
      : f_(thread), cfg_(cfg), cycles_(cycles), cycle_(cycle), header_(cycles.cycles[cycle].header) {}

  /// Bytes of a pointer. Nothing if it is not known, or not the same in all iterations, or large. Numbers of
  /// 32 bits may wrap around; of fewer, which do so while an array lasts, only those that stay the same are
  /// known.
  std::optional<int64_t> of(ValueId v) { return of(v, kDeepest); }

  /// A parameter of the header plus a constant (bytes of a pointer).
  struct Sum {
    ValueId param;
    int64_t constant = 0;
  };
  std::optional<Sum> sum_of(ValueId v) const;

  /// Whether the loop computes the value.
  bool is_inside(ValueId v) const { return cycles_.defines(cycle_, f_, v); }

 private:
  static constexpr int kDeepest = 24;
  std::optional<int64_t> of(ValueId v, int depth);
  std::optional<int64_t> of_result(const Inst& inst, int depth);
  std::optional<int64_t> of_parameter(ValueId v) const;

  const Function& f_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  uint32_t cycle_;
  BlockId header_;
  std::unordered_map<uint32_t, std::optional<int64_t>> known_;  // by value id
};

}  // namespace kc
