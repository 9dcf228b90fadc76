// SPDX-License-Identifier: Apache-2.0
// Conditions that the number of the lane decides are constant masks.
#include <algorithm>
#include <optional>

#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

constexpr int kDeepest = 6;
constexpr size_t kMostOperands = 3;

bool is_of_lanes(const Function& f, ValueId v, int depth) {
  if (f.is_const(v)) return true;
  const InstId d = f.def(v);
  if (!d || depth == 0) return false;
  const Inst& inst = f.inst(d);
  if (inst.op == Op::lane_id) return true;
  const size_t count = inst.operands.size();
  const OpInfo& row = info(inst.op);
  const bool evaluated = row.eval && row.effects == Effects::None && count > 0 && count <= kMostOperands;
  if (!evaluated && inst.op != Op::splat) return false;
  return std::ranges::all_of(inst.operands, [&](ValueId o) { return is_of_lanes(f, o, depth - 1); });
}

std::optional<uint64_t> in_lane(const Function& f, ValueId v, uint64_t lane) {
  if (f.is_const(v)) return f.value(v).bits;
  const Inst& inst = f.inst(f.def(v));
  if (inst.op == Op::lane_id) return lane;
  if (inst.op == Op::splat) return in_lane(f, inst.operands[0], lane);
  const EvalFn eval = info(inst.op).eval(f.type(inst.operands[0]).elem, f.type(v).elem);
  uint64_t operands[kMostOperands] = {};
  for (size_t k = 0; k < inst.operands.size(); ++k) {
    const auto bits = in_lane(f, inst.operands[k], lane);
    if (!bits) return std::nullopt;
    operands[k] = *bits;
  }
  return eval ? std::optional(eval(operands)) : std::nullopt;
}

// The lanes for which the condition holds, if nothing else decides.
std::optional<uint64_t> lanes_of(const Function& f, ValueId condition) {
  if (f.is_const(condition) || !is_of_lanes(f, condition, kDeepest)) return std::nullopt;
  uint64_t lanes = 0;
  for (uint64_t lane = 0; lane < f.width; ++lane) {
    const auto set = in_lane(f, condition, lane);
    if (!set) return std::nullopt;
    lanes |= (*set & 1) << lane;
  }
  return lanes;
}

}  // namespace

bool condition_of_lanes(RuleContext& r) {
  const ValueId m = r.operand(0), c = r.operand(1);
  const auto known = r.bits(m);
  if (const auto lanes = lanes_of(r.f, c)) {
    if (*lanes == ~uint64_t{0} >> (64 - r.f.width)) return r.value(m);
    if (known || *lanes == 0) return r.constant(known ? *known & *lanes : 0);
    return r.become(Op::mask_and, {m, r.f.constant(r.type(), *lanes)});
  }
  const Inst* both = known ? r.defined_by(c, Op::and_) : nullptr;
  if (!both) return false;
  for (size_t k : {0, 1}) {
    const ValueId same = both->operands[1 - k];  // in all lanes
    const auto lanes = r.type(same).lane ? std::nullopt : lanes_of(r.f, both->operands[k]);
    if (lanes) return r.become(Op::mask_if, {r.f.constant(r.type(), *known & *lanes), same});
  }
  return false;
}

}  // namespace kc
