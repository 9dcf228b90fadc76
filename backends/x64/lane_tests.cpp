// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/lane_tests.h"

#include <algorithm>

namespace kc::x64 {

std::optional<LaneTest> lane_test(const Function& f, BlockId b, ValueId lanes) {
  const bool has_effects = std::ranges::any_of(f.block(b).insts, [&](InstId i) {
    const OpInfo& row = info(f.inst(i).op);
    return !row.has(Terminator) && row.effects != Effects::None && row.effects != Effects::Read;
  });
  if (has_effects) return std::nullopt;
  auto here = [&](ValueId v, Op op) -> const Inst* {
    const InstId d = f.is_inline(v) ? InstId() : f.def(v);
    return d && f.inst(d).op == op && f.inst(d).block == b ? &f.inst(d) : nullptr;
  };
  const Inst& last = f.inst(f.terminator(b));
  const Inst* any = last.op == Op::br_if ? here(last.operands[0], Op::any) : nullptr;
  if (!any) return std::nullopt;
  const ValueId going = any->operands[0];
  const Inst* others = here(going, Op::mask_andnot);
  const bool leaves = others && others->operands[0] == lanes;
  const Inst* cond = here(leaves ? others->operands[1] : going, Op::mask_cond);
  if (!cond || cond->operands[0] != lanes || f.is_inline(cond->operands[1])) return std::nullopt;
  return LaneTest{cond->operands[1], going, leaves};
}

ValueId in_some_lane(Builder& build, ValueId condition) {
  Function& f = build.f;
  if (!f.type(condition).lane) return condition;
  const ValueId all = f.constant(kMask, ~uint64_t{0} >> (64 - f.width));
  return build.make(Op::any, kI1, {build.make(Op::mask_cond, kMask, {all, condition})});
}

}  // namespace kc::x64
