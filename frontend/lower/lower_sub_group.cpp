// SPDX-License-Identifier: Apache-2.0
// Sub-group functions, which read values of other work-items of the sub-group.
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

ValueId KernelLowering::cross_lane(Op op, kc::Type type, ValueList operands,
                                   std::initializer_list<int64_t> attrs) {
  anchors_.convergent_operation(true);
  return b_.make(op, type, std::move(operands), attrs);
}

// The lane to read from. A lane number outside the sub-group, including a negative one, selects no lane.
ValueId KernelLowering::lane_of(const BuiltinRow& row, ValueId lane) {
  auto own = [&] { return b_.make(Op::sub_group_local_id, kI32, {}); };
  switch (row.id) {
    case Builtin::sub_group_shuffle_xor:
      return b_.make(Op::xor_, kI32, {own(), lane});
    case Builtin::sub_group_shuffle_up:
      return b_.make(Op::sub, kI32, {own(), lane});
    case Builtin::sub_group_shuffle_down:
      return b_.make(Op::add, kI32, {own(), lane});
    case Builtin::sub_group_rotate: {  // sizes are powers of two
      ValueId last = b_.make(Op::sub, kI32, {b_.make(Op::max_sub_group_size, kI32, {}), b_.i32(1)});
      return b_.make(Op::and_, kI32, {b_.make(Op::add, kI32, {own(), lane}), last});
    }
    default:
      return lane;
  }
}

ValueId KernelLowering::lower_sub_group(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  auto number = [&](ValueId bit) { return b_.make(Op::zext, kI32, {bit}); };
  if (row.id == Builtin::sub_group_elect) {
    at(e->range);
    ValueId own = b_.make(Op::sub_group_local_id, kI32, {});
    return number(b_.make(Op::eq, kI1, {own, cross_lane(Op::broadcast_first, kI32, {own})}));
  }
  const bool condition = row.shape == BuiltinShape::SubGroupBallot || row.shape == BuiltinShape::SubGroupVote;
  std::vector<ValueId> v{condition ? lower_bit(e->arguments[0]) : ValueId(lower(e->arguments[0]))};
  if (e->arguments.size() > 1) v.push_back(lower(e->arguments[1]));
  if (failed_) return {};
  at(e->range);
  const Type* type = e->arguments[0]->type;
  const kc::Type t = ir_type(type);
  switch (row.shape) {
    case BuiltinShape::SubGroupBallot:
      return cross_lane(Op::ballot, kI64, {v[0]});
    case BuiltinShape::SubGroupEqual: {
      ValueId first = cross_lane(Op::broadcast_first, t, {v[0]});
      v[0] = b_.make(type->is_floating() ? Op::feq : Op::eq, kI1, {v[0], first});
      break;
    }
    case BuiltinShape::SubGroupVote:
      break;
    case BuiltinShape::SubGroupLane:
      return cross_lane(Op::shuffle, t, {v[0], lane_of(row, v[1])});
    default: {
      if (row.op == Op::broadcast_first) return cross_lane(row.op, t, {v[0]});
      const int64_t fold = row.fold_of(type);
      return row.op == Op::reduce ? cross_lane(row.op, t, {v[0]}, {fold})
                                  : cross_lane(row.op, t, {v[0]}, {fold, row.is_exclusive()});
    }
  }
  // All: the operand is false for no work-item.
  const bool any = row.id == Builtin::sub_group_any || row.id == Builtin::sub_group_non_uniform_any;
  if (!any) v[0] = b_.make(Op::xor_, kI1, {v[0], f_->constant(kI1, 1)});
  ValueId bits = cross_lane(Op::ballot, kI64, {v[0]});
  return number(b_.make(any ? Op::ne : Op::eq, kI1, {bits, b_.i64(0)}));
}

// Ballots have 128 bits; sub-groups use the lower 64.
Value KernelLowering::lower_ballot(const CallExpr* e) {
  const Builtin id = e->builtin->id;
  Value given;
  if (id == Builtin::sub_group_ballot)
    given = lower_bit(e->arguments[0]);
  else if (!e->arguments.empty())
    given = lower(e->arguments[0]);
  ValueId wanted = e->arguments.size() > 1 ? ValueId(lower(e->arguments[1])) : ValueId();
  if (failed_) return {};
  at(e->range);
  auto op = [&](Op o, ValueId a, ValueId b) { return b_.make(o, kI64, {a, b}); };
  auto wide = [&](ValueId v) { return b_.make(Op::zext, kI64, {v}); };
  auto low = [&](ValueId v) { return b_.make(Op::trunc, kI32, {v}); };
  auto spread = [&](ValueId bits) {
    Value v(low(bits));
    v.add(low(op(Op::lshr, bits, b_.i64(32))));
    for (int i = 0; i < 2; ++i) v.add(b_.i32(0));
    return v;
  };
  if (id == Builtin::sub_group_ballot) return spread(cross_lane(Op::ballot, kI64, {given}));
  ValueId own = wide(b_.make(Op::sub_group_local_id, kI32, {})), ones = b_.i64(-1);
  ValueId size = wide(b_.make(Op::max_sub_group_size, kI32, {}));
  ValueId all = op(Op::lshr, ones, op(Op::sub, b_.i64(64), size));
  ValueId equal = op(Op::shl, b_.i64(1), own), below = op(Op::sub, equal, b_.i64(1));
  ValueId up_to = op(Op::or_, equal, below);
  auto without = [&](ValueId mask) { return op(Op::and_, all, op(Op::xor_, mask, ones)); };
  if (e->builtin->shape == BuiltinShape::BallotMask)
    return spread(id == Builtin::get_sub_group_eq_mask   ? equal
                  : id == Builtin::get_sub_group_lt_mask ? below
                  : id == Builtin::get_sub_group_le_mask ? up_to
                  : id == Builtin::get_sub_group_gt_mask ? without(up_to)
                                                         : without(below));
  ValueId bits = op(Op::or_, wide(given.part(0)), op(Op::shl, wide(given.part(1)), b_.i64(32)));
  auto count = [&](ValueId v) { return low(b_.make(Op::popcount, kI64, {v})); };
  auto bit = [&](ValueId at) { return low(op(Op::and_, op(Op::lshr, bits, at), b_.i64(1))); };
  ValueId here = op(Op::and_, bits, all);
  switch (id) {
    case Builtin::sub_group_inverse_ballot:
      return bit(own);
    case Builtin::sub_group_ballot_bit_extract: {
      ValueId exists = b_.make(Op::ult, kI1, {wanted, b_.i32(64)});
      return b_.make(Op::select, kI32, {exists, bit(wide(wanted)), b_.i32(0)});
    }
    case Builtin::sub_group_ballot_bit_count:
      return count(here);
    case Builtin::sub_group_ballot_inclusive_scan:
      return count(op(Op::and_, bits, up_to));
    case Builtin::sub_group_ballot_exclusive_scan:
      return count(op(Op::and_, bits, below));
    case Builtin::sub_group_ballot_find_lsb: {  // the number of zeros below the lowest set bit
      ValueId lowest = op(Op::and_, here, op(Op::sub, b_.i64(0), here));
      return count(op(Op::sub, lowest, b_.i64(1)));
    }
    default:
      return low(op(Op::sub, b_.i64(63), b_.make(Op::clz, kI64, {here})));
  }
}

// Called before a jump that may leave loops.
void KernelLowering::anchor_in_loops() {
  for (BlockId b : anchors_.anchor(b_)) started_.push_back(b);
}

}  // namespace kc::front
