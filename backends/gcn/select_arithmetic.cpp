// SPDX-License-Identifier: Apache-2.0
// Arithmetic. Uniform operations that the scalar unit lacks run on the vector unit, and v_readfirstlane moves
// the result to a scalar register. This is correct because such a result is used only if the mask was not
// empty.
#include "backends/gcn/isa/table.h"
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {
ValueId Selector::narrow(ValueId v, Elem elem) {
  if (!is_small(elem)) return v;
  if (is_vector(v)) return make(Op::gcn_v_and_b32, vgpr(), {imm(low_bits(elem)), v});
  return make(Op::gcn_s_and_b32, sgpr(), {v, imm(low_bits(elem))});
}

ValueId Selector::widen_signed(ValueId v, Elem elem) {
  if (!is_small(elem)) return v;
  return vop3(Op::gcn_v_bfe_i32, vgpr(), {to_vector(v), imm(0), imm(Type{elem}.bits())});
}

// Whether divide_by_constant accepts the divisor: not 0, 1 or -1.
bool Selector::is_invertible(Op op, ValueId divisor, Elem elem) const {
  auto all = static_cast<uint64_t>(low_bits(elem)), d = m.value(divisor).bits & all;
  return d > 1 && (d != all || op == Op::udiv || op == Op::urem);
}

// A uniform operand in the form that lane operations take. Conditions become one bit per lane, or 0 and 1.
ValueId Selector::lane_bits(ValueId wave_value, Elem elem) {
  if (elem != Elem::I1) return is_wide(elem) ? vector(wave_value) : source(wave_value);
  Type type = w.type(wave_value);
  if (type.lane) return make(Op::gcn_v_cndmask_b32, vgpr(), {imm(0), imm(1), reg(wave_value)});
  return source(wave_value);
}

ValueId Selector::condition_bits(ValueId condition) {
  if (w.type(condition).lane) return reg(condition);
  return select_scalar(condition, masks_.type, imm(-1), imm(0));
}

ValueId Selector::arithmetic(const Inst& inst, Type type) {
  if (info(inst.op).has(LaneSource) || (inst.operands.empty() && !info(inst.op).eval)) {
    if (inst.op == Op::lane_id) {
      ValueId low = make(Op::gcn_v_mbcnt_lo_u32_b32, vgpr(), {imm(-1), imm(0)});
      return make(Op::gcn_v_mbcnt_hi_u32_b32, vgpr(), {imm(-1), low});
    }
    return launch_id(inst, type);
  }
  if (inst.op == Op::ptr_add) return ptr_add(inst, type.lane);
  Elem elem = w.type(inst.op == Op::select ? inst.operands[1] : inst.operands[0]).elem;
  bool lane = type.lane;
  if (!lane)
    if (ValueId result = uniform_op(inst, elem)) return result;
  // Lane conditions are bit sets in scalar registers.
  if (lane && elem == Elem::I1 && type.elem == Elem::I1) {
    if (inst.op == Op::select)
      return merge_bits(condition_bits(inst.operands[0]), inst.operands[1], inst.operands[2]);
    std::vector<ValueId> v;
    for (ValueId o : inst.operands) v.push_back(condition_bits(o));
    return mask_op(inst.op, v);
  }
  if (inst.op == Op::select) {
    return lane_select(condition_bits(inst.operands[0]), inst.operands[1], inst.operands[2], elem);
  }
  std::vector<ValueId> v;
  if (lane && elem == Elem::I1) {  // zext and sext of a condition
    v.push_back(make(Op::gcn_v_cndmask_b32, vgpr(),
                     {imm(0), imm(inst.op == Op::sext ? -1 : 1), reg(inst.operands[0])}));
  } else {
    for (ValueId o : inst.operands) v.push_back(lane_bits(o, elem));
  }
  bool divides = class_of(inst.op) == OpClass::IntDivision && !is_wide(elem);
  if (divides && m.is_const(v[1]) && is_invertible(inst.op, v[1], elem)) {
    bool is_signed = inst.op == Op::sdiv || inst.op == Op::srem;
    ValueId x = to_vector(v[0]);
    auto d = static_cast<uint32_t>(m.value(v[1]).bits);
    if (is_signed && is_small(elem)) {
      unsigned unused = 32 - Type{elem}.bits();
      x = widen_signed(x, elem), d = static_cast<uint32_t>(static_cast<int32_t>(d << unused) >> unused);
    }
    ValueId q = divide_by_constant(inst.op, x, d, bound_of(inst.operands[0], kBoundDepth), false);
    return lane ? narrow(q, elem) : shared_by_lanes(narrow(q, elem), machine_type(type));
  }
  ValueId result = lane_op(inst.op, Type{elem}, type.scalar(), v);
  if (lane) return result;
  if (type.elem != Elem::I1) return shared_by_lanes(result, machine_type(type));
  // A uniform condition: every active lane computed the same bit. Comparisons give 0 in inactive lanes.
  if (info(m.inst(m.def(result)).op).machine.form != Vopc)
    result = make(masks_.and_, masks_.type, {result, make(Op::gcn_p_get_exec, masks_.type, {})});
  return make(Op::gcn_p_cmp, sgpr(), {result, imm(0)}, {LgU64});
}

ValueId Selector::lane_op(Op op, Type operand, Type result, const std::vector<ValueId>& v) {
  Elem elem = operand.elem;
  const OpClass kind = class_of(op);
  if (is_comparison(kind)) return lane_compare(op, elem, v[0], v[1]);
  if (kind == OpClass::Conversion) return lane_convert(op, elem, result.elem, v[0]);
  if (operand.is_float()) return lane_float(op, elem, v);
  if (kind == OpClass::IntDivision) return lane_divide(op, elem, to_vector(v[0]), to_vector(v[1]));
  if (is_wide(elem)) return lane_int64(op, v[0], v[1]);
  ValueId x = v[0], y = v[1];
  if (is_small(elem)) {
    if (op == Op::ashr || op == Op::smin || op == Op::smax) x = widen_signed(x, elem);
    if (op == Op::smin || op == Op::smax) y = widen_signed(y, elem);
    if (op == Op::shl || op == Op::lshr || op == Op::ashr)
      y = make(Op::gcn_v_and_b32, vgpr(), {imm(Type{elem}.bits() - 1), to_vector(y)});
  }
  return narrow(lane_int32(op, x, y), elem);
}

ValueId Selector::lane_int32(Op op, ValueId x, ValueId y) {
  switch (op) {
    case Op::add:
      return vop2(Op::gcn_v_add_u32, x, y, true);
    case Op::sub:
      return difference32(x, y);
    case Op::and_:
      return vop2(Op::gcn_v_and_b32, x, y, true);
    case Op::or_:
      return vop2(Op::gcn_v_or_b32, x, y, true);
    case Op::xor_:
      return vop2(Op::gcn_v_xor_b32, x, y, true);
    case Op::mul:
      return vop3(Op::gcn_v_mul_lo_u32, vgpr(), {x, y});
    case Op::shl:
      return vop2(Op::gcn_v_lshlrev_b32, y, x, false);
    case Op::lshr:
      return vop2(Op::gcn_v_lshrrev_b32, y, x, false);
    case Op::ashr:
      return vop2(Op::gcn_v_ashrrev_i32, y, x, false);
    case Op::smin:
      return vop2(Op::gcn_v_min_i32, x, y, true);
    case Op::smax:
      return vop2(Op::gcn_v_max_i32, x, y, true);
    case Op::umin:
      return vop2(Op::gcn_v_min_u32, x, y, true);
    case Op::umax:
      return vop2(Op::gcn_v_max_u32, x, y, true);
    default:
      break;
  }
  KC_CHECK(false, "gcn: no 32-bit form of '{}'", info(op).name);
}

ValueId Selector::lane_int64(Op op, ValueId x, ValueId y) {
  x = to_vector(x), y = to_vector(y);
  auto halves = [&](Op half) {
    ValueId low = make(half, vgpr(), {lo(x), lo(y)});
    return pack(low, make(half, vgpr(), {hi(x), hi(y)}), true);
  };
  auto pick = [&](Op compare) { return choose(vcmp(compare, x, y), x, y); };
  switch (op) {
    case Op::add:
      return add64(x, y);
    case Op::sub:
      return make(Op::gcn_p_v_sub64, vgpr(2), {x, y});
    case Op::and_:
      return halves(Op::gcn_v_and_b32);
    case Op::or_:
      return halves(Op::gcn_v_or_b32);
    case Op::xor_:
      return halves(Op::gcn_v_xor_b32);
    case Op::shl:
      return make(Op::gcn_v_lshlrev_b64, vgpr(2), {lo(y), x});
    case Op::lshr:
      return make(Op::gcn_v_lshrrev_b64, vgpr(2), {lo(y), x});
    case Op::ashr:
      return make(Op::gcn_v_ashrrev_i64, vgpr(2), {lo(y), x});
    case Op::smin:
      return pick(Op::gcn_v_cmp_lt_i64);
    case Op::smax:
      return pick(Op::gcn_v_cmp_gt_i64);
    case Op::umin:
      return pick(Op::gcn_v_cmp_lt_u64);
    case Op::umax:
      return pick(Op::gcn_v_cmp_gt_u64);
    case Op::mul:
      return multiply64(x, y);
    default:
      break;
  }
  KC_CHECK(false, "gcn: no 64-bit form of '{}'", info(op).name);
}

ValueId Selector::difference32(ValueId x, ValueId y) {
  if (m.is_const(y)) return vop2(Op::gcn_v_add_u32, x, imm(-static_cast<int64_t>(m.value(y).bits)), true);
  return is_scalar_reg(y) ? vop2(Op::gcn_v_subrev_u32, y, x, false) : vop2(Op::gcn_v_sub_u32, x, y, false);
}

ValueId Selector::multiply64(ValueId x, ValueId y) {
  ValueId low = make(Op::gcn_v_mul_lo_u32, vgpr(), {lo(x), lo(y)});
  ValueId high = make(Op::gcn_v_mul_hi_u32, vgpr(), {lo(x), lo(y)});
  high = make(Op::gcn_v_add_u32, vgpr(), {high, make(Op::gcn_v_mul_lo_u32, vgpr(), {lo(x), hi(y)})});
  high = make(Op::gcn_v_add_u32, vgpr(), {high, make(Op::gcn_v_mul_lo_u32, vgpr(), {hi(x), lo(y)})});
  return pack(low, high, true);
}

ValueId Selector::lane_compare(Op op, Elem elem, ValueId x, ValueId y) {
  bool wide = is_wide(elem);
  switch (op) {
    case Op::eq:
      return vcmp(wide ? Op::gcn_v_cmp_eq_u64 : Op::gcn_v_cmp_eq_u32, x, y);
    case Op::ne:
      return vcmp(wide ? Op::gcn_v_cmp_ne_u64 : Op::gcn_v_cmp_ne_u32, x, y);
    case Op::ult:
      return vcmp(wide ? Op::gcn_v_cmp_lt_u64 : Op::gcn_v_cmp_lt_u32, x, y);
    case Op::ule:
      return vcmp(wide ? Op::gcn_v_cmp_le_u64 : Op::gcn_v_cmp_le_u32, x, y);
    case Op::slt:
    case Op::sle: {
      if (is_small(elem)) x = widen_signed(x, elem), y = widen_signed(y, elem);
      bool less = op == Op::slt;
      if (wide) return vcmp(less ? Op::gcn_v_cmp_lt_i64 : Op::gcn_v_cmp_le_i64, x, y);
      return vcmp(less ? Op::gcn_v_cmp_lt_i32 : Op::gcn_v_cmp_le_i32, x, y);
    }
    case Op::feq:
      return vcmp(wide ? Op::gcn_v_cmp_eq_f64 : Op::gcn_v_cmp_eq_f32, x, y);
    case Op::fne:
      return vcmp(wide ? Op::gcn_v_cmp_neq_f64 : Op::gcn_v_cmp_neq_f32, x, y);
    case Op::flt:
      return vcmp(wide ? Op::gcn_v_cmp_lt_f64 : Op::gcn_v_cmp_lt_f32, x, y);
    case Op::fle:
      return vcmp(wide ? Op::gcn_v_cmp_le_f64 : Op::gcn_v_cmp_le_f32, x, y);
    default:
      break;
  }
  KC_CHECK(false, "gcn: no compare '{}'", info(op).name);
}

ValueId Selector::lane_select(ValueId mask, ValueId yes, ValueId no, Elem elem) {
  return is_wide(elem) ? choose(mask, vector(yes), vector(no)) : choose(mask, source(yes), source(no));
}

// (mask & yes) | (no & ~mask), shorter if an operand is constant. Undefined is 0, as elsewhere.
ValueId Selector::merge_bits(ValueId mask, ValueId yes, ValueId no) {
  auto two = [&](Op op, ValueId x, ValueId y) { return make(op, masks_.type, {x, y}); };
  bool yes_set = w.is_const(yes) && w.value(yes).bits, no_set = w.is_const(no) && w.value(no).bits;
  if (w.is_inline(yes) && w.is_inline(no)) {
    if (yes_set == no_set) return move_scalar(yes_set ? ~uint64_t{0} : 0, masks_.type.regs);
    return yes_set ? mask : make(masks_.not_, masks_.type, {mask});
  }
  if (w.is_inline(yes)) return two(yes_set ? masks_.or_ : masks_.andn2, condition_bits(no), mask);
  ValueId fresh = condition_bits(yes);
  if (w.is_inline(no)) return two(no_set ? masks_.orn2 : masks_.and_, fresh, mask);
  return two(masks_.or_, two(masks_.and_, mask, fresh), two(masks_.andn2, condition_bits(no), mask));
}

// One operand of a 64-bit addition may be a 32-bit constant or a pair of scalar registers.
ValueId Selector::addend(ValueId pair) {
  InstId def = m.def(pair);
  if (!def || m.inst(def).op != Op::gcn_p_pack) return pair;
  ValueId low = m.inst(def).operands[0], high = m.inst(def).operands[1];
  if (m.is_const(low) && m.is_const(high)) {
    auto value = static_cast<int64_t>((m.value(high).bits << 32) | (m.value(low).bits & 0xffffffffu));
    return value == static_cast<int32_t>(value) ? imm(value) : pair;
  }
  InstId first = m.def(low), second = m.def(high);
  if (first && second && m.inst(first).op == Op::gcn_p_lo && m.inst(second).op == Op::gcn_p_hi &&
      m.inst(first).operands[0] == m.inst(second).operands[0])
    return m.inst(first).operands[0];
  return pair;
}

ValueId Selector::add64(ValueId x, ValueId y) {
  ValueId short_x = addend(x);
  if (short_x != x) return make(Op::gcn_p_v_add64, vgpr(2), {short_x, y});
  return make(Op::gcn_p_v_add64, vgpr(2), {addend(y), x});
}

ValueId Selector::mask_op(Op op, const std::vector<ValueId>& v) {
  auto two = [&](Op s) { return make(s, masks_.type, {v[0], v[1]}); };
  switch (op) {
    case Op::and_:
      return two(masks_.and_);
    case Op::or_:
      return two(masks_.or_);
    case Op::add:
    case Op::sub:
    case Op::xor_:
    case Op::ne:
      return two(masks_.xor_);
    case Op::eq:
      return two(masks_.xnor);
    default:
      break;
  }
  KC_CHECK(false, "gcn: no condition form of '{}'", info(op).name);
}

}  // namespace kc::gcn
