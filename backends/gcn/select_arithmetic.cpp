// SPDX-License-Identifier: Apache-2.0
// Arithmetic. Uniform operations that the scalar unit lacks run on the vector unit and come back through
// v_readfirstlane; that is right because such a result is only used where the mask was not empty.
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {
namespace {

bool is_compare(Op op) { return op >= Op::eq && op <= Op::fle; }
int64_t low_bits(Elem elem) { return (int64_t{1} << Type{elem}.bits()) - 1; }
bool is_small(Elem elem) { return elem == Elem::I8 || elem == Elem::I16; }
bool is_wide(Elem elem) { return Type{elem}.bits() == 64; }

}  // namespace

ValueId Selector::narrow(ValueId v, Elem elem) {
  if (!is_small(elem)) return v;
  if (is_vector(v)) return make(Op::gcn_v_and_b32, vgpr(), {imm(low_bits(elem)), v});
  return make(Op::gcn_s_and_b32, sgpr(), {v, imm(low_bits(elem))});
}

ValueId Selector::widen_signed(ValueId v, Elem elem) {
  if (!is_small(elem)) return v;
  return vop3(Op::gcn_v_bfe_i32, vgpr(), {to_vector(v), imm(0), imm(Type{elem}.bits())});
}

// A uniform operand in the form that lane operations take; conditions become one bit per lane or 0 and 1.
ValueId Selector::lane_bits(ValueId wave_value, Elem elem) {
  if (elem != Elem::I1) return is_wide(elem) ? vector(wave_value) : source(wave_value);
  Type type = w.type(wave_value);
  if (type.lane) return make(Op::gcn_v_cndmask_b32, vgpr(), {imm(0), imm(1), reg(wave_value)});
  return source(wave_value);
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
  if (!lane) {
    ValueId result;
    if (uniform_op(inst, elem, result)) return result;
  }
  // Conditions of lanes are bit sets in scalar registers.
  if (lane && elem == Elem::I1 && (inst.op == Op::select || !is_compare(inst.op)) && type.elem == Elem::I1) {
    std::vector<ValueId> v;
    for (ValueId o : inst.operands)
      v.push_back(w.type(o).lane ? reg(o) : make(Op::gcn_p_select, sgpr(2), {reg(o), imm(-1), imm(0)}));
    return mask_op(inst.op, v);
  }
  if (lane && elem == Elem::I1 && is_compare(inst.op)) {
    std::vector<ValueId> v;
    for (ValueId o : inst.operands)
      v.push_back(w.type(o).lane ? reg(o) : make(Op::gcn_p_select, sgpr(2), {reg(o), imm(-1), imm(0)}));
    return mask_op(inst.op, v);
  }
  if (inst.op == Op::select) {
    ValueId c = inst.operands[0];
    ValueId mask = w.type(c).lane ? reg(c) : make(Op::gcn_p_select, sgpr(2), {reg(c), imm(-1), imm(0)});
    return lane_select(mask, inst.operands[1], inst.operands[2], elem);
  }
  std::vector<ValueId> v;
  if (lane && elem == Elem::I1) {  // zext and sext of a condition
    v.push_back(make(Op::gcn_v_cndmask_b32, vgpr(),
                     {imm(0), imm(inst.op == Op::sext ? -1 : 1), reg(inst.operands[0])}));
  } else {
    for (ValueId o : inst.operands) v.push_back(lane_bits(o, elem));
  }
  ValueId result = lane_op(inst.op, Type{elem}, type.scalar(), v);
  if (lane) return result;
  if (type.elem != Elem::I1) return first(result, machine_type(type));
  // A uniform condition: every active lane computed the same bit.
  ValueId exec = make(Op::gcn_p_get_exec, sgpr(2), {});
  return make(Op::gcn_p_cmp, sgpr(), {make(Op::gcn_s_and_b64, sgpr(2), {result, exec}), imm(0)}, {LgU64});
}

ValueId Selector::lane_op(Op op, Type operand, Type result, const std::vector<ValueId>& v) {
  Elem elem = operand.elem;
  if (is_compare(op)) return lane_compare(op, elem, v[0], v[1]);
  if (op == Op::zext || op == Op::sext || op == Op::trunc || op == Op::bitcast || op == Op::fptosi ||
      op == Op::fptoui || op == Op::sitofp || op == Op::uitofp || op == Op::fpext || op == Op::fptrunc)
    return lane_convert(op, elem, result.elem, v[0]);
  if (operand.is_float()) return lane_float(op, elem, v);
  if (op == Op::sdiv || op == Op::udiv || op == Op::srem || op == Op::urem) {
    bool is_signed = op == Op::sdiv || op == Op::srem;
    ValueId x = is_signed ? widen_signed(to_vector(v[0]), elem) : to_vector(v[0]);
    ValueId y = is_signed ? widen_signed(to_vector(v[1]), elem) : to_vector(v[1]);
    return narrow(lane_divide(op, x, y), elem);
  }
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
      return vop2(Op::gcn_v_sub_u32, x, y, false);
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
  auto choose = [&](Op compare) {
    ValueId mask = vcmp(compare, x, y);
    ValueId low = make(Op::gcn_v_cndmask_b32, vgpr(), {lo(y), lo(x), mask});
    return pack(low, make(Op::gcn_v_cndmask_b32, vgpr(), {hi(y), hi(x), mask}), true);
  };
  switch (op) {
    case Op::add:
      return make(Op::gcn_p_v_add64, vgpr(2), {x, y});
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
      return choose(Op::gcn_v_cmp_lt_i64);
    case Op::smax:
      return choose(Op::gcn_v_cmp_gt_i64);
    case Op::umin:
      return choose(Op::gcn_v_cmp_lt_u64);
    case Op::umax:
      return choose(Op::gcn_v_cmp_gt_u64);
    case Op::mul: {
      ValueId low = make(Op::gcn_v_mul_lo_u32, vgpr(), {lo(x), lo(y)});
      ValueId high = make(Op::gcn_v_mul_hi_u32, vgpr(), {lo(x), lo(y)});
      high = make(Op::gcn_v_add_u32, vgpr(), {high, make(Op::gcn_v_mul_lo_u32, vgpr(), {lo(x), hi(y)})});
      high = make(Op::gcn_v_add_u32, vgpr(), {high, make(Op::gcn_v_mul_lo_u32, vgpr(), {hi(x), lo(y)})});
      return pack(low, high, true);
    }
    default:
      break;
  }
  KC_CHECK(false, "gcn: no 64-bit form of '{}'", info(op).name);
}

ValueId Selector::lane_float(Op op, Elem elem, const std::vector<ValueId>& v) {
  bool wide = elem == Elem::F64;
  Type type = vgpr(wide ? 2 : 1);
  if (wide) {
    switch (op) {
      case Op::fadd:
        return vop3(Op::gcn_v_add_f64, type, v);
      // The assembler's negation of a source is a flip of its sign bit, exact for every value.
      case Op::fsub:
        return vop3(Op::gcn_v_add_f64, type, {v[0], lane_float(Op::fneg, elem, {v[1]})});
      case Op::fmul:
        return vop3(Op::gcn_v_mul_f64, type, v);
      case Op::ffma:
        return vop3(Op::gcn_v_fma_f64, type, v);
      case Op::fmin:
        return vop3(Op::gcn_v_min_f64, type, v);
      case Op::fmax:
        return vop3(Op::gcn_v_max_f64, type, v);
      case Op::ffloor:
        return make(Op::gcn_v_floor_f64, type, v);
      case Op::fceil:
        return make(Op::gcn_v_ceil_f64, type, v);
      case Op::ftrunc:
        return make(Op::gcn_v_trunc_f64, type, v);
      case Op::frint:
        return make(Op::gcn_v_rndne_f64, type, v);
      case Op::fdiv:
        return m.result(
            b.emit(Op::gcn_p_div_f64, {to_vector(v[0]), to_vector(v[1])}, {type, type, type, type, type}));
      case Op::fneg:
      case Op::fabs: {
        ValueId high = op == Op::fneg ? make(Op::gcn_v_xor_b32, vgpr(), {imm(0x80000000), hi(v[0])})
                                      : make(Op::gcn_v_and_b32, vgpr(), {imm(0x7fffffff), hi(v[0])});
        return pack(lo(v[0]), high, true);
      }
      default:
        break;
    }
    KC_CHECK(false, "gcn: no f64 form of '{}'", info(op).name);
  }
  switch (op) {
    case Op::fadd:
      return vop2(Op::gcn_v_add_f32, v[0], v[1], true);
    case Op::fsub:
      return vop2(Op::gcn_v_sub_f32, v[0], v[1], false);
    case Op::fmul:
      return vop2(Op::gcn_v_mul_f32, v[0], v[1], true);
    case Op::fmin:
      return vop2(Op::gcn_v_min_f32, v[0], v[1], true);
    case Op::fmax:
      return vop2(Op::gcn_v_max_f32, v[0], v[1], true);
    case Op::ffma:
      return vop3(Op::gcn_v_fma_f32, type, v);
    case Op::ffloor:
      return make(Op::gcn_v_floor_f32, type, v);
    case Op::fceil:
      return make(Op::gcn_v_ceil_f32, type, v);
    case Op::ftrunc:
      return make(Op::gcn_v_trunc_f32, type, v);
    case Op::frint:
      return make(Op::gcn_v_rndne_f32, type, v);
    case Op::fneg:
      return make(Op::gcn_v_xor_b32, type, {imm(0x80000000), to_vector(v[0])});
    case Op::fabs:
      return make(Op::gcn_v_and_b32, type, {imm(0x7fffffff), to_vector(v[0])});
    case Op::fdiv:
      return m.result(
          b.emit(Op::gcn_p_div_f32, {to_vector(v[0]), to_vector(v[1])}, {type, type, type, type, type}));
    case Op::fsqrt:
      return sqrt32(to_vector(v[0]));
    default:
      break;
  }
  KC_CHECK(false, "gcn: no f32 form of '{}'", info(op).name);
}

// v_sqrt_f32 is within one unit in the last place: take the neighbour whose square is nearest. Small
// arguments are scaled so that the residuals are exact.
ValueId Selector::sqrt32(ValueId x) {
  ValueId small = vcmp(Op::gcn_v_cmp_lt_f32, x, to_vector(imm(0x0f800000)));  // 2^-96
  ValueId up = make(Op::gcn_v_mul_f32, vgpr(), {imm(0x4f800000), x});         // times 2^32
  ValueId a = make(Op::gcn_v_cndmask_b32, vgpr(), {x, up, small});
  ValueId s = make(Op::gcn_v_sqrt_f32, vgpr(), {a});
  ValueId below = make(Op::gcn_v_add_u32, vgpr(), {imm(-1), s}),
          above = make(Op::gcn_v_add_u32, vgpr(), {imm(1), s});
  auto negated = [&](ValueId v) { return make(Op::gcn_v_xor_b32, vgpr(), {imm(0x80000000), v}); };
  ValueId low = make(Op::gcn_v_fma_f32, vgpr(), {negated(below), s, a});
  ValueId high = make(Op::gcn_v_fma_f32, vgpr(), {negated(above), s, a});
  ValueId zero = imm(0);
  ValueId r = make(Op::gcn_v_cndmask_b32, vgpr(), {s, below, vcmp(Op::gcn_v_cmp_ge_f32, zero, low)});
  r = make(Op::gcn_v_cndmask_b32, vgpr(), {r, above, vcmp(Op::gcn_v_cmp_lt_f32, zero, high)});
  ValueId down = make(Op::gcn_v_mul_f32, vgpr(), {imm(0x37800000), r});  // times 2^-16
  r = make(Op::gcn_v_cndmask_b32, vgpr(), {r, down, small});
  // Zeros and infinity are their own roots; +-0, +inf: classes 5, 6 and 9.
  ValueId special = make(Op::gcn_v_cmp_class_f32, sgpr(2), {a, to_vector(imm(0x260))});
  return make(Op::gcn_v_cndmask_b32, vgpr(), {r, a, special});
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

ValueId Selector::lane_convert(Op op, Elem from, Elem to, ValueId x) {
  bool wide_to = is_wide(to), wide_from = is_wide(from);
  switch (op) {
    case Op::bitcast:
      return to_vector(x);
    case Op::zext:
      return wide_to ? pack(to_vector(x), imm(0), true) : to_vector(x);
    case Op::sext: {
      if (from == Elem::I1) return narrow(wide_to ? pack(x, x, true) : x, to);
      ValueId s = widen_signed(to_vector(x), from);
      if (wide_to) return pack(s, make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), s}), true);
      return narrow(s, to);
    }
    case Op::trunc: {
      ValueId low = wide_from ? lo(to_vector(x)) : to_vector(x);
      if (to != Elem::I1) return narrow(low, to);
      ValueId bit = make(Op::gcn_v_and_b32, vgpr(), {imm(1), low});
      return vcmp(Op::gcn_v_cmp_ne_u32, imm(0), bit);
    }
    case Op::fptosi:
    case Op::fptoui: {
      // The hardware saturates to 32 bits and turns NaN into 0, as the language wants.
      bool is_signed = op == Op::fptosi;
      Op convert = from == Elem::F64 ? (is_signed ? Op::gcn_v_cvt_i32_f64 : Op::gcn_v_cvt_u32_f64)
                                     : (is_signed ? Op::gcn_v_cvt_i32_f32 : Op::gcn_v_cvt_u32_f32);
      ValueId v = make(convert, vgpr(), {to_vector(x)});
      if (!is_small(to)) return v;
      int64_t limit = low_bits(to);
      if (!is_signed) return make(Op::gcn_v_min_u32, vgpr(), {imm(limit), v});
      v = make(Op::gcn_v_min_i32, vgpr(), {imm(limit >> 1), v});
      return narrow(make(Op::gcn_v_max_i32, vgpr(), {imm(-(limit >> 1) - 1), v}), to);
    }
    case Op::sitofp:
    case Op::uitofp: {
      bool is_signed = op == Op::sitofp;
      ValueId v = is_signed ? widen_signed(to_vector(x), from) : to_vector(x);
      if (to == Elem::F64)
        return make(is_signed ? Op::gcn_v_cvt_f64_i32 : Op::gcn_v_cvt_f64_u32, vgpr(2), {v});
      return make(is_signed ? Op::gcn_v_cvt_f32_i32 : Op::gcn_v_cvt_f32_u32, vgpr(), {v});
    }
    case Op::fpext:
      return make(Op::gcn_v_cvt_f64_f32, vgpr(2), {to_vector(x)});
    case Op::fptrunc:
      return make(Op::gcn_v_cvt_f32_f64, vgpr(), {to_vector(x)});
    default:
      break;
  }
  KC_CHECK(false, "gcn: no conversion '{}'", info(op).name);
}

