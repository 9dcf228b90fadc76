// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/flat_rows.h"

#include "backends/x64/lane_tests.h"

namespace kc::x64 {

// The ids of the lanes lie from `start` to `end`, and these numbers are in order and positive as the division
// sees them. Where ids ascend, a comparison of lanes is one of the first or the last of them (scalar_test).
RowOfWave test_row(Builder& build, const FlatRow& row, const std::function<ValueId(ValueId)>& here,
                   const std::function<void(ValueId)>& leave_if) {
  Function& f = build.f;
  const Inst inst = f.inst(row.inst);
  const Type scalar = f.type(inst.results[0]).scalar(), flag{Elem::I1, true};
  const ValueId all = f.constant(kMask, ~uint64_t{0} >> (64 - f.width));
  auto first = [&](ValueId v) {
    return f.type(v).lane && !f.is_inline(v) ? build.make(Op::first_lane, scalar, {all, v}) : v;
  };
  auto leave_if_any = [&](Op op, ValueId x, ValueId y) {
    leave_if(in_some_lane(build, build.make(op, flag, {x, y})));
  };
  const ValueId size = first(here(inst.operands[1]));
  // No row that is shorter than a wave holds one. Nothing is divided by 0, nor by less.
  leave_if(build.make(row.is_signed ? Op::slt : Op::ult, kI1, {size, f.constant(scalar, f.width)}));
  const ValueId id = here(inst.operands[0]), lane0 = first(id),
                quotient = build.make(Op::udiv, scalar, {lane0, size}),
                start = build.make(Op::mul, scalar, {quotient, size}),
                width = build.make(Op::sub, scalar, {size, f.constant(scalar, 1)}),
                end = build.make(Op::add, scalar, {start, width});
  if (row.is_signed)
    leave_if(build.make(Op::slt, kI1, {build.make(Op::or_, scalar, {lane0, end}), f.constant(scalar, 0)}));
  else
    leave_if(build.make(Op::ult, kI1, {end, start}));
  leave_if_any(Op::ult, end, id);
  leave_if_any(Op::ult, id, start);
  return {.quotient = build.make(Op::splat, f.type(id), {quotient}),
          .column = build.make(Op::sub, f.type(id), {id, start})};
}

}  // namespace kc::x64
