// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/flat_rows.h"

namespace kc::x64 {

// The lanes' ids lie from `start` to `start + size - 1`, and these are in order and positive as the division
// sees them. A size of 0 leaves no lane inside.
RowOfWave test_row(Builder& build, const FlatRow& row, const std::function<ValueId(ValueId)>& here) {
  Function& f = build.f;
  const Inst inst = f.inst(row.inst);
  const Type scalar = f.type(inst.results[0]).scalar();
  const ValueId all = f.constant(kMask, ~uint64_t{0} >> (64 - f.width));
  auto first = [&](ValueId v) {
    return f.type(v).lane && !f.is_inline(v) ? build.make(Op::first_lane, scalar, {all, v}) : v;
  };
  const ValueId id = here(inst.operands[0]), size = first(here(inst.operands[1])), lane0 = first(id);
  const ValueId quotient = build.make(Op::udiv, scalar, {lane0, size}),
                start = build.make(Op::mul, scalar, {quotient, size}),
                width = build.make(Op::sub, scalar, {size, f.constant(scalar, 1)}),
                end = build.make(Op::add, scalar, {start, width});
  ValueId wrong;
  if (row.is_signed) {
    const ValueId signs = build.make(Op::or_, scalar, {build.make(Op::or_, scalar, {lane0, size}), end});
    wrong = build.make(Op::slt, kI1, {signs, f.constant(scalar, 0)});
  } else {
    wrong = build.make(Op::ult, kI1, {end, start});
  }
  RowOfWave r;
  r.quotient = build.make(Op::splat, f.type(id), {quotient});
  r.column = build.make(Op::sub, f.type(id), {id, start});
  const ValueId beyond = build.make(Op::ule, {Elem::I1, true}, {size, r.column}),
                any = build.make(Op::any, kI1, {build.make(Op::mask_cond, kMask, {all, beyond})});
  r.outside = build.make(Op::or_, kI1, {wrong, any});
  return r;
}

}  // namespace kc::x64