ValueId Selector::lane_select(ValueId mask, ValueId yes, ValueId no, Elem elem) {
  if (!is_wide(elem))
    return vop3(Op::gcn_v_cndmask_b32, vgpr(), {to_vector(source(no)), to_vector(source(yes)), mask});
  ValueId n = vector(no), y = vector(yes);
  ValueId low = make(Op::gcn_v_cndmask_b32, vgpr(), {lo(n), lo(y), mask});
  return pack(low, make(Op::gcn_v_cndmask_b32, vgpr(), {hi(n), hi(y), mask}), true);
}

// Unsigned division by an estimate of 2^32 / y that is never too large, improved by one Newton step and two
// corrections of the quotient; signs are taken off before and put on after.
ValueId Selector::lane_divide(Op op, ValueId x, ValueId y) {
  bool is_signed = op == Op::sdiv || op == Op::srem, remainder = op == Op::srem || op == Op::urem;
  auto absolute = [&](ValueId v, ValueId sign) {
    ValueId flipped = make(Op::gcn_v_xor_b32, vgpr(), {v, sign});
    return make(Op::gcn_v_sub_u32, vgpr(), {flipped, sign});
  };
  ValueId n = x, d = y, sign_x, sign_y;
  if (is_signed) {
    sign_x = make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), x});
    sign_y = make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), y});
    n = absolute(x, sign_x), d = absolute(y, sign_y);
  }
  ValueId f = make(Op::gcn_v_rcp_f32, vgpr(), {make(Op::gcn_v_cvt_f32_u32, vgpr(), {d})});
  ValueId z = make(Op::gcn_v_cvt_u32_f32, vgpr(), {make(Op::gcn_v_mul_f32, vgpr(), {imm(0x4f7ffffe), f})});
  ValueId minus_d = make(Op::gcn_v_sub_u32, vgpr(), {imm(0), d});
  ValueId error = make(Op::gcn_v_mul_lo_u32, vgpr(), {minus_d, z});
  z = make(Op::gcn_v_add_u32, vgpr(), {z, make(Op::gcn_v_mul_hi_u32, vgpr(), {z, error})});
  ValueId q = make(Op::gcn_v_mul_hi_u32, vgpr(), {n, z});
  ValueId r = make(Op::gcn_v_sub_u32, vgpr(), {n, make(Op::gcn_v_mul_lo_u32, vgpr(), {q, d})});
  for (int step = 0; step < 2; ++step) {
    ValueId more = vcmp(Op::gcn_v_cmp_ge_u32, r, d);
    q = make(Op::gcn_v_cndmask_b32, vgpr(), {q, make(Op::gcn_v_add_u32, vgpr(), {imm(1), q}), more});
    r = make(Op::gcn_v_cndmask_b32, vgpr(), {r, make(Op::gcn_v_sub_u32, vgpr(), {r, d}), more});
  }
  ValueId result = remainder ? r : q;
  if (is_signed) {
    ValueId sign = remainder ? sign_x : make(Op::gcn_v_xor_b32, vgpr(), {sign_x, sign_y});
    result = absolute(result, sign);
  }
  // x / 0 is all ones and x % 0 is x.
  ValueId by_zero = vcmp(Op::gcn_v_cmp_eq_u32, imm(0), y);
  return make(Op::gcn_v_cndmask_b32, vgpr(), {result, remainder ? x : to_vector(imm(-1)), by_zero});
}

