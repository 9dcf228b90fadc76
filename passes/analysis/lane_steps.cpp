// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_steps.h"

#include <algorithm>

#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
std::optional<int64_t> LaneSteps::of(ValueId v, int depth) {
  if (f_.is_inline(v) || !u_.divergent[v.index]) return 0;
  if (state_[v.index] != Open || depth == 0) return step_[v.index];
  state_[v.index] = Running;
  step_[v.index] = compute(v, depth - 1);
  state_[v.index] = Done;
  return step_[v.index];
}

std::optional<int64_t> LaneSteps::compute(ValueId v, int depth) {
  if (f_.value(v).kind == ValueKind::Param) return of_parameter(v, depth);
  const Inst& inst = f_.inst(f_.def(v));
  switch (inst.op) {
    case Op::global_id:
    case Op::local_id:
      return inst.attrs[0] == along_ ? std::optional<int64_t>(1) : std::nullopt;
    case Op::sub_group_local_id:
      return 1;
    case Op::select: {
      auto a = of(inst.operands[1], depth), b = of(inst.operands[2], depth);
      return a == b && !u_.divergent[inst.operands[0].index] ? a : std::nullopt;
    }
    default:
      return step_of_result(f_, inst, [&](ValueId o) { return of(o, depth); });
  }
}

// A variable of a loop grows by the same amount in all lanes: what enters the loop decides.
std::optional<int64_t> LaneSteps::of_parameter(ValueId v, int depth) {
  const BlockId b(f_.value(v).owner);
  if (b == f_.entry()) return std::nullopt;
  const auto& params = f_.block(b).params;
  const auto k = static_cast<size_t>(std::ranges::find(params, v) - params.begin());
  std::optional<int64_t> step;
  const bool agree = every_edge_into(f_, cfg_, b, [&](BlockId, const Target& t) {
    const ValueId passed = t.args[k];
    if (passed == v || f_.is_undef(passed)) return true;
    if (InstId d = f_.def(passed)) {
      const Inst& sum = f_.inst(d);
      const bool steps = sum.op == Op::ptr_add || sum.op == Op::add || sum.op == Op::sub;
      if (steps && sum.operands[0] == v && of(sum.operands[1], depth) == 0) return true;
    }
    auto one = of(passed, depth);
    if (!one || (step && step != one)) return false;
    step = one;
    return true;
  });
  return agree ? step : std::nullopt;
}

}  // namespace kc