ValueId Selector::mask_op(Op op, const std::vector<ValueId>& v) {
  auto two = [&](Op s) { return make(s, sgpr(2), {v[0], v[1]}); };
  switch (op) {
    case Op::and_:
      return two(Op::gcn_s_and_b64);
    case Op::or_:
      return two(Op::gcn_s_or_b64);
    case Op::add:
    case Op::sub:
    case Op::xor_:
    case Op::ne:
      return two(Op::gcn_s_xor_b64);
    case Op::eq:
      return two(Op::gcn_s_xnor_b64);
    case Op::select: {
      ValueId yes = make(Op::gcn_s_and_b64, sgpr(2), {v[0], v[1]});
      ValueId no = make(Op::gcn_s_andn2_b64, sgpr(2), {v[2], v[0]});
      return make(Op::gcn_s_or_b64, sgpr(2), {yes, no});
    }
    default:
      break;
  }
  KC_CHECK(false, "gcn: no condition form of '{}'", info(op).name);
}

// What the scalar unit does itself.
bool Selector::uniform_op(const Inst& inst, Elem elem, ValueId& result) {
  auto two = [&](Op op) { return make(op, sgpr(), {scalar(inst.operands[0]), scalar(inst.operands[1])}); };
  auto wide = [&](Op op) { return make(op, sgpr(2), {reg(inst.operands[0]), reg(inst.operands[1])}); };
  auto compare = [&](Compare cc, bool swap) {
    ValueId x = is_wide(elem) ? reg(inst.operands[0]) : scalar(inst.operands[0]);
    ValueId y = is_wide(elem) ? reg(inst.operands[1]) : scalar(inst.operands[1]);
    if (swap) std::swap(x, y);
    return make(Op::gcn_p_cmp, sgpr(), {x, y}, {cc});
  };
  if (inst.op == Op::select) {
    Type type = machine_type(w.type(inst.results[0]));
    bool small = type.regs == 1;
    ValueId yes = small ? scalar(inst.operands[1]) : reg(inst.operands[1]);
    ValueId no = small ? scalar(inst.operands[2]) : reg(inst.operands[2]);
    result = make(Op::gcn_p_select, type, {reg(inst.operands[0]), yes, no});
    return true;
  }
  if (inst.op == Op::bitcast) return result = reg(inst.operands[0]), true;
  if (Type{elem}.is_float()) return false;
  Elem to = w.type(inst.results[0]).elem;
  if (inst.op == Op::zext) {
    ValueId v = reg(inst.operands[0]);
    return result = is_wide(to) ? pack(v, imm(0), false) : v, true;
  }
  if (inst.op == Op::trunc) {
    ValueId v = reg(inst.operands[0]);
    if (is_wide(elem)) v = lo(v);
    int64_t bits = Type{to}.bits();
    return result = bits >= 32 ? v : make(Op::gcn_s_and_b32, sgpr(), {v, imm((int64_t{1} << bits) - 1)}),
           true;
  }
  if (inst.op == Op::sext && elem == Elem::I32) {
    ValueId v = reg(inst.operands[0]);
    return result = pack(v, make(Op::gcn_s_ashr_i32, sgpr(), {v, imm(31)}), false), true;
  }
  if (inst.op == Op::sext && elem == Elem::I1) {
    bool w2 = is_wide(to);
    ValueId v = make(Op::gcn_p_select, sgpr(w2 ? 2 : 1), {reg(inst.operands[0]), imm(-1), imm(0)});
    return result = narrow(v, to), true;
  }
  if (elem == Elem::I1) {
    switch (inst.op) {
      case Op::and_:
        return result = two(Op::gcn_s_and_b32), true;
      case Op::or_:
        return result = two(Op::gcn_s_or_b32), true;
      case Op::add:
      case Op::sub:
      case Op::xor_:
      case Op::ne:
        return result = two(Op::gcn_s_xor_b32), true;
      case Op::eq:
        return result = make(Op::gcn_s_xor_b32, sgpr(), {two(Op::gcn_s_xor_b32), imm(1)}), true;
      default:
        return false;
    }
  }
  if (is_wide(elem)) {
    switch (inst.op) {
      case Op::add:
        return result = wide(Op::gcn_p_s_add64), true;
      case Op::sub:
        return result = wide(Op::gcn_p_s_sub64), true;
      case Op::and_:
        return result = wide(Op::gcn_s_and_b64), true;
      case Op::or_:
        return result = wide(Op::gcn_s_or_b64), true;
      case Op::xor_:
        return result = wide(Op::gcn_s_xor_b64), true;
      case Op::eq:
        return result = compare(EqU64, false), true;
      case Op::ne:
        return result = compare(LgU64, false), true;
      case Op::shl:
        return result = make(Op::gcn_s_lshl_b64, sgpr(2), {reg(inst.operands[0]), lo(reg(inst.operands[1]))}),
               true;
      case Op::lshr:
        return result = make(Op::gcn_s_lshr_b64, sgpr(2), {reg(inst.operands[0]), lo(reg(inst.operands[1]))}),
               true;
      case Op::ashr:
        return result = make(Op::gcn_s_ashr_i64, sgpr(2), {reg(inst.operands[0]), lo(reg(inst.operands[1]))}),
               true;
      default:
        return false;
    }
  }
  if (elem != Elem::I32) return false;
  switch (inst.op) {
    case Op::add:
      return result = two(Op::gcn_s_add_u32), true;
    case Op::sub:
      return result = two(Op::gcn_s_sub_u32), true;
    case Op::mul:
      return result = two(Op::gcn_s_mul_i32), true;
    case Op::and_:
      return result = two(Op::gcn_s_and_b32), true;
    case Op::or_:
      return result = two(Op::gcn_s_or_b32), true;
    case Op::xor_:
      return result = two(Op::gcn_s_xor_b32), true;
    case Op::shl:
      return result = two(Op::gcn_s_lshl_b32), true;
    case Op::lshr:
      return result = two(Op::gcn_s_lshr_b32), true;
    case Op::ashr:
      return result = two(Op::gcn_s_ashr_i32), true;
    case Op::smin:
      return result = two(Op::gcn_s_min_i32), true;
    case Op::smax:
      return result = two(Op::gcn_s_max_i32), true;
    case Op::umin:
      return result = two(Op::gcn_s_min_u32), true;
    case Op::umax:
      return result = two(Op::gcn_s_max_u32), true;
    case Op::eq:
      return result = compare(EqI32, false), true;
    case Op::ne:
      return result = compare(LgI32, false), true;
    case Op::slt:
      return result = compare(LtI32, false), true;
    case Op::sle:
      return result = compare(LeI32, false), true;
    case Op::ult:
      return result = compare(LtU32, false), true;
    case Op::ule:
      return result = compare(LeU32, false), true;
    default:
      return false;
  }
}

ValueId Selector::ptr_add(const Inst& inst, bool lane) {
  ValueId base = inst.operands[0], index = inst.operands[1];
  int64_t scale = inst.attrs[0], offset = inst.attrs[1];
  if (w.type(inst.results[0]).bits() == 32) {
    // Offsets into local or private memory.
    ValueId i = is_wide(w.type(index).elem) ? lo(vector(index)) : source(index);
    ValueId scaled = scale == 1 ? i : vop3(Op::gcn_v_mul_lo_u32, vgpr(), {to_vector(i), imm(scale)});
    ValueId sum = vop2(Op::gcn_v_add_u32, source(base), scaled, true);
    if (offset) sum = make(Op::gcn_v_add_u32, vgpr(), {imm(offset), sum});
    return lane ? sum : first(sum, sgpr());
  }
  auto constant64 = [&](int64_t v) { return pack(imm(v & 0xffffffff), imm(v >> 32), lane); };
  ValueId wide;
  bool narrow_index = w.type(index).elem == Elem::I32;
  if (w.is_const(index)) {
    uint64_t bits = w.value(index).bits;
    int64_t i = narrow_index ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
    offset += i * scale;
  } else if (!lane) {
    ValueId v = reg(index);
    if (narrow_index) v = pack(v, make(Op::gcn_s_ashr_i32, sgpr(), {v, imm(31)}), false);
    wide = v;
    if (scale != 1) {
      bool power = scale > 0 && (scale & (scale - 1)) == 0;
      if (power)
        wide = make(Op::gcn_s_lshl_b64, sgpr(2), {v, imm(__builtin_ctzll(static_cast<uint64_t>(scale)))});
      else
        wide = first(lane_int64(Op::mul, to_vector(v), to_vector(constant64(scale))), sgpr(2));
    }
  } else {
    ValueId v = vector(index);
    if (narrow_index) v = pack(v, make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), v}), true);
    wide = v;
    if (scale != 1) {
      bool power = scale > 0 && (scale & (scale - 1)) == 0;
      wide = power ? make(Op::gcn_v_lshlrev_b64, vgpr(2),
                          {imm(__builtin_ctzll(static_cast<uint64_t>(scale))), v})
                   : lane_int64(Op::mul, v, constant64(scale));
    }
  }
  auto sum = [&](ValueId x, ValueId y) {
    return lane ? make(Op::gcn_p_v_add64, vgpr(2), {x, to_vector(y)})
                : make(Op::gcn_p_s_add64, sgpr(2), {x, y});
  };
  ValueId result = lane ? vector(base) : reg(base);
  if (wide.valid()) result = sum(result, wide);
  if (offset) result = sum(result, constant64(offset));
  return result;
}

}  // namespace kc::gcn
